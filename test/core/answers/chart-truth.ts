import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import { answerRoles, answers } from '../../../mappings/index.ts';
import { answersSheet, type Sheet } from '../../../src/core/answers/sheet.ts';
import { mapChart } from '../../../src/core/roles/map-chart.ts';

// Charts with their truth by somebody who had not seen the code; see fixtures/answers/README.md.

const root = join(import.meta.dirname, '../../../fixtures/answers/charts');

interface Measure {
  readonly name: string;
  readonly value: unknown;
  readonly date: string;
  readonly source: string;
}

interface TruthTrial {
  readonly drug: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly daysCovered: number | null;
  readonly about?: number;
  readonly outcome: string | null;
  readonly outcomeAlso?: readonly (string | null)[];
  readonly reason: string | null;
  readonly sample: boolean;
  readonly noteOnly?: boolean;
  readonly orderedOnly?: boolean;
  readonly administrations?: number;
  readonly sources: readonly string[];
}

export interface Truth {
  readonly today: string;
  readonly cells: {
    readonly therapy: { readonly status: string; readonly since: string | null; readonly sinceAlso?: string };
    readonly diagnosis: { readonly icd10: string | null } | null;
    readonly patient: { readonly age: number; readonly sex: string };
    readonly severity: readonly Measure[] | null;
    readonly tests: readonly Measure[] | null;
    readonly trials: readonly TruthTrial[] | null;
    readonly intolerance: readonly { readonly to: string; readonly kind: string; readonly sources: string[] }[] | null;
    readonly response: readonly ResponseTruth[] | null;
    readonly place?: { readonly where: string | null } | null;
  };
}

interface ResponseTruth {
  readonly measure: string;
  readonly before: Omit<Measure, 'name'> | null;
  readonly now: Omit<Measure, 'name'> | null;
}

export const chartNames = readdirSync(root);

export function readChart(name: string): { readonly bundle: Bundle; readonly truth: Truth; readonly sheet: Sheet } {
  const read = (file: string) => JSON.parse(readFileSync(join(root, name, file), 'utf8'));
  const [bundle, truth]: [Bundle, Truth] = [read('chart.json'), read('truth.json')];
  return { bundle, truth, sheet: sheetOf(bundle, truth.today) };
}

/** The sheet of the order of a chart on a day. */
export function sheetOf(bundle: Bundle, today: string): Sheet {
  const { orders } = mapChart(bundle, { mapping: answers, roles: answerRoles, now: new Date(`${today}T15:00:00Z`) });
  const chart = orders.find(({ order }) => order === 'MedicationRequest/order')?.chart;
  if (chart === undefined) throw new Error('the order was not mapped');
  return answersSheet(answers, chart);
}

/** One fact of the truth, and whether the sheet says it: `16 trials: outcome of methotrexate`. */
export interface Held {
  readonly of: 'therapy' | 'trials' | 'days' | 'outcome' | 'intolerance' | 'response' | 'measures' | 'place' | 'more';
  readonly what: string;
  readonly expected: unknown;
  readonly found: unknown;
  readonly holds: boolean;
}

/** Each fact of the truth of a chart held against its sheet, and each row of the sheet that the truth does not have. */
export function heldAgainst(truth: Truth, sheet: Sheet): Held[] {
  return [
    ...ofTherapy(truth, sheet),
    ...ofTrials(truth, sheet),
    ...ofIntolerance(truth, sheet),
    ...ofResponse(truth, sheet),
    ...ofMeasures(truth, sheet),
    ...ofPlace(truth, sheet),
  ];
}

function held(of: Held['of'], what: string, expected: unknown, found: unknown, holds = expected === found): Held {
  return { of, what, expected, found, holds };
}

function ofTherapy({ cells: { therapy } }: Truth, sheet: Sheet): Held[] {
  const { status, since } = sheet.cell('therapy').value ?? {};
  const dates = [therapy.since, therapy.sinceAlso];
  return [
    held('therapy', 'status', therapy.status, status),
    ...(therapy.since === null ? [] : [held('therapy', 'since', therapy.since, since, dates.includes(since))]),
  ];
}

const idOf = (reference = '') => reference.split('/').at(-1) ?? '';

type Row = NonNullable<ReturnType<typeof rowsOf>>[number];

function rowsOf(sheet: Sheet) {
  return (sheet.cell('trials').value ?? []).flatMap((row) => (row === undefined ? [] : [row]));
}

function ofTrials({ cells: { trials } }: Truth, sheet: Sheet): Held[] {
  const rows = rowsOf(sheet);
  const found = (trials ?? [])
    .filter(({ noteOnly }) => noteOnly !== true)
    .map((trial) => ({ trial, row: rowOf(trial, rows) }));
  const more = rows.filter((row) => found.every((one) => one.row !== row));
  return [
    ...found.flatMap(({ trial, row }) => ofTrial(trial, row)),
    ...more.map((row) => held('more', 'trials', undefined, `${row.ingredient} ${row.first ?? row.ordered}`, false)),
  ];
}

// The row that has most of its sources; of two the one that begins on the same day.
function rowOf(trial: TruthTrial, rows: readonly Row[]): Row | undefined {
  const shared = (row: Row) => (row.sources ?? []).filter((one) => trial.sources.includes(idOf(one))).length;
  const points = (row: Row) => shared(row) * 2 + (row.first === trial.from ? 3 : 0);
  const [best] = rows.filter((row) => shared(row) > 0).sort((one, other) => points(other) - points(one));
  return best;
}

const outcomeNames: Readonly<Record<string, string>> = { inadequate: 'inadequate response' };

