import { isObject } from '../../../core/fhir/is-object.ts';
import { parseTarget, valueAt } from '../../../core/mapping/target.ts';
import { comparedWords, textsIn } from './compare-texts.ts';
import { type AuditPlace, derivationOf } from './derivations.ts';
import { at, type CitedEntry, nameOf, resourcesNamed } from './read-cited.ts';

/** The cited place of a value, and the data needed to compute the value again. */
export interface AnswerPlace extends AuditPlace {
  /** Example: `trials[2].days_covered`. */
  readonly target: string;
  /** The whole sheet. */
  readonly body: unknown;
  readonly entries: readonly CitedEntry[];
  /** The day in the site's time zone. */
  readonly day: string;
}

/**
 * Whether a value of the answers sheet follows from its cited place. A stated value may contain only words and numbers
 * of the cited element. A count is computed again, day by day, from the resources that its row cites. Kinds
 * (`relation`, `proof`, `outcome`) and the bridge's own sentences are not checked here.
 */
export function answerFollows(value: unknown, place: AnswerPlace): boolean {
  const field = place.target.replace(/\[\d+\]/g, '[]');
  const [, follows] = derivations.find(([fields]) => fields.test(field)) ?? [];
  return (follows ?? isStated)(value, place);
}

type Follows = (value: unknown, place: AnswerPlace) => boolean;

const isStated: Follows = (value, { items }) => {
  const known = new Set([...items.flatMap((item) => comparedWords(JSON.stringify(item) ?? '')), ...ofRanges]);
  return [value]
    .flatMap((one) => (typeof one === 'string' ? comparedWords(one) : comparedWords(String(one))))
    .every((word) => known.has(word));
};

/** Words of a range, as in `4 % to 5.6 %` or `up to 5`. */
const ofRanges = ['from', 'to', 'up'];

const isNumber: Follows = (value, { items }) => items.some((item) => numbersIn(item).includes(Number(value)));

function numbersIn(item: unknown): number[] {
  if (typeof item === 'number') return [item];
  return isObject(item) || Array.isArray(item) ? Object.values(item).flatMap(numbersIn) : [];
}

const isName: Follows = (value, { resource }) => value === nameOf(resource);
const isOurs: Follows = (value) => typeof value === 'string' && value !== '';

const isSameAs =
  (field: string): Follows =>
  (value, place) =>
    derivationOf(field)(value, place);

const isAge: Follows = (value, { items, day, target }) =>
  items.some((item) => {
    const months = monthsBetween(String(item), day);
    return value === (target.endsWith('months') ? months : Math.floor(months / 12));
  });

function monthsBetween(from: string, to: string): number {
  const [years, months, days] = [0, 1, 2].map((at) => Number(to.split('-')[at]) - Number(from.split('-')[at]));
  return (years ?? 0) * 12 + (months ?? 0) - ((days ?? 0) < 0 ? 1 : 0);
}

const isDaysOld: Follows = (value, { resource, day }) =>
  textsIn(resource).some((text) => isDay(text) && Math.max(0, dayNumber(day) - dayNumber(text)) === value);

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text);
}

function dayNumber(text: string): number {
  return Math.round(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000);
}

// ---------------------------------------------------------------- counted again

/**
 * Returns the numbers of the days covered by a row's fills. Each day of supply covers the next day that is still
 * uncovered.
 */
function filledDays(fills: unknown): Set<number> {
  const rows = (Array.isArray(fills) ? fills : []).map((fill) => ({
    day: dayNumber(String(at(fill, 'day'))),
    days: Number(at(fill, 'days')),
    product: String(at(fill, 'product')),
  }));
  const all = new Set<number>();
  for (const product of new Set(rows.map(strengthOf))) {
    const taken = new Set<number>();
    const mine = rows.filter((row) => strengthOf(row) === product);
    const once = new Map(mine.map((row) => [`${row.day} ${row.days}`, row]));
    for (const { day, days } of [...once.values()].sort((one, other) => one.day - other.day))
      for (let at = day, left = days; left > 0; at += 1)
        if (!taken.has(at)) {
          taken.add(at);
          left -= 1;
        }
    for (const one of taken) all.add(one);
  }
  return all;
}

