import type { CodeableConcept, Reference } from 'fhir/r4.js';
import { labelOf } from '../fhir/concept.ts';
import { readRxNormName } from '../fhir/drug/rxnorm-name.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { systems } from '../fhir/systems.ts';
import type { Scene } from '../roles/scene.ts';

/** A drug as one resource names it. */
export interface Drug {
  /** What brings the resources of one drug together: its ingredients by an RxNorm name, else the text as it stands, in small letters. */
  readonly key: string;
  /** `methotrexate`; the whole text where it is no RxNorm name. */
  readonly name: string;
  /** An RxNorm name told the ingredients; otherwise the words in front of a strength are all that is known. */
  readonly isCertain: boolean;
  /** As the chart names it: `methotrexate 2.5 MG Oral Tablet`. */
  readonly product: string;
}

interface Medicated {
  readonly medicationCodeableConcept?: CodeableConcept | undefined;
  readonly medicationReference?: Reference | undefined;
}

/** What a MedicationRequest, -Statement or -Dispense is about. A resource that names no drug at all is a drug of its own. */
export function drugOf(
  scene: Scene,
  holder: Located,
  { medicationCodeableConcept, medicationReference }: Medicated,
): Drug {
  const concept = medicationCodeableConcept ?? scene.resolve(medicationReference, holder, 'Medication')?.resource.code;
  const product = meaningful(labelOf(concept)) ?? meaningful(medicationReference?.display);
  if (product === undefined)
    return {
      key: holder.reference,
      name: 'a medication without a name',
      isCertain: false,
      product: 'a medication without a name',
    };
  const rxnorm = (concept?.coding ?? [])
    .filter(({ system }) => system === systems.rxnorm)
    .map(({ display }) => display);
  for (const text of [...rxnorm, product]) {
    const parsed = text === undefined ? undefined : readRxNormName(text);
    if (parsed !== undefined)
      return {
        key: parsed.ingredients.join(' / ').toLowerCase(),
        name: parsed.ingredients.join(' / '),
        isCertain: true,
        product,
      };
  }
  const name = beforeStrength(product);
  return { key: name.toLowerCase(), name, isCertain: false, product };
}

/** true when both are one drug. A name that is only words counts when it holds the other's: taken for a different drug, the ordered one would pass as prior therapy. */
export function isSameDrug(one: Drug, other: Drug): boolean {
  if (one.key === other.key) return true;
  return (!one.isCertain || !other.isCertain) && (holds(one.product, other.key) || holds(other.product, one.key));
}

function holds(text: string, name: string): boolean {
  return (
    name.length > 3 &&
    ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `.includes(` ${name.replace(/[^\p{L}\d]+/gu, ' ')} `)
  );
}

/** `adalimumab` of `adalimumab 40 MG/0.8 ML Pen`; the whole text where no plain words stand before a strength. */
function beforeStrength(text: string): string {
  return /^(\p{L}[\p{L}' -]*\p{L})\s+\d[\d.,]*\s*(mg|mcg|g|ml|unt|units?|iu|%)(?![\p{L}])/iu.exec(text)?.[1] ?? text;
}
