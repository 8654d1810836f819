import type { CodeableConcept, Observation, ObservationReferenceRange, Quantity, Range, Ratio } from 'fhir/r4.js';
import { timingWords } from '../src/core/drug/dosage/read-timing.ts';
import { doseWords } from '../src/core/evidence/dose-words.ts';
import { quantityText, rangeText, ratioText, referenceRangeText } from '../src/core/evidence/quantity-text.ts';
import { resultWords } from '../src/core/evidence/result-value.ts';
import { labelOf } from '../src/core/fhir/codes/concept.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import { statedSystemOf } from '../src/core/fhir/shape/read-shape.ts';
import { meaningful } from '../src/core/fhir/text/placeholder.ts';
import type { Transform, Transformed } from '../src/core/mapping/words/rules.ts';

/** Transforms from FHIR values to the content of an evidence item; each refuses a value without content. */

function reading<Type, Out>(name: string, read: (value: Type) => Out | undefined): Transform<Out> {
  return Object.freeze({
    name,
    apply: (value: unknown): Transformed<Out> => {
      const out = isObject(value) ? read(value as Type) : undefined; // The rule's path fixes the type.
      return out === undefined ? { refused: 'nothing_to_say' } : { value: out };
    },
  });
}

/** The words of a CodeableConcept: its text, else a display, else a code; placeholders are refused. */
export const label = reading('label', (concept: CodeableConcept) => meaningful(labelOf(concept)));

/** The words of a result, given as a concept or as text; `See comment` is refused. */
export const resultLabel = reading('result in words', (concept: CodeableConcept) => resultWords(labelOf(concept)));
export const resultText: Transform<string> = Object.freeze({
  name: 'result as text',
  apply: (value: unknown): Transformed<string> => {
    const words = typeof value === 'string' ? resultWords(value) : undefined;
    return words === undefined ? { refused: 'nothing_to_say' } : { value: words };
  },
});

/** The words of a status, unchanged. Unlike `label`, it keeps `unknown`, which is a valid status. */
export const status = reading('status', (concept: CodeableConcept) => labelOf(concept));

/**
 * The standard URI of a coding's system if the chart spells the system differently; the note quotes the chart's
 * spelling. A system in the standard spelling is refused.
 */
export const respelledSystem: Transform<string> = Object.freeze({
  name: 'system',
  apply: (value: unknown): Transformed<string> => {
    const { system } = isObject(value) ? value : {};
    const stated = isObject(value) ? statedSystemOf(value) : undefined;
    return typeof system !== 'string' || stated === undefined
      ? { refused: 'nothing_to_say' }
      : { value: system, derived: true, note: `${stated} in the chart` };
  },
});

/** `8.2 %`, `<0.01 [IU]/mL` */
export const evidenceQuantity = reading('quantity as text', (value: Quantity) => quantityText(value));

/** `2 mg/dL to 4 mg/dL`, `from 2`, `up to 4` */
export const range = reading('range as text', (value: Range) => rangeText(value));

/** `1:160` */
export const ratio = reading('ratio as text', (value: Ratio) => ratioText(value));

/** The laboratory's words for the normal range, else the range: `4 % to 5.6 %`. */
export const referenceRange = reading('reference range as text', (value: ObservationReferenceRange) =>
  referenceRangeText(value),
);

/** All interpretations of a result in one text: `High, Abnormal`. */
export const interpretations = reading('interpretations', ({ interpretation = [] }: Partial<Observation>) => {
  const labels = interpretation.flatMap((concept) => labelOf(concept) ?? []);
  return labels.length === 0 ? undefined : labels.join(', ');
});

/** A value computed from all entries of a drug, not read from one. */
export const derived: Transform<string | number> = Object.freeze({
  name: 'worked out over all mentions',
  apply: (value: unknown): Transformed<string | number> =>
    typeof value === 'string' || typeof value === 'number' ? { value, derived: true } : { refused: 'nothing_to_say' },
});

/** Like `derived`, but each accepts only one type of value. */
export const derivedText: Transform<string> = derivedOf('words worked out', 'string');
export const derivedCount: Transform<number> = derivedOf('counted', 'number');
export const derivedFlag: Transform<boolean> = derivedOf('judged', 'boolean');

/** Refuses false, so that only true is sent. */
export const ifTrue: Transform<true> = Object.freeze({
  name: 'where it holds',
  apply: (value: unknown): Transformed<true> => (value === true ? { value } : { refused: 'nothing_to_say' }),
});

function derivedOf<Out>(name: string, type: string): Transform<Out> {
  return Object.freeze({
    name,
    apply: (value: unknown): Transformed<Out> =>
      typeof value === type ? { value: value as Out, derived: true } : { refused: 'nothing_to_say' },
  });
}

/** A computed word that must be in `list`, such as the outcome of a trial. */
export function listed<Word extends string>(name: string, list: readonly Word[]): Transform<Word> {
  return Object.freeze({
    name,
    apply: (value: unknown): Transformed<Word> => {
      const word = list.find((one) => one === value);
      return word === undefined ? { refused: 'nothing_to_say' } : { value: word, derived: true };
    },
  });
}

export const asWritten: Transform<unknown> = Object.freeze({
  name: 'as the chart writes it',
  apply: (value: unknown): Transformed<unknown> => ({ value }),
});

export const plainNumber: Transform<number> = Object.freeze({
  name: 'number',
  apply: (value: unknown): Transformed<number> =>
    typeof value === 'number' && Number.isFinite(value) ? { value } : { refused: 'nothing_to_say' },
});

/** One dose of a Dosage: `40 mg`, `1 to 2 tablets`. */
export const doseText = reading('dose as text', doseWords);

/** How often a dose is taken, if the whole timing is understood: `once a day`, `every 6 months`. */
export const timingText = reading('timing as text', timingWords);

/** Text extracted from a document (PDF, RTF, HTML). */
export const documentText: Transform<string> = Object.freeze({
  name: 'text of the document',
  apply: (value: unknown): Transformed<string> =>
    typeof value === 'string' && value !== '' ? { value, derived: true } : { refused: 'nothing_to_say' },
});
