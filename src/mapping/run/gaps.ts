import type { z } from 'zod';
import type { Environment } from '../../fhirpath/environment.ts';
import type { MappingInput } from '../input.ts';
import type { Edits, Gap, Look, Provenance } from '../result.ts';
import { formatTarget, isWithin, parseTarget, valueAt } from '../target.ts';
import type { Advice, Mapping } from '../words/define.ts';
import type { GrownObject } from './grow.ts';
import type { Harvest } from './harvest.ts';
import { looksAt, spotAt } from './looks.ts';
import { complaintOf, labelOf } from './messages.ts';

export interface GapScope {
  readonly mapping: Mapping<unknown>;
  readonly input: MappingInput;
  readonly environment: Environment;
  readonly edits: Edits;
  readonly grown: GrownObject;
  readonly harvested: Harvest;
}

/**
 * Everything that is missing, invalid or open, in the order of: questions, proposals, the schema, what was not used, advice.
 * One gap a target, but every question stays.
 */
export function gapsOf(issues: readonly z.core.$ZodIssue[], advice: readonly Advice[], scope: GapScope): Gap[] {
  return merged(openQuestions(scope), [
    ...unconfirmed(scope),
    ...issues.flatMap((issue) => schemaGaps(issue, scope)),
    ...unusedEntries(scope),
    ...refusedLeaves(scope),
    ...advice.map((one) => adviceGap(one, scope)),
  ]);
}

/** The chart's questions that nobody has answered: what a person filled in is no longer asked, and what this mapping has no place for never is. */
export function openQuestions({
  mapping,
  input,
  edits,
  grown,
}: Pick<GapScope, 'mapping' | 'input' | 'edits' | 'grown'>): readonly Gap[] {
  const filled = Object.entries(edits).filter(([, value]) => value !== null && value !== '');
  const asked = (input.questions ?? []).filter(
    (question) => spotAt(mapping.tree, grown, parseTarget(question.target)) !== undefined,
  );
  return asked.filter(
    (question) => !filled.some(([target]) => isWithin(target, question.target) || isWithin(question.target, target)),
  );
}

function unconfirmed({ mapping, harvested }: GapScope): Gap[] {
  const parts = new Set(harvested.provenance.filter((entry) => entry.kind === 'proposed').map(partOf));
  return [...parts].map((target) => ({
    target,
    severity: 'blocks',
    reason: 'unconfirmed',
    message: `${labelOf(mapping.schema, parseTarget(target))}: proposed from the chart; a person must confirm.`,
    looks: [],
  }));
}

// A list is confirmed as one.
function partOf({ target }: Provenance): string {
  return target.split('[')[0] ?? target;
}

function schemaGaps(issue: z.core.$ZodIssue, scope: GapScope): Gap[] {
  const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => {
    const value = valueAt(scope.harvested.body, path);
    const looks = looksFor(path, scope);
    const label = labelOf(scope.mapping.schema, path);
    if (value !== undefined)
      return {
        target: formatTarget(path),
        severity: 'blocks',
        reason: 'invalid',
        message: `${label}: ${complaintOf(issue)}.`,
        looks: [],
      };
    return {
      ...absence(path, looks, scope),
      severity: 'blocks',
      ...(issue.code === 'custom'
        ? { message: `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)} is missing.` }
        : {}),
    };
  });
}

function absence(
  path: readonly PropertyKey[],
  looks: readonly Look[],
  { mapping }: GapScope,
): Pick<Gap, 'target' | 'reason' | 'message' | 'looks'> {
  const label = labelOf(mapping.schema, path);
  const uncertain = looks.some((look) => look.refused !== undefined && look.refused !== 'blank');
  const message = uncertain ? `${label}: what was found could not be used with certainty.` : `${label} is missing.`;
  return { target: formatTarget(path), reason: uncertain ? 'uncertain' : 'missing', message, looks };
}

function unusedEntries(scope: GapScope): Gap[] {
  return scope.harvested.unused.map(({ target, unused, used }) => ({
    target,
    severity: 'warns',
    reason: 'uncertain',
    message: `${labelOf(scope.mapping.schema, parseTarget(target))}: ${unused} of ${unused + used} entries found could not be used.`,
    looks: looksFor(parseTarget(target), scope),
  }));
}

// Something stands in the chart and was not certain enough: it must not vanish silently.
function refusedLeaves(scope: GapScope): Gap[] {
  return scope.harvested.refused.map((target) => {
    const path = parseTarget(target);
    return { ...absence(path, looksFor(path, scope), scope), severity: 'warns' as const };
  });
}

function adviceGap({ target, message }: Advice, scope: GapScope): Gap {
  const path = parseTarget(target);
  const absent = valueAt(scope.harvested.body, path) === undefined;
  return {
    target,
    severity: 'warns',
    reason: absent ? 'missing' : 'advice',
    message,
    looks: absent ? looksFor(path, scope) : [],
  };
}

function looksFor(path: readonly PropertyKey[], { mapping, grown, input, environment }: GapScope): Look[] {
  return looksAt(spotAt(mapping.tree, grown, path), { input, environment });
}

function merged(questions: readonly Gap[], gaps: readonly Gap[]): Gap[] {
  const all = [...questions];
  const places = new Map<string, number>();
  for (const [index, question] of questions.entries())
    if (!places.has(question.target)) places.set(question.target, index);
  for (const gap of gaps) {
    const place = places.get(gap.target);
    const known = place === undefined ? undefined : all[place];
    if (place === undefined || known === undefined) places.set(gap.target, all.push(gap) - 1);
    else all[place] = together(known, gap);
  }
  return all;
}

function together(first: Gap, second: Gap): Gap {
  const blocks = first.severity === 'blocks' || second.severity === 'blocks';
  return {
    ...first,
    severity: blocks ? 'blocks' : 'warns',
    looks: first.looks.length > 0 ? first.looks : second.looks,
  };
}
