import type { CodeableConcept, Dosage, MedicationRequest, Quantity, Timing } from 'fhir/r4.js';
import { readRxNormName } from '../fhir/drug/rxnorm-name.ts';
import type { Gap } from '../mapping/result.ts';

/** One dosage of the order and what it tells the patient. */
export interface Instruction {
  readonly dosage: Dosage;
  readonly index: number;
  readonly text: string | undefined;
  /** The element the text was read from. */
  readonly element: 'patientInstruction' | 'text' | undefined;
}

/** Days that the quantity lasts and how that was found, or why it is not certain. */
export function regimenOf(
  order: MedicationRequest,
  instructions: readonly Instruction[],
  drug: CodeableConcept | undefined,
): { readonly days: number; readonly note: string } | string {
  const [only] = instructions;
  const quantity = order.dispenseRequest?.quantity;
  if (only === undefined || instructions.length > 1)
    return instructions.length === 0 ? 'the order has no dose' : 'several instructions';
  if (quantity?.value === undefined || quantity.comparator !== undefined) return 'the order states no quantity';
  const perDay = timesPerDay(only.dosage);
  if (typeof perDay === 'string') return perDay;
  if ([only.dosage.text, only.dosage.patientInstruction].some((text) => changing.test(text ?? '')))
    return 'the directions tell of a dose that changes';
  const units = unitsPerDose(only.dosage, quantity, drug);
  if (typeof units === 'string') return units;
  // Whole numbers only: times and days as integers, so that 28 pens at one in 7 days are 196 days and not 195.99.
  const days = (quantity.value * perDay.days) / (units * perDay.times);
  if (!Number.isInteger(days) || days < 1 || days > 366) return 'the quantity is not a whole number of days';
  return {
    days,
    note: `${quantity.value} at ${units} × ${perDay.times} in ${perDay.days} ${perDay.days === 1 ? 'day' : 'days'}`,
  };
}

// One structured timing may stand beside a text with two doses: the timing is then only half of it.
const changing =
  /\b(loading|starter|titrat\w*|taper\w*|then|thereafter|followed by|(induction|maintenance) dose|(increase|decrease|reduce)\w* (the )?(dose|by|to))\b|\b(weeks?|days?) 0\b/i;

// HL7 v3 GTSAbbreviation; what a code says about the hour is not needed here.
const daily: Readonly<Record<string, number>> = { QD: 1, BID: 2, TID: 3, QID: 4, AM: 1, PM: 1, BED: 1 };
const daysIn: Readonly<Record<string, number>> = { d: 1, wk: 7 };

function timesPerDay(dosage: Dosage): { readonly times: number; readonly days: number } | string {
  if (dosage.asNeededBoolean === true || dosage.asNeededCodeableConcept !== undefined)
    return 'the drug is taken as needed';
  const repeat = dosage.timing?.repeat;
  const code = dosage.timing?.code?.coding?.find((coding) => daily[coding.code ?? ''] !== undefined)?.code;
  if (repeat?.period === undefined && repeat?.frequency === undefined)
    return code === undefined ? 'no regular timing' : { times: daily[code] ?? 1, days: 1 };
  if (repeat.period === undefined || isOpen(repeat)) return 'the timing is a range, has an end or names days';
  const days = daysIn[repeat.periodUnit ?? ''];
  if (days === undefined) return 'the timing is not by day or week';
  return { times: repeat.frequency ?? 1, days: days * repeat.period };
}

function isOpen(repeat: NonNullable<Timing['repeat']>): boolean {
  const { frequencyMax, periodMax, count, countMax, boundsDuration, boundsPeriod, boundsRange, dayOfWeek } = repeat;
  return [frequencyMax, periodMax, count, countMax, boundsDuration, boundsRange, boundsPeriod?.end, dayOfWeek].some(
    (part) => part !== undefined,
  );
}

// A dose in tablets against tablets, or milligrams against tablets of one ingredient whose strength the RxNorm name states.
function unitsPerDose(dosage: Dosage, quantity: Quantity, drug: CodeableConcept | undefined): number | string {
  const dose = orderedDose(dosage);
  if (dose?.value === undefined || dose.value <= 0) return 'no single ordered dose';
  if (sameUnit(dose, quantity)) return dose.value;
  const strength = solidStrength(drug);
  if (strength === undefined || !isSolid(quantity) || unitOf(dose) !== strength.unit)
    return 'dose and quantity are in different units';
  const units = dose.value / strength.value;
  return Number.isInteger(units) ? units : 'the dose is not a whole number of tablets or capsules';
}

