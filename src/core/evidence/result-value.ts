import type { DiagnosticReport, Observation, ObservationComponent } from 'fhir/r4.js';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { type Cited, cite, citeFirst } from './cite.ts';
import { quantityText, rangeText, ratioText } from './quantity-text.ts';

/** The value of a result with its unit, as the chart writes it: `8.2 %`, `<0.01 IU/mL`, `1:40`, `Negative`. */
export function valueText(result: Observation | ObservationComponent): string | number | boolean | undefined {
  const { valueQuantity, valueRange, valueRatio, valueString, valueCodeableConcept } = result;
  return (
    quantityText(valueQuantity) ??
    rangeText(valueRange) ??
    ratioText(valueRatio) ??
    resultWords(valueString) ??
    resultWords(labelOf(valueCodeableConcept)) ??
    result.valueBoolean ??
    result.valueInteger ??
    result.valueDateTime
  );
}

/** Undefined for words that only refer to another place or explain why there is no result. */
export function resultWords(text: string | undefined): string | undefined {
  const words = meaningful(text);
  return words === undefined || noResult.some((pattern) => pattern.test(words)) ? undefined : words;
}

const noResult: readonly RegExp[] = [
  new RegExp(
    String.raw`^(please )?(see|refer to|note)\b[^;,.]{0,20}\b(comments?|notes?|reports?|below|above|` +
      String.raw`attach\w*|interpretation|text|media|scan\w*)\W*$`,
    'i',
  ),
  /^(see )?(comments?|notes?)\W*$/i,
  /^(test )?(not (performed|done|reported|tested|calculated|resulted)|cancell?ed|pending|in progress|to follow)\W*$/i,
  /^(unable to|could not) (be )?(calculate|report|perform|determine|obtain)\w*\W*$/i,
  /^(tnp|qns|dnr|quantity (was )?not sufficient|insufficient (quantity|specimen|sample))\W*$/i,
  /^(duplicate( order| request)?|(specimen|sample) (rejected|hemolyzed|clotted|lost|not received))\W*$/i,
];

/** The conclusion of a report: its text, or else the labels of its conclusion codes. */
export function conclusionOf(report: Located<DiagnosticReport>): Cited<string> | undefined {
  const { conclusion, conclusionCode = [] } = report.resource;
  const words = resultWords(conclusion);
  if (words !== undefined) return cite(report, words, 'conclusion');
  const labels = conclusionCode.flatMap((concept) => resultWords(labelOf(concept)) ?? []);
  return labels.length === 0 ? undefined : cite(report, labels.join('; '), 'conclusionCode');
}

export function valuedComponents(observation: Located<Observation>): Cited<ObservationComponent>[] {
  return (observation.resource.component ?? []).flatMap((component, index) =>
    valueText(component) === undefined ? [] : [cite(observation, component, `component[${index}]`)],
  );
}

export function hasResultValue(observation: Located<Observation>): boolean {
  return valueText(observation.resource) !== undefined || valuedComponents(observation).length > 0;
}

/** The date of a result, or the end of its period. */
export function resultDate(observation: Located<Observation>): Cited<string> | undefined {
  const { effectiveDateTime, effectivePeriod, effectiveInstant } = observation.resource;
  return citeFirst(observation, {
    effectiveDateTime,
    'effectivePeriod.end': effectivePeriod?.end,
    'effectivePeriod.start': effectivePeriod?.start,
    effectiveInstant,
  });
}
