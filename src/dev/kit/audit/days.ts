import { isObject } from '../../../core/fhir/is-object.ts';
import { amountsIn } from './amounts.ts';
import { textsIn } from './compare-texts.ts';
import { at } from './read-cited.ts';

/** Whole days of a FHIR Duration in days or weeks; undefined for any other. */
export function auditDaysOfDuration(duration: unknown): number | undefined {
  const value = at(duration, 'value');
  const unit = [at(duration, 'code'), at(duration, 'unit')].find((text) => typeof text === 'string');
  if (typeof value !== 'number' || typeof unit !== 'string' || at(duration, 'comparator') !== undefined)
    return undefined;
  if (/^(d|days?)$/i.test(unit)) return value;
  return /^(wk|weeks?)$/i.test(unit) ? value * 7 : undefined;
}

/**
 * Whether the ordered quantity lasts this many days at the order's single dose. The timing must be a number of times in
 * a number of days or weeks, without bounds, ranges, days of the week, several hours or "as needed". A course of
 * exactly this many days is not taken for a bound.
 */
export function lastsDays(days: number, order: object, drugTexts: readonly string[]): boolean {
  const dosages = listAt(order, 'dosageInstruction');
  const [dosage] = dosages;
  const rate = ratePerDay(dosage);
  const dose = doseOf(dosage);
  const supply = suppliesOf(order).find((one) => typeof at(one, 'value') === 'number');
  if (dosages.length === 0 || rate === undefined || dose === undefined || supply === undefined) return false;
  if (contradicts(directionsOf(dosage), rate, dose)) return false;
  const course = at(at(at(dosage, 'timing'), 'repeat'), 'boundsDuration');
  if (course !== undefined && auditDaysOfDuration(course) !== days) return false;
  const quantity = Number(at(supply, 'value'));
  return piecesOfDose(dose, supply, drugTexts).some((pieces) => isSame(quantity / (pieces * rate), days));
}

function directionsOf(dosage: unknown): string {
  return textsIn([at(dosage, 'patientInstruction'), at(dosage, 'text')].filter((text) => text !== undefined)).join(
    '; ',
  );
}

const changing = /\b(as needed|if needed|when needed|prn|taper|titrate|loading|then|thereafter)\b/i;
const range = /\b\d+ ?(?:to|or|-) ?\d+ (?:tab|cap|puff|unit|time)/i;

// The text of a dosage may say more than its structured timing. Then the timing is incomplete.
function contradicts(text: string, rate: number, dose: unknown): boolean {
  if (changing.test(text) || range.test(text)) return true;
  const said = rateInText(text);
  if (said !== undefined && !isSame(said, rate)) return true;
  const pieces = /\b(\d+(?:\.\d+)?) (?:tablet|capsule)s?\b/i.exec(text)?.[1];
  const isCounted = ['tablet', 'capsule'].includes(unitOf(dose));
  return isCounted && pieces !== undefined && Number(pieces) !== at(dose, 'value');
}

const words: Readonly<Record<string, number>> = { once: 1, one: 1, twice: 2, two: 2, three: 3, four: 4 };

function rateInText(text: string): number | undefined {
  const times = /\b(once|twice|(?:\d+|one|two|three|four) times?) (?:daily|a day|per day|each day)\b/i
    .exec(text)?.[1]
    ?.toLowerCase();
  if (times !== undefined) {
    const [count = ''] = times.split(' ');
    return words[count] ?? Number(count);
  }
  const hours = /\bevery (\d+) hours?\b/i.exec(text)?.[1];
  return hours === undefined ? undefined : 24 / Number(hours);
}

function suppliesOf(order: object): unknown[] {
  const request = at(order, 'dispenseRequest');
  return [at(request, 'quantity'), at(at(request, 'initialFill'), 'quantity')].filter(
    (quantity) => at(quantity, 'comparator') === undefined,
  );
}

const understood = new Set([
  'frequency',
  'period',
  'periodUnit',
  'when',
  'timeOfDay',
  'boundsPeriod',
  'boundsDuration',
]);
const bounding = ['boundsPeriod', 'boundsDuration'];
const codes: Readonly<Record<string, number>> = {
  QD: 1,
  BID: 2,
  TID: 3,
  QID: 4,
  AM: 1,
  PM: 1,
  BED: 1,
  QOD: 1 / 2,
  WK: 1 / 7,
  Q4H: 6,
  Q6H: 4,
  Q8H: 3,
};
const unitDays: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, wk: 7 };

// If both `repeat` and `code` state a rate, they must agree.
function ratePerDay(dosage: unknown): number | undefined {
  if (isObject(dosage) && Object.keys(dosage).some((key) => key.startsWith('asNeeded') && dosage[key] !== false))
    return undefined;
  const timing = at(dosage, 'timing');
  const said = [rateOfRepeat(at(timing, 'repeat')), rateOfCode(at(timing, 'code'))].filter((one) => one !== 'silent');
  const [first] = said;
  return typeof first === 'number' && said.every((one) => one === first) ? first : undefined;
}

