import { BridgeError } from '../../errors.ts';
import type { MappingInput } from '../input.ts';
import { type Validated, validated } from '../issues.ts';
import type { Edits, MappingResult } from '../result.ts';
import type { Mapping } from '../words/define.ts';
import type { DeepPartial } from '../words/rules.ts';
import { type Body, bodyOf } from './body.ts';
import { type Edited, editedValues, withoutAsked } from './edited.ts';
import { gapsOf } from './gaps.ts';
import { markDecoded } from './mark-decoded.ts';
import { openQuestions, type PlacedQuestion } from './open-questions.ts';
import { CompleteResult, IncompleteResult } from './results.ts';
import { type FoundValues, valuesOf } from './values.ts';

/** The inputs of a run other than the mapping and the chart. */
export interface RunOptions {
  /** Applied to the values that the rules found, before the target's schema checks them. */
  readonly edits?: Edits;
}

/**
 * The one mapping call of launch, batch and tests: turns a chart into a body, or into a draft and the gaps that block
 * it. Pure.
 *
 * - `from`: sources in order, and the items of each in order; the first value that its transform accepts is used,
 *   `others` counts the rest.
 * - Empty parts and lists are left out. So is an optional part that would contain only defaults (constants, literals,
 *   later sources from the site), if its leaves that are read from the chart found nothing.
 * - A leaf that a blocking question of the chart is about stays empty until a person answers.
 * - A leaf that follows another (`following`) is left out once a person changes that leaf, or chooses a value that
 *   contradicts the follower.
 * - A value under a `proposed` root must be confirmed by a person: each such list or leaf has a blocking gap until
 *   edits cover it.
 * - Gaps never contain values. Throws only for a mistake in a mapping (BridgeError `mapping_invalid`) or an edit that
 *   does not name a field.
 *
 * @example
 * const result = runMapping(priorAuth, chart, { edits: { 'provider.fax': '555-0100' } });
 * if (result.status === 'complete') console.log(result.body.prescription.drug_name);
 * else for (const { message } of result.gaps) console.log(message);
 */
export function runMapping<T>(mapping: Mapping<T>, input: MappingInput, options: RunOptions = {}): MappingResult<T> {
  const [result] = mapTogether(mapping, [input], options.edits ?? noEdits);
  if (result === undefined) throw new BridgeError('internal', { reason: 'every chart has a result' });
  return result;
}

/** Runs a mapping for several charts, in order. An error for one chart is thrown for all. */
export function runMappings<T>(mapping: Mapping<T>, inputs: readonly MappingInput[]): MappingResult<T>[] {
  return mapTogether(mapping, inputs, noEdits);
}

const noEdits: Edits = {};

// Each step runs for all charts before the next step, because the code of all steps together exceeds the processor's
// caches.
function mapTogether<T>(mapping: Mapping<T>, inputs: readonly MappingInput[], edits: Edits): MappingResult<T>[] {
  return valuesOf(mapping.plan, inputs)
    .map((found) => draftOf(mapping, found, edits))
    .map((draft) => ({ draft, body: bodyOf(draft.values) }))
    .map(({ draft, body }) => ({ draft, body, judgment: validated(mapping.schema, body.value) }))
    .map((run) => resultOf(mapping, run, edits));
}

interface Draft extends Edited {
  readonly found: FoundValues;
  readonly questions: readonly PlacedQuestion[];
}

function draftOf(mapping: Mapping<unknown>, found: FoundValues, edits: Edits): Draft {
  const { input } = found;
  const { values, cleared } = editedValues(found.values, edits, mapping, askedOf(mapping, input));
  const questions = openQuestions(mapping, input, edits);
  const blocking = questions.filter(({ question }) => question.severity === 'blocks');
  const open = withoutAsked(
    values,
    blocking.map(({ place }) => place.target),
    mapping.followers,
  );
  const { decodedAt } = input;
  return { found, questions, values: decodedAt === undefined ? open : markDecoded(open, decodedAt), cleared };
}

interface JudgedDraft<T> {
  readonly draft: Draft;
  readonly body: Body;
  readonly judgment: Validated<T>;
}

function resultOf<T>(
  mapping: Mapping<T>,
  { draft: run, body, judgment }: JudgedDraft<T>,
  edits: Edits,
): MappingResult<T> {
  const { questions, values, cleared } = run;
  const { input, environment } = run.found;
  const issues = 'issues' in judgment ? judgment.issues : [];
  // at most a part of T: its keys are those of Rules<T>; `judgment` shows whether it is complete
  const draft = body.value as DeepPartial<T>;
  const isEntered = (target: string) => (edits[target] ?? '') !== '';
  const advice = mapping.advise?.(draft, { today: input.today, isEntered }) ?? [];
  const gaps = gapsOf({ questions, issues, advice }, { mapping, input, environment, values, cleared, body });
  const isBlocked = gaps.some((gap) => gap.severity === 'blocks');
  return 'issues' in judgment || isBlocked
    ? new IncompleteResult(draft, gaps, { values, cleared })
    : new CompleteResult(judgment.data, gaps, { values, cleared });
}

// Computed only when a person edited a leaf that another leaf follows.
function askedOf(mapping: Mapping<unknown>, input: MappingInput): (target: string) => boolean {
  let targets: ReadonlySet<string> | undefined;
  return (target) => {
    targets ??= new Set(
      openQuestions(mapping, input, {}).flatMap(({ question, place }) =>
        question.severity === 'blocks' ? [place.target] : [],
      ),
    );
    return targets.has(target);
  };
}