// Returns the numbers and the form in a name, without text in brackets, which is a brand.
function strengthOf({ product }: { readonly product: string }): string {
  const [, amount = product] = /(\d.*)$/.exec(product.replace(/\[[^\]]*\]/g, '').trim()) ?? [];
  return amount.trim().toLowerCase();
}

function rowOf({ body, target }: AnswerPlace): unknown {
  return valueAt(body, parseTarget(target).slice(0, 2));
}

function sourcesOf(row: unknown, entries: readonly CitedEntry[]): object[] {
  return textsIn(at(row, 'sources')).flatMap((name) => resourcesNamed(name, entries));
}

function ofType(resources: readonly object[], type: string): object[] {
  return resources.filter((one) => at(one, 'resourceType') === type);
}

/**
 * Returns the days that statements cover, up to the day of each statement. A statement without an end covers the days
 * to `lastDay`, if that is given.
 */
function statedDays(resources: readonly object[], lastDay?: number): Set<number> {
  const spans = ofType(resources, 'MedicationStatement').flatMap((one) => {
    const period = at(one, 'effectivePeriod');
    const [start, end] = [at(period, 'start'), at(period, 'end')].map((text) =>
      typeof text === 'string' ? text : undefined,
    );
    const statedEnd = isDay(end) ? dayNumber(end) : lastDay;
    const [said] = textsIn(at(one, 'dateAsserted'));
    const until = statedEnd !== undefined && isDay(said) ? Math.min(statedEnd, dayNumber(said)) : statedEnd;
    const isKnown = isDay(end) || (end === undefined && at(one, 'status') === 'active');
    return isDay(start) && isKnown && until !== undefined ? [[dayNumber(start), until] as const] : [];
  });
  return new Set(
    spans.flatMap(([from, to]) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)),
  );
}

/** Returns the days from each administered dose to the day before the next is due; none if no interval is stated. */
function givenDays(resources: readonly object[], interval: unknown): Set<number> {
  const [, count, unit] = /^(\d+) (day|week|month)s?$/.exec(String(interval)) ?? [];
  if (count === undefined) return new Set();
  const spans = ofType(resources, 'MedicationAdministration')
    .flatMap((one) => textsIn(one).filter(isDay).slice(0, 1))
    .map(
      (day) =>
        [
          dayNumber(day),
          unit === 'month' ? monthsOn(day, Number(count)) : dayNumber(day) + Number(count) * (unit === 'week' ? 7 : 1),
        ] as const,
    );
  return new Set(spans.flatMap(([from, due]) => Array.from({ length: due - from }, (_, at) => from + at)));
}

// Returns the same day of a later month, or that month's last day, as a day number.
function monthsOn(day: string, months: number): number {
  const [year = 0, month = 0, date = 0] = day.slice(0, 10).split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return Date.UTC(year, month - 1 + months, Math.min(date, last)) / 86_400_000;
}

const isTrialCount: Follows = (value, place) => {
  const row = rowOf(place);
  const sources = sourcesOf(row, place.entries);
  const fills = at(row, 'fills');
  const covered = new Set([...filledDays(fills), ...givenDays(sources, at(row, 'dose_interval'))]);
  const counts: Readonly<Record<string, number>> = {
    days_covered: covered.size,
    days_ahead: [...covered].filter((one) => one > dayNumber(place.day)).length,
    days_after_stop: daysAfterStop(covered, row, place.day),
    about_days: statedDays(sources).size,
    times_given: ofType(sources, 'MedicationAdministration').length,
    unmeasured: ofType(sources, 'MedicationDispense').length - (Array.isArray(fills) ? fills.length : 0),
  };
  return counts[place.target.split('.').at(-1) ?? ''] === value;
};

function daysAfterStop(covered: ReadonlySet<number>, row: unknown, day: string): number {
  const stop = at(row, 'stopped');
  if (typeof stop !== 'string' || !isDay(stop)) return 0;
  return [...covered].filter((one) => one > dayNumber(stop) && one <= dayNumber(day)).length;
}