function ofTrial(trial: TruthTrial, row: Row | undefined): Held[] {
  const name = `${trial.drug} ${trial.from ?? ''}`;
  if (row === undefined) return [held('trials', name, trial.drug, undefined, false)];
  const outcomes = [trial.outcome, ...(trial.outcomeAlso ?? [])].map((one) => outcomeNames[one ?? ''] ?? one);
  const ended = row.outcome ?? [];
  const isEnd = ended.length === 0 ? outcomes.includes(null) : ended.every((one) => outcomes.includes(one ?? ''));
  const about = trial.about === undefined ? undefined : Math.abs((row.about_days ?? 0) - trial.about) <= 1;
  return [
    held('trials', name, trial.drug, row.ingredient, true),
    ...(trial.orderedOnly === true ? [] : [held('trials', `${name} from`, trial.from ?? undefined, row.first)]),
    held('trials', `${name} sample`, trial.sample, row.sample ?? false),
    held('days', name, trial.daysCovered ?? undefined, row.days_covered),
    // Samples have no days.
    ...(about === undefined || trial.sample ? [] : [held('days', `${name} about`, trial.about, row.about_days, about)]),
    ...(trial.administrations === undefined
      ? []
      : [held('days', `${name} given`, trial.administrations, row.times_given)]),
    held('outcome', `${name} (${trial.reason})`, outcomes.join(' or '), ended.join(', '), isEnd),
  ];
}

function ofIntolerance({ cells: { intolerance, trials } }: Truth, sheet: Sheet): Held[] {
  const rows = sheet.cell('intolerance').value ?? [];
  const known = (intolerance ?? []).map((one) => ({
    one,
    row: rows.find((row) => one.sources.includes(idOf(row?.source))),
  }));
  const isKnown = (row: (typeof rows)[number]) => known.some((one) => one.row === row) || isHarm(trials, row);
  const more = rows.filter((row) => !isKnown(row) && row?.verification !== 'unconfirmed');
  return [
    ...known.map(({ one, row }) => held('intolerance', one.to, one.to, row?.substance, row !== undefined)),
    ...more.map((row) => held('more', 'intolerance', undefined, `${row?.substance}: ${row?.reactions}`, false)),
  ];
}

// A drug whose allergy stands may have its stop beside it.
function isHarm(trials: Truth['cells']['trials'], row: { readonly source?: string | undefined } | undefined): boolean {
  const ends = (trials ?? [])
    .filter(({ sources }) => sources.includes(idOf(row?.source)))
    .flatMap(({ outcome, outcomeAlso = [] }) => [outcome, ...outcomeAlso]);
  return ends.includes('not tolerated') || ends.includes('contraindicated');
}

function ofResponse({ cells: { response } }: Truth, sheet: Sheet): Held[] {
  const rows = sheet.cell('response').value ?? [];
  return (response ?? []).flatMap((one) => {
    if (one.before === null || one.now === null) return [];
    const { before, now } = one;
    const isSame = (row: (typeof rows)[number]) =>
      row?.before?.date?.slice(0, 10) === before.date &&
      row.now?.date?.slice(0, 10) === now.date &&
      `${row.before.value}`.startsWith(`${before.value}`) &&
      `${row.now.value}`.startsWith(`${now.value}`);
    const dates = rows.map(
      (row) => `${row?.measure} ${row?.before?.value} ${row?.before?.date} ${row?.now?.value} ${row?.now?.date}`,
    );
    return [
      held(
        'response',
        one.measure,
        `${before.value} ${before.date}, ${now.value} ${now.date}`,
        dates,
        rows.some(isSame),
      ),
    ];
  });
}

// The truth has it in words of its own.
function ofPlace({ cells: { place } }: Truth, sheet: Sheet): Held[] {
  const { setting = [], performer, stated = [] } = sheet.cell('place').value ?? {};
  const said = [...setting, performer, ...stated].filter((one) => one !== undefined);
  const where = place?.where ?? undefined;
  return [held('place', 'where', where, said.join('; '), (where === undefined) === (said.length === 0))];
}

// Of one measure the truth has every value, the sheet the newest, and that before the first dose as the response.
function ofMeasures({ cells: { severity, tests } }: Truth, sheet: Sheet): Held[] {
  const { scores = [] } = sheet.cell('severity').value ?? {};
  const { results = [] } = sheet.cell('tests').value ?? {};
  const rows = [...scores, ...results].flatMap((row) => (row === undefined ? [] : [row]));
  const others = [...sheet.cell('patient').places, ...sheet.cell('severity').places].map(({ source }) =>
    idOf(source?.resource),
  );
  const all = [...(severity ?? []), ...(tests ?? [])];
  return all
    .filter((one) => !all.some((other) => isSameMeasure(one, other) && other.date > one.date))
    .map((one) => {
      const row = rows.find(({ source }) => idOf(source) === one.source);
      const isSaid = row !== undefined && (one.value === null || saysValue(row, one.value));
      return held('measures', one.name, `${one.value}`, row?.value, isSaid || others.includes(one.source));
    });
}

function isSameMeasure(one: Measure, other: Measure): boolean {
  return one.name.startsWith(other.name) || other.name.startsWith(one.name);
}

function saysValue(
  { value, number }: { readonly value?: unknown; readonly number?: number | undefined },
  wanted: unknown,
) {
  if (typeof wanted === 'number') return number === wanted || `${value}`.includes(`${wanted}`);
  return `${value}`.toLowerCase().includes(`${wanted}`.toLowerCase());
}
