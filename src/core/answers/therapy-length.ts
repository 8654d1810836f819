import type { Dosage, Duration } from 'fhir/r4.js';
import { cite, nodeOf } from '../evidence/cite.ts';
import { quantityText } from '../evidence/quantity-text.ts';
import { daysBetween } from '../fhir/time/calendar-days.ts';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Around } from './around.ts';

/**
 * How long an order of several doses lasts, from the first start to the last end, in one node. No node if a dose has no
 * end, or if it is unknown which dose follows which.
 */
export function lengthAround({ chart: { order } }: Around, facts: Facts): Node[] {
  const doses = facts.root('dose').nodes.map(({ value }) => value as Dosage);
  const length = doses.length < 2 ? undefined : (lengthOfDates(doses) ?? lengthOfStages(doses));
  return length === undefined ? [] : [nodeOf({ length: cite(order, length, 'dosageInstruction') }, order)];
}

function lengthOfDates(doses: readonly Dosage[]): string | undefined {
  const periods = doses.map(({ timing }) => timing?.repeat?.boundsPeriod);
  const starts = periods.flatMap((period) => wholeDate(period?.start) ?? []).sort();
  const ends = periods.flatMap((period) => wholeDate(period?.end) ?? []).sort();
  const [first, last] = [starts[0], ends.at(-1)];
  const isWhole = starts.length === doses.length && ends.length === doses.length;
  if (!isWhole || first === undefined || last === undefined || last < first) return undefined;
  return dayCount(daysBetween(first, last) + 1);
}

/** The sum of the stages. A stage lasts as long as its longest dose. */
function lengthOfStages(doses: readonly Dosage[]): string | undefined {
  const stages = stagesOf(doses)?.map((stage) => stage.map(({ timing }) => timing?.repeat?.boundsDuration));
  const all = stages?.flat() ?? [];
  const [one] = all.toSorted((left, right) => (right?.value ?? 0) - (left?.value ?? 0));
  if (stages === undefined || one === undefined || !all.every(isLength)) return undefined;
  const isOneUnit = all.every((other) => unitOf(other) === unitOf(one));
  const sum = sumOf(stages, isOneUnit ? (length) => length?.value : inDays);
  if (sum === undefined) return undefined;
  return isOneUnit ? quantityText({ ...one, value: sum }) : dayCount(sum);
}

/**
 * Doses with the same `sequence` are taken at the same time, the others one after another (FHIR R4, Dosage). Without
 * `sequence`, the text must say so: "Then take 1 tablet".
 */
function stagesOf(doses: readonly Dosage[]): readonly (readonly Dosage[])[] | undefined {
  if (doses.every(({ sequence }) => sequence !== undefined))
    return [...Map.groupBy(doses, ({ sequence }) => sequence).values()];
  const isInTurn = doses
    .slice(1)
    .every(({ text = '', sequence }) => sequence === undefined && /^\W*then\b/i.test(text));
  return isInTurn ? doses.map((dose) => [dose]) : undefined;
}

function sumOf(
  stages: readonly (readonly (Duration | undefined)[])[],
  amountOf: (length: Duration | undefined) => number | undefined,
): number | undefined {
  const longest = stages.map((stage) => Math.max(...stage.map((length) => amountOf(length) ?? Number.NaN)));
  const sum = longest.reduce((whole, length) => whole + length, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

function isLength(length: Duration | undefined): boolean {
  return length?.value !== undefined && length.comparator === undefined && unitOf(length) !== undefined;
}

function unitOf({ code, unit }: Duration = {}): string | undefined {
  return code ?? unit?.toLowerCase();
}

// Months are left out because they have no fixed number of days.
const daysOf: Readonly<Record<string, number>> = { d: 1, wk: 7 };

function inDays(length: Duration | undefined): number | undefined {
  const days = daysOf[length?.code ?? ''];
  return days === undefined || length?.value === undefined ? undefined : length.value * days;
}

function dayCount(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
