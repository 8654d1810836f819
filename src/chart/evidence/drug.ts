import type { CodeableConcept, Reference } from 'fhir/r4.js';
import { meaningful } from '../../fhir/placeholder.ts';
import { ingredientsOf, parseRxNormName } from '../../fhir/rxnorm-name.ts';
import { systems } from '../../fhir/systems.ts';
import { type Located, labelOf, type Scene } from '../scene.ts';

/** A drug as one resource names it. */
export interface Drug {
  /** What brings the resources of one drug together: its ingredients by an RxNorm name, else the text as it stands, in small letters. */
  readonly key: string;
  /** `methotrexate`; the whole text where it is no RxNorm name. */
  readonly name: string;
  /** As the chart names it: `methotrexate 2.5 MG Oral Tablet`. */
  readonly product: string;
}

interface Medicated {
  readonly medicationCodeableConcept?: CodeableConcept | undefined;
  readonly medicationReference?: Reference | undefined;
}

/** What a MedicationRequest, -Statement or -Dispense is about. A resource that names no drug at all is a drug of its own. */
export function drugOf(scene: Scene, holder: Located, { medicationCodeableConcept, medicationReference }: Medicated): Drug {
  const concept = medicationCodeableConcept ?? scene.resolve(medicationReference, holder, 'Medication')?.resource.code;
  const product = meaningful(labelOf(concept)) ?? meaningful(medicationReference?.display);
  if (product === undefined) return { key: holder.reference, name: 'a medication without a name', product: 'a medication without a name' };
  const rxnorm = (concept?.coding ?? []).filter(({ system }) => system === systems.rxnorm).map(({ display }) => display);
  for (const text of [...rxnorm, product]) {
    const parsed = text === undefined ? undefined : parseRxNormName(text);
    if (parsed !== undefined) return { key: ingredientsOf(parsed).toLowerCase(), name: ingredientsOf(parsed), product };
  }
  return { key: product.toLowerCase(), name: product, product };
}
