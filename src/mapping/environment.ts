import { BridgeError } from '../errors.ts';
import type { Environment, Items } from '../fhir/path/environment.ts';
import { Item, type Origin, placeOf } from '../fhir/path/item.ts';
import type { MappingInput, Node } from './input.ts';

/** What expressions see of a chart: its roots by name, and resolve() over its resources. Values keep the root they come from. */
export function environmentOf(input: MappingInput): Environment {
  const roots = new Map<string, Items>();
  return {
    variable: (name) => {
      const known = roots.get(name);
      if (known !== undefined) return known;
      const root = Object.hasOwn(input.roots, name) ? input.roots[name] : undefined;
      if (root === undefined) throw new BridgeError('mapping_invalid', { variable: `%${name}`, reason: 'there is no such role' });
      const items = root.nodes.map((node) => itemOf(node, root));
      roots.set(name, items);
      return items;
    },
    resolve: (reference) => {
      const place = placeOf(reference);
      const target = input.resolve(reference.value, { value: reference.value, ...(place === undefined ? {} : { source: place }) });
      return target === undefined ? undefined : itemOf(target, reference.origin.tag);
    },
  };
}

function itemOf(node: Node, tag: unknown): Item {
  const origin: Origin = { tag, ...(node.source === undefined ? {} : { place: node.source }), ...(node.whole ? { whole: node.whole } : {}) };
  return new Item(node.value, origin);
}
