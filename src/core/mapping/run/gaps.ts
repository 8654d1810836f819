import type { z } from 'zod';
import { type Refusal, type RefusalWords, refusals } from '../../fhir/references/refusals.ts';
import type { Environment } from '../../fhirpath/environment.ts';
import { memoized } from '../../text-cache.ts';
import type { MappingInput } from '../input.ts';
import { refusedIn } from '../refused.ts';
import type { Look, Option, Provenance } from '../result.ts';
import { formatTarget, parseTarget, type TargetPath, valueAt } from '../target.ts';
import type { Advice, Mapping } from '../words/define.ts';
import { besideAt } from './beside.ts';
import type { Body } from './body.ts';
import { RunGap } from './gap.ts';
import { isRefusedByRoles, looksAt, ruleAt } from './looks.ts';
import { complaintOf, targetLabel } from './messages.ts';
import type { PlacedQuestion } from './open-questions.ts';
import { hasRefusal, type PartValue, valueAtPath } from './value.ts';

export interface GapScope {
  readonly mapping: Mapping<unknown>;
  readonly input: MappingInput;
  readonly environment: Environment;
  readonly values: PartValue;
  /** Values that a person cleared, or that were removed because of a person's edit. */
  readonly cleared: readonly Provenance[];
  readonly body: Body;
}

export interface Findings {
  readonly questions: readonly PlacedQuestion[];
  readonly issues: readonly z.core.$ZodIssue[];
  readonly advice: readonly Advice[];
}

/**
 * Everything that is missing, invalid or open, in this order: questions, proposals, schema issues, unused values,
 * advice. Each target has one gap, except that every question is kept. Expressions are not run again unless somebody
 * reads the lookups.
 */
export function gapsOf({ questions, issues, advice }: Findings, scope: GapScope): RunGap[] {
  const { damaged, misread, unusable } = scope.body;
  const gaps = unconfirmed(scope);
  for (const issue of issues) gaps.push(...schemaGaps(issue, scope));
  gaps.push(...partlyUsed(scope));
  for (const target of damaged) gaps.push(damagedGap(target, scope));
  for (const target of misread) gaps.push(misreadGap(target, scope));
  for (const target of unusable) gaps.push(absenceGap(parseTarget(target), 'warns', scope));
  for (const one of advice) gaps.push(adviceGap(one, scope));
  return merged(questions.map(questionGap), gaps);
}

function questionGap({ question, place }: PlacedQuestion): RunGap {
  const words = {
    reason: () => question.reason,
    message: () => question.message,
    why: () => question.why,
    looks: () => question.looks,
    options: () => question.options ?? [],
  };
  return new RunGap(place.target, question.severity, words);
}

function unconfirmed({ mapping, body }: GapScope): RunGap[] {
  const message = (target: string) =>
    `${targetLabel(mapping.schema, parseTarget(target))}: proposed from the chart; a person must confirm.`;
  return [...body.proposed].map((target) =>
    statedGap({ target, severity: 'blocks', reason: 'unconfirmed' }, () => message(target)),
  );
}

function schemaGaps(issue: z.core.$ZodIssue, scope: GapScope): RunGap[] {
  const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) =>
    valueAt(scope.body.value, path) === undefined
      ? absenceGap(path, 'blocks', scope, issue)
      : statedGap(
          { target: formatTarget(path), severity: 'blocks', reason: 'invalid' },
          () => `${targetLabel(scope.mapping.schema, path)}: ${complaintOf(issue)}.`,
        ),
  );
}

function absenceGap(
  path: readonly PropertyKey[],
  severity: RunGap['severity'],
  scope: GapScope,
  issue?: z.core.$ZodIssue,
): RunGap {
  let refused: boolean | undefined;
  const isUncertain = () => {
    refused ??= isRefused(path, scope);
    return refused;
  };
  let looks: readonly Look[] | undefined;
  const looked = () => {
    looks ??= looksFor(path, scope);
    return looks;
  };
  const why = () => (isUncertain() ? refusedIn(looked())[0]?.why : undefined);
  const message = () => {
    const asks = askedAfter(path, scope);
    if (asks !== undefined) return `${nameOf(path, scope, issue)}: ${asks}`;
    if (!isUncertain()) return missingText(nameOf(path, scope, issue));
    return `${nameOf(path, scope, issue)}: ${refusalText(why(), severity)}`;
  };
  const reason = () => (isUncertain() ? 'uncertain' : 'missing');
  const options = () => (severity === 'blocks' ? besideFor(path, scope) : []);
  return new RunGap(formatTarget(path), severity, { reason, message, why, looks: looked, options });
}

