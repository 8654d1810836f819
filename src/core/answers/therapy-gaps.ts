import { cite } from '../evidence/cite.ts';
import { evidenceDay } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';
import { coveredBy, type Span } from './days-covered.ts';
import { fillsOf, statedSpan } from './history.ts';

export interface Gap {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

export function gapsIn(spans: readonly Span[], longestGap: number): Gap[] {
  return spans.slice(1).flatMap(({ from }, index) => {
    const before = spans[index]?.to ?? from;
    const days = daysBetween(before, from) - 1;
    return days > longestGap ? [{ from: dayAfter(before, 1), to: dayAfter(from, -1), days }] : [];
  });
}

/** The gap from the last day of supply until today, if a fill today would start another trial. */
export function openGap(last: string | undefined, today: string, longestGap: number): Gap[] {
  const days = last === undefined ? 0 : daysBetween(last, today);
  return last === undefined || days - 1 <= longestGap ? [] : [{ from: dayAfter(last, 1), to: today, days }];
}

/** The gap with references to the entries before and after it. Each is a fill, a dose or a statement. */
export function citedGap({ from, to, days }: Gap, taken: readonly TherapyEntry[], today: string) {
  const before = lastUntil(dayAfter(from, -1), taken, today);
  const beginning = taken.filter((entry) => dayOf(entry) === dayAfter(to, 1));
  const after = beginning.find(isFill) ?? beginning[0];
  const bounds = [before, after].flatMap((entry) => entry ?? []);
  const sinceEnd = <Value extends string | number>(value: Value) =>
    before === undefined ? value : cite(before.located, value, endPaths[before.kind]);
  return {
    from: sinceEnd(from),
    to: after === undefined ? sinceEnd(to) : cite(after.located, to),
    days: sinceEnd(days),
    sources: bounds.map(({ located }) => cite(located, located.reference)),
  };
}

const endPaths: Readonly<Record<TherapyEntry['kind'], string | undefined>> = {
  dispense: 'daysSupply',
  statement: 'effectivePeriod.end',
  administration: undefined,
  order: undefined,
};

// The last fill if its supply ends on that day, or else a statement that ends on that day, or else the last dose.
function lastUntil(day: string, taken: readonly TherapyEntry[], today: string): TherapyEntry | undefined {
  const until = taken.filter((entry) => (dayOf(entry) ?? '9') <= day);
  const supplied = coveredBy(fillsOf(until)).at(-1)?.to;
  if (supplied === day) return until.findLast(isFill);
  const statement = until.findLast((entry) => statedSpan(entry, today).some(({ to }) => to === day));
  return statement ?? until.findLast(({ kind }) => kind === 'administration') ?? until.findLast(isFill);
}

function isFill(entry: TherapyEntry): boolean {
  return fillsOf([entry]).length > 0;
}

function dayOf({ handedOver, start }: TherapyEntry): string | undefined {
  return evidenceDay(handedOver ?? start);
}
