import { isDeepStrictEqual } from 'node:util';
import { BridgeError } from '../../src/core/errors.ts';
import type { Readings } from '../../src/core/fhir/documents/readings.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import { auditResult } from '../../src/dev/kit/audit/audit.ts';
import type { CitedEntry } from '../../src/dev/kit/audit/read-cited.ts';
import { auditTables } from '../support/audit-tables.ts';
import { canary } from './canaries.ts';
import { anything, type Change } from './draft.ts';
import type { Case } from './generator.ts';
import { contradictionsOf, get, list } from './meaning.ts';
import { mapChart, type Outcome } from './product.ts';

/** The laws of a mapping, in the order in which breaking them does harm. */
export const laws = {
  differ: 'nothing is complete while sources differ that must agree',
  derivable: 'every value follows from the element it cites',
  together: 'of what belongs together no leaf comes from a second element',
  stranger: 'nothing of another patient',
  never: 'what must not be sent is not sent',
  order: 'the same result in any order',
  asked: 'a chart whose sources agree is complete without a question',
  body: 'a change that means nothing changes nothing',
  told: 'what is odd is told',
  failure: 'no exception',
} as const;
export type Law = keyof typeof laws;

export interface Violation {
  readonly law: Law;
  readonly base: string;
  /** Names of the changes, with the defects they are about. */
  readonly changes: readonly Change[];
  /** Fields and reasons. */
  readonly detail: string;
}

type Found = readonly [Law, string];

/** Every law that the product breaks on one generated chart. */
export function judge(one: Case, readings: Readings): Violation[] {
  return [...judgeCase(one, readings)].map(([law, detail]) => ({
    law,
    detail,
    base: one.base.name,
    changes: one.changes,
  }));
}

function* judgeCase(one: Case, readings: Readings): Generator<Found> {
  const { entries, site } = one.draft;
  const request = { order: one.base.order, site, readings };
  let outcome: Outcome;
  let again: Outcome;
  try {
    outcome = mapChart([...entries], request);
    again = mapChart(entries.toReversed(), request);
  } catch (error) {
    if (isRefusal(error)) {
      if (one.changes.every(({ verdict }) => verdict === 'agrees')) yield ['asked', error.message];
      return;
    }
    yield ['failure', error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'];
    return;
  }
  if (!isDeepStrictEqual(outcome, again)) yield ['order', 'reversed'];
  yield* judgeOutcome(outcome, entries, site);
  yield* judgeVerdict(one, outcome);
}

/** A refusal by name (the order is gone, or is another patient's) is an answer, and nothing is sent. */
export function isRefusal(error: unknown): error is BridgeError {
  return error instanceof BridgeError && error.code !== 'internal';
}

/** The laws that hold for any chart, whatever was done to it. */
export function* judgeOutcome(outcome: Outcome, entries: readonly CitedEntry[], site: object): Generator<Found> {
  for (const kind of ['priorAuth', 'enrollment'] as const) {
    const result = outcome[kind];
    if (JSON.stringify(result).includes(canary)) yield ['stranger', kind];
    const audit = { entries, patient: outcome.patient, order: outcome.order, tables: auditTables, site };
    for (const { target, cited, reason } of auditResult(result, audit))
      yield ['derivable', `${target} of ${cited}: ${reason}`];
    if (result.status === 'complete') yield* facts(result.body);
  }
  yield* together(outcome.priorAuth);
  const { status, provenance } = outcome.priorAuth;
  // a person who entered a part of the prescription has answered
  if (
    status !== 'complete' ||
    provenance.some(({ target, kind }) => kind === 'entered' && target.startsWith('prescription.'))
  )
    return;
  const order = entries.map(({ resource }) => resource).find((resource) => nameOf(resource) === outcome.order);
  for (const what of contradictionsOf(order, medicationOf(order, entries))) yield ['differ', `${what} of the drug`];
}

// What the service refuses or nobody can read is no value.
function* facts(body: unknown): Generator<Found> {
  const npi = get(get(body, 'provider'), 'npi');
  if (typeof npi === 'string' && !hasCheckDigit(npi)) yield ['never', 'an NPI whose check digit is wrong'];
  const bins = [
    get(get(body, 'insurance_content'), 'rx_bin'),
    get(get(get(get(body, 'patient'), 'insurance_details'), 'data'), 'rx_bin'),
  ];
  if (bins.some((bin) => bin !== undefined && !/^\d{6}$/.test(String(bin))))
    yield ['never', 'an RxBIN that is not six digits'];
  const strength = get(get(body, 'prescription'), 'strength') ?? get(get(body, 'prescription'), 'dosage');
  if (typeof strength === 'string' && !/\d.*[a-z%µ]/i.test(strength)) yield ['never', 'a strength without a unit'];
}

/** ISO/IEC 7812 (Luhn) over 80840 and the number. */
function hasCheckDigit(npi: string): boolean {
  const doubled = [...`80840${npi}`].reverse().map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2));
  return doubled.reduce((sum, value) => sum + Math.floor(value / 10) + (value % 10), 0) % 10 === 0;
}