function nameOf(path: readonly PropertyKey[], { mapping }: GapScope, issue: z.core.$ZodIssue | undefined): string {
  return issue?.code === 'custom' ? capitalized(issue.message) : targetLabel(mapping.schema, path);
}

/** `Quantity is missing.`, `Directions are missing.` */
function missingText(name: string): string {
  return `${name} ${/[^siu]s$|diagnoses$/i.test(name) ? 'are' : 'is'} missing.`;
}

// A follower that was removed because of a person's edit is asked about, not reported as missing.
function askedAfter(path: readonly PropertyKey[], { mapping, cleared }: GapScope): string | undefined {
  const target = formatTarget(path);
  if (!cleared.some((one) => one.target === target)) return undefined;
  return mapping.followers.find((follower) => follower.target === target)?.follows.agrees.asks;
}

// No known reason means that the value was ruled out by a lookup that this gap does not list.
function refusalText(why: Refusal | undefined, severity: RunGap['severity']): string {
  const { staff, next }: RefusalWords = refusals[why ?? 'ruled_out'];
  return severity === 'blocks' ? `${staff}. ${next ?? 'Enter it.'}` : `${staff}, so it is left out.`;
}

function partlyUsed(scope: GapScope): RunGap[] {
  return scope.body.partlyUsed.map(({ target, unused, used }) => {
    const path = parseTarget(target);
    return statedGap(
      { target, severity: 'warns', reason: 'uncertain' },
      () =>
        `${targetLabel(scope.mapping.schema, path)}: ${unused} of ${unused + used} entries found could not be used.`,
      () => looksFor(path, scope),
    );
  });
}

function damagedGap(target: string, { mapping }: GapScope): RunGap {
  return statedGap(
    { target, severity: 'blocks', reason: 'invalid' },
    () =>
      `${targetLabel(mapping.schema, parseTarget(target))}: characters of it are lost or stand for others. Enter it.`,
  );
}

function misreadGap(target: string, { mapping }: GapScope): RunGap {
  return statedGap(
    { target, severity: 'warns', reason: 'advice' },
    () => `${targetLabel(mapping.schema, parseTarget(target))}: letters of it may have been lost on the way. Check it.`,
  );
}

// A mapping advises on the same few places, so their paths are parsed once.
const pathOf = memoized((target): TargetPath => parseTarget(target));

function adviceGap({ target, message, severity = 'warns' }: Advice, scope: GapScope): RunGap {
  const path = pathOf(target);
  const isAbsent = valueAt(scope.body.value, path) === undefined;
  const ofValue = severity === 'blocks' ? 'invalid' : 'advice';
  return statedGap(
    { target, severity, reason: isAbsent ? 'missing' : ofValue },
    () => message,
    () => (isAbsent ? looksFor(path, scope) : []),
  );
}

function statedGap(
  { target, severity, reason }: Pick<RunGap, 'target' | 'severity' | 'reason'>,
  message: () => string,
  looks: () => readonly Look[] = () => [],
): RunGap {
  return new RunGap(target, severity, {
    reason: () => reason,
    message,
    why: () => refusedIn(looks())[0]?.why,
    looks,
    options: () => [],
  });
}

function isRefused(path: readonly PropertyKey[], scope: GapScope): boolean {
  if (hasRefusal(valueAtPath(scope.values, path))) return true;
  const place = ruleAt(scope.mapping.plan.body, scope.values, path);
  return place !== undefined && isRefusedByRoles(place, scope);
}

function looksFor(path: readonly PropertyKey[], scope: GapScope): readonly Look[] {
  const place = ruleAt(scope.mapping.plan.body, scope.values, path);
  return place === undefined ? [] : looksAt(place, scope);
}

function besideFor(path: readonly PropertyKey[], scope: GapScope): readonly Option[] {
  const place = ruleAt(scope.mapping.plan.body, scope.values, path);
  return place === undefined ? [] : besideAt(place, scope);
}

function merged(questions: readonly RunGap[], gaps: readonly RunGap[]): RunGap[] {
  const all = [...questions];
  const places = new Map<string, number>();
  for (const [index, { target }] of questions.entries()) if (!places.has(target)) places.set(target, index);
  for (const gap of gaps) {
    const place = places.get(gap.target);
    const known = place === undefined ? undefined : all[place];
    if (place === undefined || known === undefined) places.set(gap.target, all.push(gap) - 1);
    else all[place] = known.with(gap);
  }
  return all;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