interface TherapyDays {
  /** Days covered by supply and by administered doses. */
  readonly supplied: ReadonlySet<number>;
  /** Days from a stated start to a stated end. */
  readonly stated: ReadonlySet<number>;
  /** The days of both sets. A statement without an end covers the days up to the last day of supply. */
  readonly known: ReadonlySet<number>;
}

function dispensedIn(sources: readonly object[]) {
  return ofType(sources, 'MedicationDispense').map((one) => ({
    day: at(one, 'whenHandedOver') ?? at(one, 'whenPrepared'),
    days: at(at(one, 'daysSupply'), 'value') ?? 0,
    product: textsIn(at(one, 'medicationCodeableConcept')).at(-1) ?? '',
  }));
}

/** The days on the ordered drug, by kind of source, without samples. */
function therapyDays({ body, entries, day }: AnswerPlace): TherapyDays {
  const sources = sourcesOf(at(body, 'therapy'), entries).filter((one) => !/"MS"|sample/i.test(JSON.stringify(one)));
  const fills = dispensedIn(sources);
  const supplied = new Set([...filledDays(fills), ...givenDays(sources, at(at(body, 'therapy'), 'dose_interval'))]);
  const lastStated = supplied.size === 0 ? undefined : Math.min(dayNumber(day), Math.max(...supplied));
  return { supplied, stated: statedDays(sources), known: new Set([...supplied, ...statedDays(sources, lastStated)]) };
}

const isTherapyCount: Follows = (value, place) => {
  const { supplied, stated } = therapyDays(place);
  const all = [...(supplied.size === 0 ? stated : supplied)];
  const past = all.filter((one) => one <= dayNumber(place.day));
  if (place.target.endsWith('last_covered')) return Math.max(...all) === dayNumber(String(value));
  return place.target.endsWith('about_days') === (supplied.size === 0) && past.length === value;
};

/** A gap contains no covered day and ends before a covered day or on the day of the request. */
const isGap: Follows = (_value, place) => {
  const gap = valueAt(place.body, parseTarget(place.target).slice(0, 3));
  const [from, to] = [dayNumber(String(at(gap, 'from'))), dayNumber(String(at(gap, 'to')))];
  const covered = therapyDays(place).known;
  const isFree = [...covered].every((one) => one < from || one > to);
  const isClosed = covered.has(to + 1) || to === dayNumber(place.day);
  return isFree && covered.has(from - 1) && isClosed && to - from + 1 === at(gap, 'days');
};

/** A result's period without supply must be a gap of the therapy that contains the date of the result. */
const isTimeWithout: Follows = (_value, place) => {
  const row = rowOf(place);
  const { from, to } = at(row, 'without_supply') as Readonly<Record<'from' | 'to', string>>; // the sheet has both
  const gaps = at(at(place.body, 'therapy'), 'gaps') as readonly unknown[]; // `isGap` checks the gaps
  const measured = dayNumber(String(at(at(row, 'now'), 'date')));
  const isGapOf = gaps.some((gap) => at(gap, 'from') === from && at(gap, 'to') === to);
  return isGapOf && measured >= dayNumber(from) && measured <= dayNumber(to) + 1;
};

/** The value is a day that a source states, or the last day of dispensed supply. */
const isLastShown: Follows = (value, place) => {
  const covered = filledDays(dispensedIn(sourcesOf(rowOf(place), place.entries)));
  const isLast = covered.size > 0 && Math.max(...covered) === dayNumber(String(value));
  return isLast || isStated(value, place);
};

// How texts and FHIR's unit codes write an interval of one: "daily", "once a week", "d".
const ofOne: Readonly<Record<string, RegExp>> = {
  day: /\bdai?ly|\bday|"d"/,
  week: /week|"wk"/,
  month: /month|"mo"/,
};

const isInterval: Follows = (value, { items }) => {
  const [count = '', unit = ''] = String(value).split(' ');
  const text = JSON.stringify(items).toLowerCase();
  return text.includes(count) || (count === '1' && ofOne[unit]?.test(text)) || /year|annual|"a"/.test(text);
};

const isLastCovered: Follows = (value, place) => {
  const fills = filledDays(at(rowOf(place), 'fills'));
  return fills.size === 0 ? isStated(value, place) : Math.max(...fills) === dayNumber(String(value));
};

