import type { CodeableConcept, Medication, MedicationIngredient, Quantity, Ratio } from 'fhir/r4.js';
import type { Refusal } from '../fhir/references/refusals.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { isGivenByTheHour } from './form.ts';
import { formWord, spellOutForms } from './form-words.ts';
import { stepOf } from './number.ts';
import { readDrugName } from './read-drug-name.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { mergeReleases, takeRelease } from './release.ts';
import type { Strength } from './strength.ts';
import { type Amount, unitOf } from './unit.ts';

/**
 * Reads the form of a Medication and the strength of every active ingredient (FHIR R4, Medication). Undefined when
 * neither a form nor an ingredient is stated.
 *
 * A number without a unit (`250`) is not a strength. A rate (`5 mg/h`) is a strength only for a patch, a system, a ring
 * or an implant. If one ingredient has no strength, the drug has none.
 *
 * @param formText returns the words of a form that has only codes, from the caller's table (`patch` for TPATCH)
 */
export function readMedication(
  medication: Medication,
  formText?: (form: CodeableConcept) => string | undefined,
): DrugReading | undefined {
  const active = (medication.ingredient ?? []).filter(({ isActive }) => isActive !== false);
  const form = takeForm(formWords(medication.form, formText));
  if (active.length === 0 && form.words === undefined && form.release === undefined) return undefined;
  const strengths = active.map((ingredient) => strengthOf(ingredient.strength, form.words));
  const known = strengths.filter((strength) => 'text' in strength);
  const missing = strengths.find((strength) => 'refused' in strength);
  const named = active.flatMap((ingredient) => namesOf(ingredient) ?? []);
  const names = unique(named.flatMap(({ ingredients }) => ingredients));
  const isWhole = known.length > 0 && missing === undefined;
  const each = named.map(({ ingredients }, index) => ({
    ingredient: ingredients.join(' / '),
    strength: known[index]?.text ?? '',
  }));
  const isEach =
    isWhole && each.length > 1 && each.length === known.length && each.every(({ ingredient }) => ingredient !== '');
  return readingOf({
    words: [...names, ...known.map(({ text }) => text), form.words].filter((word) => word !== undefined).join(' '),
    source: 'structure',
    ingredients: named.length === active.length ? names : [],
    brands: named.length === active.length ? unique(named.flatMap(({ brands }) => brands)) : [],
    components: isEach ? each : undefined,
    strength: isWhole ? known.map(({ text }) => text).join(' / ') : undefined,
    refused: missing?.refused,
    amounts: isWhole ? known.map(({ strength }) => strength) : [],
    form: form.words,
    release: form.release,
    isCertain: missing === undefined,
  });
}

interface Names {
  readonly ingredients: readonly string[];
  readonly brands: readonly string[];
}

// Some charts have the whole product as an ingredient: "drospirenone-ethinyl estradiol (YAZ) tablet 3-0.02 mg".
function namesOf({ itemCodeableConcept, itemReference }: MedicationIngredient): Names | undefined {
  const display = itemCodeableConcept?.coding?.find((coding) => meaningful(coding.display) !== undefined)?.display;
  const words = meaningful(itemCodeableConcept?.text) ?? meaningful(display) ?? meaningful(itemReference?.display);
  return words === undefined ? undefined : readDrugName(words);
}

function formWords(
  form: CodeableConcept | undefined,
  formText: ((form: CodeableConcept) => string | undefined) | undefined,
): string | undefined {
  if (typeof form !== 'object' || form === null) return undefined;
  const display = form.coding?.find((coding) => meaningful(coding.display) !== undefined)?.display;
  return (
    (meaningful(form.text) ?? meaningful(display))?.replace(/ ?\((qualifier value|dose form)\)$/i, '') ??
    formText?.(form)
  );
}

