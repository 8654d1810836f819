import { isObject } from '../../src/core/fhir/is-object.ts';

/**
 * What the sources of an order say, compared by meaning with code of its own: small, and sure of what it reports.
 * Sources that it does not understand contradict nothing.
 */
export function contradictionsOf(order: unknown, medication: unknown): string[] {
  const texts = drugTexts(order, medication);
  const names = texts.filter(isRxNormName);
  return [
    ...differing('strength', texts.flatMap(milligramsOf), ingredientMilligrams(medication)),
    ...unlike('form', texts.flatMap(formOf)),
    ...unlike('release', names.map(releaseOf)),
    ...unlike('ingredient', names.flatMap(ingredientOf)),
    ...unitAgainstForm(order, texts.flatMap(formOf)),
  ];
}

const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const ndc = 'http://hl7.org/fhir/sid/ndc';

function drugTexts(order: unknown, medication: unknown): string[] {
  const concept = get(order, 'medicationCodeableConcept') ?? get(medication, 'code');
  const codings = list(get(concept, 'coding')).filter((coding) =>
    [rxnorm, ndc].includes(String(get(coding, 'system'))),
  );
  const texts = [...codings.map((coding) => get(coding, 'display')), get(concept, 'text')];
  return texts
    .filter((text) => typeof text === 'string' && text.length <= longest)
    .map((text) => String(text).replace(/\s+/g, ' ').trim())
    .filter((text) => !directions.test(text));
}

// A note of that length names no drug, and "Take 6 tablets" tells how it is taken.
const longest = 2000;
const directions = /^(take|inject|apply|inhale|use|place|insert) /i;

const name = /^([a-z][a-z ]*?) (\d+(?:\.\d+)?) MG ((?:[A-Z][a-z-]+ )+)(?:\[|$)/;

function isRxNormName(text: string): boolean {
  return name.test(`${text} `.replace(/ {2}$/, ' '));
}

function ingredientOf(text: string): string[] {
  const found = name.exec(`${text} `);
  return found === null ? [] : [found[1] ?? ''];
}

function releaseOf(text: string): string {
  return /\b(extended release|ER|XR|XL|SR|24 HR)\b/i.test(text) ? 'extended' : 'plain';
}

// One amount without a volume; several ingredients, packs and concentrations are not compared here.
function milligramsOf(text: string): number[] {
  const found = [...text.matchAll(/(?<![\d.,])(\d+(?:\.\d+)?) ?(mg|mcg|g)\b(?! ?\/)/gi)];
  if (found.length !== 1 || / \/ /.test(text) || /\d ?ml\b/i.test(text)) return [];
  const factor = { mg: 1, mcg: 0.001, g: 1000 }[(found[0]?.[2] ?? '').toLowerCase()] ?? 1;
  return [Number(found[0]?.[1]) * factor];
}

function ingredientMilligrams(medication: unknown): number[] {
  const [only, ...more] = list(get(medication, 'ingredient'));
  const [top, bottom] = [get(get(only, 'strength'), 'numerator'), get(get(only, 'strength'), 'denominator')];
  const value = get(top, 'value');
  const isPiece =
    bottom === undefined || /tab|tbl|cap/.test(`${String(get(bottom, 'unit'))} ${String(get(bottom, 'code'))}`);
  return more.length === 0 && typeof value === 'number' && get(top, 'code') === 'mg' && isPiece ? [value] : [];
}

function formOf(text: string): string[] {
  const forms = [
    /\btab(let)?s?\b/i,
    /\bcap(sule)?s?\b/i,
    /\b(auto-injector|inject\w*|syringe|pen)\b/i,
    /\bcream\b/i,
    /\bointment\b/i,
  ];
  const found = forms.flatMap((form, index) =>
    form.test(text) ? [['tablet', 'capsule', 'injection', 'cream', 'ointment'][index] ?? ''] : [],
  );
  return found.length === 1 ? found : [];
}

const unitsOf: Readonly<Record<string, readonly [RegExp, readonly string[]]>> = {
  tablet: [/tab|tbl/i, ['capsule', 'injection', 'cream']],
  capsule: [/\bcap/i, ['tablet', 'injection', 'cream']],
  liquid: [/^ml ml$/i, ['tablet', 'capsule']],
};

function unitAgainstForm(order: unknown, forms: readonly string[]): string[] {
  const request = get(order, 'dispenseRequest');
  const stated = [get(request, 'quantity'), get(get(request, 'initialFill'), 'quantity')];
  const quantity = stated.find((one) => typeof get(one, 'value') === 'number');
  const unit = `${String(get(quantity, 'unit'))} ${String(get(quantity, 'code'))}`;
  const [, contradicted = []] = Object.values(unitsOf).find(([spelled]) => spelled.test(unit)) ?? [];
  return forms.some((form) => contradicted.includes(form)) ? ['unit and form'] : [];
}

function differing(what: string, ...numbers: readonly (readonly number[])[]): string[] {
  const all = numbers.flat();
  return all.length > 1 && Math.max(...all) > Math.min(...all) * 1.01 ? [what] : [];
}

function unlike(what: string, words: readonly string[]): string[] {
  return new Set(words).size > 1 ? [what] : [];
}

/** The element of an object, undefined when there is none. */
export function get(holder: unknown, key: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** A list as it stands; anything else is an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
