import type { MappingInput } from '../input.ts';
import { judged } from '../issues.ts';
import type { Edits, MappingResult } from '../result.ts';
import type { Mapping } from '../words/define.ts';
import type { DeepPartial } from '../words/rules.ts';
import { bodyOf } from './body.ts';
import { editedValues, withoutLeaves } from './edited.ts';
import { environmentOf } from './environment.ts';
import { gapsOf } from './gaps.ts';
import { openQuestions } from './open-questions.ts';
import { CompleteResult, IncompleteResult } from './results.ts';
import { valuesOf } from './values.ts';

export interface RunOptions {
  /** Laid over what the rules found, before the target's schema looks at it. */
  readonly edits?: Edits;
}

/**
 * The one mapping call of launch, batch and tests: a chart becomes a body, or a draft and the gaps that block it. Pure.
 *
 * - `from`: sources in order, and the items of each in order; the first that its transform takes wins, `others` counts
 *   the rest.
 * - Empty parts and lists are left out, and so is an optional part that would hold only defaults (constants, literals,
 *   later sources
 *   from the site) while its readers found nothing.
 * - A leaf that a blocking question of the chart is about stays empty until a person answers.
 * - A leaf that follows another (`following`) is left out once a person has changed that one, or chose what it does
 *   not say.
 * - A value under a `proposed` root needs a person: one blocking gap a list or leaf, until edits cover it.
 * - Gaps never say values. Throws only for a mistake in a mapping (BridgeError `mapping_invalid`) or an edit that names
 *   no field.
 *
 * @example
 * const result = runMapping(priorAuth, chart, { edits: { 'provider.fax': '555-0100' } });
 * if (result.status === 'complete') send(result.body);
 * else for (const gap of result.gaps) ask(gap.message);
 */
export function runMapping<T>(mapping: Mapping<T>, input: MappingInput, options: RunOptions = {}): MappingResult<T> {
  const edits = options.edits ?? {};
  const environment = input.environment ?? environmentOf(input);
  const found = valuesOf(mapping.plan, environment);
  const edited = editedValues(found, edits, mapping, askedOf(mapping, input));
  const questions = openQuestions(mapping, input, edits);
  const blocking = questions.filter(({ question }) => question.severity === 'blocks');
  const values = withoutLeaves(
    edited.values,
    blocking.map(({ place }) => place.target),
  );
  const body = bodyOf(values);
  const judgment = judged(mapping.schema, body.value);
  const issues = 'issues' in judgment ? judgment.issues : [];
  // a part of T at most: its keys are those of Rules<T>; `judgment` says whether it is the whole
  const draft = body.value as DeepPartial<T>;
  const isEntered = (target: string) => (edits[target] ?? '') !== '';
  const advice = mapping.advise?.(draft, { today: input.today, isEntered }) ?? [];
  const gaps = gapsOf({ questions, issues, advice }, { mapping, input, environment, values, body });
  const isBlocked = gaps.some((gap) => gap.severity === 'blocks');
  return 'issues' in judgment || isBlocked
    ? new IncompleteResult(draft, gaps, { ...edited, values })
    : new CompleteResult(judgment.data, gaps, { ...edited, values });
}

// Asked for only when a person entered something that another leaf follows.
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