function rateOfRepeat(repeat: unknown): number | 'silent' | undefined {
  if (!isObject(repeat) || Object.keys(repeat).every((key) => bounding.includes(key) && !hasEnd(repeat)))
    return 'silent';
  if (Object.keys(repeat).some((key) => !understood.has(key))) return undefined;
  if (hasEnd(repeat)) return undefined;
  // FHIR R4: without a frequency, once per period
  const { frequency = 1, period = 1 } = repeat;
  const days = unitDays[String(repeat.periodUnit ?? 'd')];
  if (typeof frequency !== 'number' || typeof period !== 'number' || days === undefined) return undefined;
  const times = Math.max(listAt(repeat, 'when').length, listAt(repeat, 'timeOfDay').length);
  const perPeriod = times > 1 ? times : frequency;
  if (times > 1 && repeat.frequency !== undefined && frequency !== 1 && frequency !== times) return undefined;
  return perPeriod / (period * days);
}

function hasEnd(repeat: object): boolean {
  return at(at(repeat, 'boundsPeriod'), 'end') !== undefined;
}

function rateOfCode(code: unknown): number | 'silent' | undefined {
  const rates = listAt(code, 'coding').flatMap((coding) => {
    const known = codes[String(at(coding, 'code'))];
    return known === undefined ? [] : [known];
  });
  if (new Set(rates).size > 1) return undefined;
  return rates[0] ?? 'silent';
}

function doseOf(dosage: unknown): unknown {
  const all = listAt(dosage, 'doseAndRate');
  const ordered = all.filter((one) =>
    listAt(at(one, 'type'), 'coding').some((coding) => at(coding, 'code') === 'ordered'),
  );
  const chosen = all.length === 1 ? all : ordered;
  return chosen.length === 1 ? at(chosen[0], 'doseQuantity') : undefined;
}

// A dose in milligrams is converted to tablets by the strength in the drug's texts.
function piecesOfDose(dose: unknown, supply: unknown, drugTexts: readonly string[]): number[] {
  const value = at(dose, 'value');
  if (typeof value !== 'number' || value <= 0 || at(dose, 'comparator') !== undefined) return [];
  if (unitOf(dose) !== '' && unitOf(dose) === unitOf(supply))
    return [value, ...containersOfDose(value, dose, supply, drugTexts)];
  const amount = amountsIn(dose)[0];
  if (amount?.unit !== 'mg') return containersOfDose(value, dose, supply, drugTexts);
  return drugTexts
    .flatMap((text) => amountsIn(text))
    .filter(({ unit, per }) => unit === 'mg' && (per === undefined || per.unit === 'ml'))
    .flatMap(({ value: strength, per }) => {
      if (per === undefined) return [amount.value / strength];
      const milliliters = { value: (amount.value / strength) * per.value, unit: 'ml' };
      const poured = unitOf(supply) === 'ml' ? [milliliters.value] : [];
      return [...poured, ...containersOfDose(milliliters.value, milliliters, supply, drugTexts)];
    });
}

// A dose from a syringe or an ampule empties it. So it counts as the whole volume that the drug's texts state for one
// syringe or ampule.
function containersOfDose(value: number, dose: unknown, supply: unknown, drugTexts: readonly string[]): number[] {
  const volumes = drugTexts
    .flatMap((text) => amountsIn(text))
    .flatMap(({ value: amount, unit, per }) => (unit === 'ml' ? [amount] : per?.unit === 'ml' ? [per.value] : []));
  const [isDoseVolume, isSupplyVolume] = [dose, supply].map((one) => unitOf(one) === 'ml');
  return volumes.map((holds) => {
    const count = isDoseVolume ? Math.ceil(value / holds - 0.000001) : value;
    return isSupplyVolume ? count * holds : count;
  });
}

// Code and unit may each name the piece. Unknown names are ignored; two different pieces yield an empty text.
function unitOf(quantity: unknown): string {
  const texts = [at(quantity, 'code'), at(quantity, 'unit')].filter((text) => typeof text === 'string');
  const pieces = new Set(texts.flatMap(pieceOf));
  if (pieces.size > 0) return pieces.size === 1 ? ([...pieces][0] ?? '') : '';
  return (texts[0] ?? '').toLowerCase().replace(/[{}]/g, '');
}

function pieceOf(text: string): string[] {
  const bare = text.toLowerCase().replace(/[{}]/g, '');
  if (/^(or)?(tab|tablet|tbl)s?$/.test(bare)) return ['tablet'];
  return /^(or)?(cap|capsule)s?$/.test(bare) ? ['capsule'] : [];
}

function listAt(holder: unknown, key: string): unknown[] {
  const value = at(holder, key);
  return Array.isArray(value) ? value : [];
}

function isSame(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.000001 * Math.max(1, right);
}
