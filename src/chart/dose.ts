import type { CodeableConcept, Dosage, MedicationRequest, Quantity, Timing } from 'fhir/r4.js';
import { meaningful } from '../fhir/placeholder.ts';
import { parseRxNormName } from '../fhir/rxnorm-name.ts';
import type { Node } from '../mapping/input.ts';
import type { Gap } from '../mapping/result.ts';
import { type Decision, emptyRoot, type Located, look, nodeAt, rootOf, type Scene } from './scene.ts';

interface Instruction {
  readonly dosage: Dosage;
  readonly index: number;
  readonly text: string | undefined;
  /** The element the text was read from. */
  readonly element: 'patientInstruction' | 'text' | undefined;
}

/** The instructions of the order, their directions as one text, and how long the quantity lasts when that is certain. */
export function chooseDose(scene: Scene, drug: CodeableConcept | undefined): Decision {
  const { order } = scene;
  const instructions = instructionsOf(order.resource);
  const sig = sigOf(order, instructions);
  const regimen = regimenOf(order.resource, instructions, drug);
  return {
    roots: {
      dose: rootOf(instructions.map(({ dosage, index }) => nodeAt(order, dosage, `dosageInstruction[${index}]`))),
      sig,
      regimen:
        typeof regimen === 'string'
          ? emptyRoot(
              look(
                '%regimen',
                [
                  ['dosageInstruction', instructions.length],
                  ['a regular dose in the unit of the quantity', 0],
                ],
                regimen,
              ),
            )
          : rootOf([nodeAt(order, regimen.days, 'dosageInstruction[0]')], { note: regimen.note }),
    },
    questions: [...routesDiffer(instructions), ...supplyDiffers(order.resource, typeof regimen === 'string' ? undefined : regimen.days)],
  };
}

// Epic repeats an entry; a loading and a maintenance dose differ and are both kept.
function instructionsOf(order: MedicationRequest): Instruction[] {
  const all = (order.dosageInstruction ?? []).map((dosage, index): Instruction => {
    const clean = meaningful(dosage.patientInstruction);
    const text = clean ?? meaningful(dosage.text);
    return { dosage, index, text, element: clean !== undefined ? 'patientInstruction' : text === undefined ? undefined : 'text' };
  });
  const ordered = all.sort((left, right) => (left.dosage.sequence ?? left.index + 1) - (right.dosage.sequence ?? right.index + 1) || left.index - right.index);
  return ordered.length < 2 ? ordered : ordered.filter((one, position) => ordered.findIndex((other) => sameInstruction(other, one)) === position);
}

function sameInstruction(left: Instruction, right: Instruction): boolean {
  const bare = ({ dosage }: Instruction) => JSON.stringify({ ...dosage, sequence: undefined, id: undefined });
  return bare(left) === bare(right);
}

function sigOf(order: Located<MedicationRequest>, instructions: readonly Instruction[]): ReturnType<typeof rootOf> {
  const silent = instructions.filter(({ text }) => text === undefined).length;
  if (instructions.length === 0 || silent === instructions.length)
    return emptyRoot(
      look('%order.dosageInstruction', [
        ['dosageInstruction', instructions.length],
        ['patientInstruction or text, no placeholder', 0],
      ]),
    );
  if (silent > 0)
    return emptyRoot(
      look(
        '%order.dosageInstruction',
        [
          ['dosageInstruction', instructions.length],
          ['patientInstruction or text, no placeholder', instructions.length - silent],
        ],
        'one of the instructions has no text',
      ),
    );
  const [only] = instructions;
  if (only !== undefined && instructions.length === 1) return rootOf([textNode(order, only)]);
  const texts = [...new Set(instructions.map(({ text }) => text ?? ''))];
  return rootOf([nodeAt(order, { text: joined(texts) }, 'dosageInstruction')], { note: `${instructions.length} instructions, in the order of their sequence` });
}

// The text keeps the address of the element it was read from.
function textNode(order: Located<MedicationRequest>, { index, text, element }: Instruction): Node {
  return nodeAt(order, { [element ?? 'text']: text }, `dosageInstruction[${index}]`);
}

function joined(texts: readonly string[]): string {
  return texts.reduce((whole, text) => `${whole}${/[.;!]$/.test(whole) ? '' : ';'} ${text}`);
}

// Service and form hold one route; mixed routes in one order are asked.
function routesDiffer(instructions: readonly Instruction[]): Gap[] {
  const routes = new Map(
    instructions.flatMap(({ dosage }) =>
      dosage.route === undefined ? [] : [[JSON.stringify(dosage.route.coding?.map((coding) => coding.code) ?? dosage.route.text), dosage.route] as const],
    ),
  );
  if (routes.size < 2) return [];
  const options = [...routes.values()].map((route) => ({ value: route.text ?? route.coding?.[0]?.display ?? '', label: route.text ?? route.coding?.[0]?.display ?? '' }));
  return [
    { target: 'prescription.route_of_administration', severity: 'blocks', reason: 'choice', message: 'The order has instructions with different routes.', looks: [], options },
  ];
}