/**
 * The length of several doses: the days from the first date to the last, or the sum of the longest duration of each
 * sequence.
 */
const isLength: Follows = (value, place) => {
  const doses = place.items.flat();
  return isStated(value, place) || [datesOf(doses), ...sumsOf(doses)].includes(Number.parseFloat(String(value)));
};

function datesOf(doses: readonly unknown[]): number {
  const periods = doses.map((dose) => at(at(at(dose, 'timing'), 'repeat'), 'boundsPeriod'));
  const [starts, ends] = ['start', 'end'].map((key) => periods.map((period) => dayNumber(String(at(period, key)))));
  return Math.max(...(ends ?? [])) - Math.min(...(starts ?? [])) + 1;
}

/** Sums in the chart's unit and in days. */
function sumsOf(doses: readonly unknown[]): number[] {
  const sumIn = (unitDays: (code: unknown) => number) => {
    const longest = new Map<unknown, number>();
    for (const [index, dose] of doses.entries()) {
      const bounds = at(at(at(dose, 'timing'), 'repeat'), 'boundsDuration');
      const stage = at(dose, 'sequence') ?? `dose ${index}`;
      const length = Number(at(bounds, 'value')) * unitDays(at(bounds, 'code'));
      longest.set(stage, Math.max(longest.get(stage) ?? 0, length));
    }
    return [...longest.values()].reduce((sum, length) => sum + length, 0);
  };
  return [sumIn(() => 1), sumIn((code) => (code === 'wk' ? 7 : 1))];
}

const isWindow: Follows = (value, { body, target }) => {
  const row = valueAt(body, parseTarget(target).slice(0, -1));
  const [age, days] = [Number(at(row, 'age_days')), Number(at(row, 'window_days'))];
  return typeof value === 'boolean' ? value === age <= days : value === days;
};

const ofStops: readonly unknown[] = ['not tolerated', 'contraindicated'];

const derivations: readonly (readonly [RegExp, Follows])[] = [
  [/\.sources?(\[\])?$/, isName],
  [/^patient\.age_/, isAge],
  [/\.age_days$/, isDaysOld],
  [/(\.number|quantity_number|refills|fills\[\]\.days)$/, isNumber],
  [/\.(window_days|in_window)$/, isWindow],
  [/^trials\[\]\.(days_covered|days_ahead|days_after_stop|about_days|times_given|unmeasured)$/, isTrialCount],
  [/^trials\[\]\.last$/, isLastCovered],
  [/^therapy\.(days_covered|about_days|last_covered)$/, isTherapyCount],
  [/^therapy\.gaps/, isGap],
  [/\.without_supply\./, isTimeWithout],
  [/\.as_of$/, isLastShown],
  [/^intolerance\[\]\.type$/, (value, place) => ofStops.includes(value) || isStated(value, place)],
  [/^therapy\.(status|basis|samples|remark)$/, isOurs],
  [/\.dose_interval$/, isInterval],
  [
    /\.(relation|class|proof|contradiction|remark|not_counted|parts_not_counted|ingredient|sensitive|outcome\[\])$/,
    isOurs,
  ],
  [
    /\.(sample|combination|release_in_part|taken_as_in_part|in_other_form|unexplained|by_order)$/,
    (value) => value === true,
  ],
  [/^tests\.missing/, isOurs],
  [/\]\.test$|\.measure$|components\[\]\.test$/, isOurs],
  [/^concurrent\[\]\.status$/, isOurs],
  [/^dose\.doses\[\]\.text$/, isSameAs('prescription.directions')],
  [/^dose\.doses\[\]\.(dose|timing)$/, isOurs],
  [/^dose\.form$/, isOurs],
  [/^dose\.length$/, isLength],
  [/^trials\[\]\.strengths/, isSameAs('prescription.strength')],
  [/^dose\.(drug|release)$/, isSameAs('prescription.drug_name')],
  [/^dose\.strength$/, isSameAs('prescription.strength')],
  [/^dose\.days_supply$/, isSameAs('prescription.days_supply')],
  [/^dose\.directions$/, isSameAs('prescription.directions')],
  [/^diagnosis\[\]\.code$/, isSameAs('diagnoses[].code')],
];