// Epic states three: calculated, admin-amount and ordered.
function orderedDose(dosage: Dosage): Quantity | undefined {
  const entries = dosage.doseAndRate ?? [];
  const ordered =
    entries.length === 1
      ? entries
      : entries.filter((entry) => entry.type?.coding?.some((coding) => coding.code === 'ordered'));
  return ordered.length === 1 ? ordered[0]?.doseQuantity : undefined;
}

function unitOf(quantity: Quantity): string {
  return (quantity.code ?? quantity.unit ?? '')
    .toLowerCase()
    .replace(/[{}]/g, '')
    .replace(/^(tab|tablet|tbl)s?$/, 'tab')
    .replace(/^(cap|capsule)s?$/, 'cap');
}

function sameUnit(left: Quantity, right: Quantity): boolean {
  const unit = unitOf(left);
  return unit !== '' && unit === unitOf(right) && unit !== 'each' && unit !== '1';
}

function isSolid(quantity: Quantity): boolean {
  return ['tab', 'cap', 'ortab', 'orcap'].includes(unitOf(quantity));
}

function solidStrength(
  drug: CodeableConcept | undefined,
): { readonly value: number; readonly unit: string } | undefined {
  const readings = [...(drug?.coding ?? []).map((coding) => coding.display), drug?.text].flatMap((text) =>
    text === undefined ? [] : (readRxNormName(text) ?? []),
  );
  const strengths = new Map(
    readings
      .filter(({ amounts, form }) => amounts.length === 1 && /\b(Tablet|Capsule)$/i.test(form ?? ''))
      .map(({ amounts }) => [JSON.stringify(amounts[0]), amounts[0]]),
  );
  const [strength] = strengths.values();
  if (strength === undefined || strengths.size !== 1 || strength.per !== undefined || strength.amount.unit !== 'mg')
    return undefined;
  return { value: strength.amount.value, unit: 'mg' };
}

const mostPieces = 12;

/** What does not fit together in dose, quantity and supply. All of it is sent as it stands; that it is odd is told. */
export function oddities(
  order: MedicationRequest,
  instructions: readonly Instruction[],
  drug: CodeableConcept | undefined,
): Gap[] {
  const regimen = regimenOf(order, instructions, drug);
  const stated = statedDays(order);
  const odd: Gap[] = [];
  const say = (target: string, message: string) =>
    odd.push({ target, severity: 'warns', reason: 'advice', message, looks: [] });
  if (typeof regimen !== 'string' && stated !== undefined && stated !== regimen.days)
    say(
      'prescription.days_supply',
      `The stated supply of ${stated} days does not fit the quantity and the dose, which last ${regimen.days}.`,
    );
  const quantity = order.dispenseRequest?.quantity;
  const doses = instructions.flatMap(({ dosage }) => orderedDose(dosage) ?? []);
  if (
    quantity !== undefined &&
    doses.some((dose) => (isSolid(quantity) ? isLiquid(dose) : isLiquid(quantity) && isSolid(dose)))
  )
    say('prescription.quantity', 'Dose and quantity are in units that do not fit each other.');
  const pieces =
    quantity === undefined || !isSolid(quantity)
      ? []
      : instructions.map(({ dosage }) => unitsPerDose(dosage, quantity, drug));
  if (pieces.some((count) => typeof count === 'number' && count > mostPieces))
    say('prescription.directions', 'One dose is more than twelve tablets or capsules.');
  return odd;
}

function statedDays({ dispenseRequest }: MedicationRequest): number | undefined {
  const { value, code, unit } = dispenseRequest?.expectedSupplyDuration ?? {};
  const written = code ?? unit ?? '';
  const factor = /^(d|days?)$/i.test(written) ? 1 : /^(wk|weeks?)$/i.test(written) ? 7 : undefined;
  return value === undefined || factor === undefined ? undefined : value * factor;
}

function isLiquid(quantity: Quantity): boolean {
  return ['ml', 'l'].includes(unitOf(quantity));
}