function* together({ provenance }: MappingResult<unknown>): Generator<Found> {
  const cited = new Map(provenance.flatMap(({ target, source }) => (source === undefined ? [] : [[target, source]])));
  const supply = ['quantity', 'dispense_unit', 'days_supply'].flatMap(
    (leaf) => cited.get(`prescription.${leaf}`)?.path ?? [],
  );
  const fills = new Set(
    supply.filter((path) => path.includes('dispenseRequest')).map((path) => path.includes('initialFill')),
  );
  if (fills.size > 1) yield ['together', supply.join(', ')];
  for (const address of ['patient.address', 'provider.address', 'pharmacy.address']) {
    const parts = [...cited].filter(([target]) => target.startsWith(`${address}.`));
    const places = new Set(parts.map(([, { resource, path }]) => `${resource} ${addressOf(path)}`));
    if (places.size > 1) yield ['together', [...places].join(', ')];
  }
  const practice = [...cited]
    .filter(([target]) => /^provider\.(address|phone|fax)/.test(target))
    .map(([, { resource }]) => resource);
  const places = new Set(practice.filter((resource) => /^(Location|Organization)\//.test(resource)));
  if (places.size > 1) yield ['together', [...places].join(', ')];
}

function addressOf(path: string): string {
  return /^.*?\.address(\[\d+\])?/.exec(path)?.[0] ?? path;
}

function* judgeVerdict(
  { base, changes, effect }: Case,
  { priorAuth, enrollment, warnings }: Outcome,
): Generator<Found> {
  for (const [result, verdict] of [
    [priorAuth, verdictOf(changes.map((change) => change.verdict))],
    [enrollment, verdictOf(changes.map((change) => change.enrollment ?? change.verdict))],
  ] as const) {
    const body = bodyOf(result);
    if (verdict === 'asks' && result.status === 'complete')
      yield ['differ', `complete${result === enrollment ? ' (enrollment)' : ''}`];
    for (const [target, value] of Object.entries(effect.never))
      if (leafOf(body, target) === value) yield ['never', target];
    if (verdict !== 'agrees') continue;
    const allowed = result === enrollment ? undefined : [...base.warned, ...effect.warned];
    for (const { target, severity, message } of result.gaps)
      if (severity === 'blocks' || (allowed !== undefined && !allowed.includes(target)))
        yield ['asked', `${target} ${severity}: ${message}`];
    if (result === priorAuth) yield* sameBody(base.body, body, effect.sent);
  }
  const said = [...warnings, ...[priorAuth, enrollment].flatMap(({ gaps }) => gaps.map(({ message }) => message))].join(
    '\n',
  );
  for (const told of effect.told) if (!told.test(said)) yield ['told', String(told)];
}

function verdictOf(verdicts: readonly Change['verdict'][]): Change['verdict'] {
  if (verdicts.includes('asks')) return 'asks';
  return verdicts.includes('open') ? 'open' : 'agrees';
}

function* sameBody(expected: unknown, actual: unknown, sent: Readonly<Record<string, unknown>>): Generator<Found> {
  const targets = new Set([...leavesOf(expected, ''), ...leavesOf(actual, '')]);
  for (const target of targets) {
    const wanted = Object.hasOwn(sent, target) ? sent[target] : leafOf(expected, target);
    if (wanted === anything || wanted === leafOf(actual, target)) continue;
    yield ['body', target];
  }
}

function leavesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

function leafOf(body: unknown, target: string): unknown {
  const keys = target.replace(/\[(\d+)\]/g, '.$1').split('.');
  return keys.reduce<unknown>((at, key) => (Array.isArray(at) ? at[Number(key)] : get(at, key)), body);
}

function bodyOf(result: MappingResult<unknown>): unknown {
  return result.status === 'complete' ? result.body : result.draft;
}

function nameOf(resource: unknown): string {
  return `${String(get(resource, 'resourceType'))}/${String(get(resource, 'id'))}`;
}

function medicationOf(order: unknown, entries: readonly CitedEntry[]): unknown {
  const reference = String(get(get(order, 'medicationReference'), 'reference'));
  const inner = list(get(order, 'contained')).find((one) => `#${String(get(one, 'id'))}` === reference);
  return inner ?? entries.map(({ resource }) => resource).find((resource) => nameOf(resource) === reference);
}