function takeForm(text: string | undefined): { words: string | undefined; release: DrugReading['release'] } {
  const plain = spellOutForms((text ?? '').replace(/[\s,()/]+/g, ' ')).trim();
  const [said, hours] = /\b(12|24)[ -]?(?:hours?|hr)\b/i.exec(plain) ?? [];
  const { rest, releases, words } = takeRelease(plain.replace(said ?? '', ' '));
  const release = mergeReleases(releases, hours === undefined ? undefined : Number(hours));
  return {
    words: rest.length === 0 ? undefined : rest.join(' '),
    release:
      release === undefined
        ? undefined
        : { ...release, words: [hours === undefined ? undefined : `${hours} HR`, words[0]].filter(Boolean).join(' ') },
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

type Read = { readonly text: string; readonly strength: Strength } | { readonly refused: Refusal };

function strengthOf(ratio: Ratio | undefined, form: string | undefined): Read {
  const { numerator, denominator } = ratio ?? {};
  if (numerator?.value === undefined) return { refused: 'ingredient_without_strength' };
  if (numerator.comparator !== undefined || denominator?.comparator !== undefined) return { refused: 'only_a_bound' };
  if (numerator.value <= 0) return { refused: 'not_positive' };
  if (contradictsItself(numerator) || (denominator !== undefined && contradictsItself(denominator)))
    return { refused: 'unit_differs' };
  const value = Number(numerator.value.toPrecision(12));
  const unit = unitText(numerator);
  if (!/[\p{L}%]/u.test(unit)) return { refused: 'strength_without_unit' };
  if (/\/|\b(kg|m2)\b/i.test(unit)) return { refused: 'only_a_dose' };
  const per = denominator === undefined ? '' : unitText(denominator);
  const count = denominator?.value ?? 1;
  if (count <= 0 || (per === '' && count !== 1)) return { refused: 'strength_without_unit' };
  if (isTime(per) && !isGivenByTheHour(form)) return { refused: 'only_a_dose' };
  if (/^(kg|m2)$/i.test(per)) return { refused: 'only_a_dose' };
  const strength = { amount: amountOf(value, unit), per: per === '' ? undefined : amountOf(count, per) };
  return { text: textOf(`${value} ${unit}`, count, per), strength };
}

function contradictsItself({ unit, code }: Quantity): boolean {
  const [written, coded] = [unit, code].map((word) => unitOf(meaningful(word) ?? ''));
  return (
    written !== undefined && coded !== undefined && !(written.unit === coded.unit && written.factor === coded.factor)
  );
}

// A denominator such as "1 tablet" adds nothing to the dose form.
const perPiece = /^(1|\{?(tab|tablet|tbl|cap|capsule|each|ea|unit|dose|ortab|orcap|patch|supp)s?\}?)$/i;

function textOf(amount: string, count: number, per: string): string {
  if (per === '' || (count === 1 && (perPiece.test(per) || isForm(per)))) return amount;
  return count === 1 ? `${amount}/${per}` : `${amount}/${count} ${per}`;
}

function isForm(words: string): boolean {
  return words.split(' ').length > 1 && words.split(' ').every((word) => formWord(word) !== undefined);
}

function isTime(per: string): boolean {
  return unitOf(per)?.unit === 'hour' || /^(min|minute|minutes|s|sec|wk|week|weeks|mo|month|months)$/i.test(per);
}

function amountOf(value: number, word: string): Amount {
  const found = unitOf(word) ?? (isForm(word) ? { unit: 'piece', factor: 1 } : { unit: word.toLowerCase(), factor: 1 });
  return { value: value * found.factor, unit: found.unit, step: stepOf(String(value)) * found.factor };
}

// A code that is a known unit is used when the unit's text is not a known unit.
function unitText({ unit, code }: Quantity): string {
  const [written, coded] = [meaningful(unit), meaningful(code)];
  const isKnown = written !== undefined && (unitOf(written) !== undefined || perPiece.test(written) || isForm(written));
  return (isKnown || unitOf(coded ?? '') === undefined ? written : undefined) ?? coded ?? '';
}