// Both are sent as they stand; that they do not fit is told.
function supplyDiffers({ dispenseRequest }: MedicationRequest, days: number | undefined): Gap[] {
  const stated = dispenseRequest?.expectedSupplyDuration;
  const inDays = stated?.value === undefined || !/^(d|days?)$/i.test(stated.code ?? stated.unit ?? '') ? undefined : stated.value;
  if (days === undefined || inDays === undefined || days === inDays) return [];
  return [
    {
      target: 'prescription.days_supply',
      severity: 'warns',
      reason: 'advice',
      message: `The stated supply of ${inDays} days does not fit the quantity and the dose, which last ${days}.`,
      looks: [],
    },
  ];
}

/** Days that the quantity lasts and how that was found, or why it is not certain. */
function regimenOf(order: MedicationRequest, instructions: readonly Instruction[], drug: CodeableConcept | undefined): { readonly days: number; readonly note: string } | string {
  const [only] = instructions;
  const quantity = order.dispenseRequest?.quantity;
  if (only === undefined || instructions.length > 1) return instructions.length === 0 ? 'the order has no dose' : 'several instructions';
  if (quantity?.value === undefined || quantity.comparator !== undefined) return 'the order states no quantity';
  const perDay = timesPerDay(only.dosage);
  if (typeof perDay === 'string') return perDay;
  const units = unitsPerDose(only.dosage, quantity, drug);
  if (typeof units === 'string') return units;
  // Whole numbers only: times and days as integers, so that 28 pens at one in 7 days are 196 days and not 195.99.
  const days = (quantity.value * perDay.days) / (units * perDay.times);
  if (!Number.isInteger(days) || days < 1 || days > 366) return 'the quantity is not a whole number of days';
  return { days, note: `${quantity.value} at ${units} × ${perDay.times} in ${perDay.days} ${perDay.days === 1 ? 'day' : 'days'}` };
}

// HL7 v3 GTSAbbreviation; what a code says about the hour is not needed here.
const daily: Readonly<Record<string, number>> = { QD: 1, BID: 2, TID: 3, QID: 4, AM: 1, PM: 1, BED: 1 };
const daysIn: Readonly<Record<string, number>> = { d: 1, wk: 7 };

function timesPerDay(dosage: Dosage): { readonly times: number; readonly days: number } | string {
  if (dosage.asNeededBoolean === true || dosage.asNeededCodeableConcept !== undefined) return 'the drug is taken as needed';
  const repeat = dosage.timing?.repeat;
  const code = dosage.timing?.code?.coding?.find((coding) => daily[coding.code ?? ''] !== undefined)?.code;
  if (repeat?.period === undefined && repeat?.frequency === undefined) return code === undefined ? 'no regular timing' : { times: daily[code] ?? 1, days: 1 };
  if (repeat.period === undefined || isOpen(repeat)) return 'the timing is a range, has an end or names days';
  const days = daysIn[repeat.periodUnit ?? ''];
  if (days === undefined) return 'the timing is not by day or week';
  return { times: repeat.frequency ?? 1, days: days * repeat.period };
}

function isOpen(repeat: NonNullable<Timing['repeat']>): boolean {
  const { frequencyMax, periodMax, count, countMax, boundsDuration, boundsPeriod, boundsRange, dayOfWeek } = repeat;
  return [frequencyMax, periodMax, count, countMax, boundsDuration, boundsRange, boundsPeriod?.end, dayOfWeek].some((part) => part !== undefined);
}

// A dose in tablets against tablets, or milligrams against tablets of one ingredient whose strength the RxNorm name states.
function unitsPerDose(dosage: Dosage, quantity: Quantity, drug: CodeableConcept | undefined): number | string {
  const entries = dosage.doseAndRate ?? [];
  const ordered = entries.length === 1 ? entries : entries.filter((entry) => entry.type?.coding?.some((coding) => coding.code === 'ordered'));
  const dose = ordered.length === 1 ? ordered[0]?.doseQuantity : undefined;
  if (dose?.value === undefined || dose.value <= 0) return 'no single ordered dose';
  if (sameUnit(dose, quantity)) return dose.value;
  const strength = solidStrength(drug);
  if (strength === undefined || !isSolid(quantity) || unitOf(dose) !== strength.unit) return 'dose and quantity are in different units';
  const units = dose.value / strength.value;
  return Number.isInteger(units) ? units : 'the dose is not a whole number of tablets or capsules';
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

function solidStrength(drug: CodeableConcept | undefined): { readonly value: number; readonly unit: string } | undefined {
  const names = [...(drug?.coding ?? []).map((coding) => coding.display), drug?.text].flatMap((text) => (text === undefined ? [] : (parseRxNormName(text) ?? [])));
  const strengths = new Map(
    names
      .filter((name) => name.kind === 'drug' && name.ingredients.length === 1 && /\b(Tablet|Capsule)$/i.test(name.doseForm ?? ''))
      .map((name) => [JSON.stringify(name.ingredients[0]?.strength), name.ingredients[0]?.strength]),
  );
  const [strength] = strengths.values();
  if (strength === undefined || strengths.size !== 1 || !/^(MG|MCG|G)$/.test(strength.unit)) return undefined;
  return { value: Number(strength.value), unit: strength.unit.toLowerCase() };
}
