import type { MappingInput } from '../input.ts';
import type { Edits, MappingResult } from '../result.ts';
import { withRequiredParts } from '../schema.ts';
import type { Mapping } from '../words/define.ts';
import type { DeepPartial } from '../words/rules.ts';
import { applyEdits, type Cleared, dropFollowers, leaveOut } from './edits.ts';
import { environmentOf } from './environment.ts';
import { gapsOf, openQuestions } from './gaps.ts';
import { type Grown, type GrownObject, grow } from './grow.ts';
import { harvest } from './harvest.ts';

export interface RunOptions {
  /** Laid over what the rules found, before the target's schema looks at it. */
  readonly edits?: Edits;
}

/**
 * The one mapping call of launch, batch and tests: a chart becomes a body, or a draft and the gaps that block it. Pure.
 *
 * - `from`: sources in order, and the items of each in order; the first that its transform takes wins, `others` counts the rest.
 * - Empty parts and lists are left out, and so is an optional part that would hold only defaults (constants, literals, later sources
 *   from the site) while its readers found nothing.
 * - A leaf that a blocking question of the chart is about stays empty until a person answers.
 * - A leaf that follows another (`following`) is left out once a person has changed that one.
 * - A value under a `proposed` root needs a person: one blocking gap a list or leaf, until edits cover it.
 * - Gaps never say values. Throws only for a mistake in a mapping (BridgeError `mapping_invalid`) or an edit that names no field.
 */
export function runMapping<T>(mapping: Mapping<T>, input: MappingInput, options: RunOptions = {}): MappingResult<T> {
  const edits = options.edits ?? {};
  const environment = environmentOf(input);
  const grown = asObject(grow(mapping.tree, [], environment).grown);
  const entered = applyEdits(grown, edits, mapping);
  const cleared = [...entered, ...dropFollowers(grown, mapping.followers, entered)];
  const asked = openQuestions({ mapping, input, edits, grown }).filter((question) => question.severity === 'blocks');
  leaveOut(
    grown,
    asked.map(({ target }) => target),
  );
  const harvested = harvest(grown);
  const provenance = withCleared(harvested.provenance, cleared);
  const parsed = mapping.schema.safeParse(harvested.body);
  const draft = harvested.body as DeepPartial<T>; // a part of T at most: its keys are those of Rules<T>; `parsed` says whether it is the whole
  const issues = parsed.success
    ? []
    : (mapping.schema.safeParse(withRequiredParts(mapping.schema, harvested.body)).error?.issues ??
      parsed.error.issues);
  const gaps = gapsOf(issues, mapping.advise?.(draft) ?? [], { mapping, input, environment, edits, grown, harvested });
  if (parsed.success && !gaps.some((gap) => gap.severity === 'blocks'))
    return { status: 'complete', body: parsed.data, provenance, gaps };
  return { status: 'incomplete', draft, provenance, gaps };
}

function asObject(grown: Grown | undefined): GrownObject {
  return grown?.kind === 'object' ? grown : { kind: 'object', fields: new Map() };
}

function withCleared(
  provenance: MappingResult<unknown>['provenance'],
  cleared: readonly Cleared[],
): MappingResult<unknown>['provenance'] {
  return cleared.length === 0 ? provenance : [...provenance, ...cleared];
}
