import type { CodeableConcept, Reference } from 'fhir/r4.js';
import { readRxNormName } from '../drug/rxnorm-name.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import { systems } from '../fhir/codes/systems.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { Cited, cite } from './cite.ts';
import type { EvidenceChart } from './evidence-chart.ts';

export interface Drug {
  /** A key that all resources of one drug share: the ingredients of an RxNorm name or else the text, in lowercase. */
  readonly key: string;
  /** The ingredients, such as `methotrexate`. Without an RxNorm name, the words before a strength or the whole text. */
  readonly name: string;
  /** Whether the ingredients come from an RxNorm name. */
  readonly isCertain: boolean;
  /** Whether the resource has any name for the drug. */
  readonly isNamed: boolean;
  /** The name as in the chart: `methotrexate 2.5 MG Oral Tablet`. */
  readonly product: Cited<string>;
  /** The displays of the RxNorm codes. */
  readonly coded: readonly Cited<string>[];
}

interface Medicated {
  readonly medicationCodeableConcept?: CodeableConcept | undefined;
  readonly medicationReference?: Reference | undefined;
}

/** The drug of an order, statement or dispense. A resource without any name counts as a separate drug. */
export function evidenceDrug(chart: EvidenceChart, holder: Located, medicated: Medicated): Drug {
  const { concept, product } = productOf(chart, holder, medicated);
  if (product === undefined) {
    const name = 'a medication without a name';
    return { key: holder.reference, name, isCertain: false, isNamed: false, product: cite(holder, name), coded: [] };
  }
  const rxnorm = (concept?.coding ?? []).filter(({ system }) => system === systems.rxnorm);
  const names = rxnorm.flatMap(({ display }) => meaningful(display) ?? []);
  const coded = names.map((display) => new Cited(display, product.source));
  for (const text of [...names, product.value]) {
    const parsed = readRxNormName(text);
    if (parsed === undefined) continue;
    const name = parsed.ingredients.join(' / ');
    return { key: name.toLowerCase(), name, isCertain: true, isNamed: true, product, coded };
  }
  const name = beforeStrength(product.value);
  return { key: name.toLowerCase(), name, isCertain: false, isNamed: true, product, coded };
}

function productOf(
  chart: EvidenceChart,
  holder: Located,
  { medicationCodeableConcept, medicationReference }: Medicated,
): { readonly concept: CodeableConcept | undefined; readonly product: Cited<string> | undefined } {
  const medication = chart.resolve(medicationReference, holder, 'Medication');
  const concept = medicationCodeableConcept ?? medication?.resource.code;
  const label = meaningful(labelOf(concept));
  if (label === undefined) {
    const display = meaningful(medicationReference?.display);
    return {
      concept,
      product: display === undefined ? undefined : cite(holder, display, 'medicationReference.display'),
    };
  }
  const isOwn = medicationCodeableConcept !== undefined || medication === undefined;
  const product = isOwn ? cite(holder, label, 'medicationCodeableConcept') : cite(medication, label, 'code');
  return { concept, product };
}

/**
 * Whether two resources are about the same drug. A name in plain words matches if it contains the other name; otherwise
 * the ordered drug could count as prior therapy under another name.
 */
export function isOneDrug(one: Drug, other: Drug): boolean {
  if (one.key === other.key) return true;
  if (one.isCertain && other.isCertain) return false;
  return holds(one.product.value, other.key) || holds(other.product.value, one.key);
}

function holds(text: string, name: string): boolean {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `;
  return name.length > 3 && words.includes(` ${name.replace(/[^\p{L}\d]+/gu, ' ')} `);
}

/** `adalimumab` for `adalimumab 40 MG/0.8 ML Pen`. The whole text if it has no plain words before a strength. */
function beforeStrength(text: string): string {
  const before = /^(\p{L}[\p{L}' -]*\p{L})\s+\d[\d.,]*\s*(mg|mcg|g|ml|unt|units?|iu|%)(?![\p{L}])/iu.exec(text);
  return before?.[1] ?? text;
}
