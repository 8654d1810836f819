import type { z } from 'zod';
import type { MappingInput } from '../../src/core/mapping/input.ts';
import { bodyOf } from '../../src/core/mapping/run/body.ts';
import { withoutAsked } from '../../src/core/mapping/run/edited.ts';
import { environmentOf } from '../../src/core/mapping/run/environment.ts';
import { gapsOf } from '../../src/core/mapping/run/gaps.ts';
import { markDecoded } from '../../src/core/mapping/run/mark-decoded.ts';
import { openQuestions } from '../../src/core/mapping/run/open-questions.ts';
import { provenanceOf } from '../../src/core/mapping/run/provenance.ts';
import { withRequiredParts } from '../../src/core/mapping/schema.ts';
import type { Mapping } from '../../src/core/mapping/words/define.ts';
import type { DeepPartial } from '../../src/core/mapping/words/rules.ts';
import { interpretValues } from './interpret-values.ts';
import { interpretedPlan } from './interpreted-plan.ts';

/** What a run has to say, in the words of its JSON. */
export interface Interpreted {
  readonly body: unknown;
  readonly gaps: readonly unknown[];
  readonly provenance: readonly unknown[];
}

/**
 * A mapping of a chart without any code that is generated: paths and plan are walked, and zod alone judges the body.
 * Without edits of a person.
 */
export function runInterpreted<T>(compiled: Mapping<T>, input: MappingInput): Interpreted {
  const mapping = { ...compiled, plan: interpretedPlan(compiled.plan) };
  const environment = environmentOf(input);
  const questions = openQuestions(mapping, input, {});
  const blocked = questions.flatMap(({ question, place }) => (question.severity === 'blocks' ? [place.target] : []));
  const open = withoutAsked(interpretValues(mapping.plan, environment), blocked, mapping.followers);
  const values = input.decodedAt === undefined ? open : markDecoded(open, input.decodedAt);
  const body = bodyOf(values);
  const judgment = judgedByZod(mapping.schema, body.value);
  // a part of T at most: its keys are those of the rules
  const draft = body.value as DeepPartial<T>;
  const advice = mapping.advise?.(draft, { today: input.today, isEntered: () => false }) ?? [];
  const issues = 'issues' in judgment ? judgment.issues : [];
  const gaps = gapsOf({ questions, issues, advice }, { mapping, input, environment, values, cleared: [], body });
  const isComplete = issues.length === 0 && gaps.every(({ severity }) => severity !== 'blocks');
  const whole = isComplete && 'data' in judgment ? judgment.data : draft;
  return { body: whole, gaps: gaps.map((gap) => gap.toJSON()), provenance: provenanceOf(values) };
}

type JudgedByZod = { readonly data: unknown } | { readonly issues: readonly z.core.$ZodIssue[] };

function judgedByZod(schema: z.ZodType, value: unknown): JudgedByZod {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { data: parsed.data };
  // of a required part that is missing each required leaf is named
  const filled = schema.safeParse(withRequiredParts(schema, value));
  return { issues: (filled.error ?? parsed.error).issues };
}
