import { type Decision, emptyRoot, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

/** The pharmacy that the order names as dispenser; none is guessed. */
export function choosePharmacy(scene: Scene): Decision {
  const { order } = scene;
  const pharmacy = scene.resolve(order.resource.dispenseRequest?.performer, order, 'Organization', 'Location');
  return { roots: { pharmacy: pharmacy === undefined ? emptyRoot() : rootOf([nodeAt(pharmacy, pharmacy.resource)]) } };
}
