import type { Ended } from '../../cases/case.ts';
import { isAnswersItem } from '../../core/answers/sent-answers.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import type { MappingResult } from '../../core/mapping/result.ts';
import { changesBetween, type Leaves, leavesOf } from './leaves.ts';
import { keptValues } from './rules-change.ts';

/** Ids of the denied requests whose content equals this request: values, documents and answers. */
export function repeatedIn(going: MappingResult<unknown>, denied: readonly Ended[]): string[] {
  const asked = toCompare(going.status === 'complete' ? going.body : going.draft);
  return denied.filter(({ body }) => changesBetween(toCompare(body), asked).length === 0).map(({ id }) => id);
}

// The reference to an earlier request does not count as a difference.
function toCompare(body: unknown): Leaves {
  const kept = Object.entries(keptValues(leavesOf(isObject(body) ? withoutTimes(body) : body)));
  return new Map(kept.filter(([target]) => target !== 'resubmission_info.previous_prior_auth_request_id'));
}

// The day and the author are ignored, because the same answers get a new day in each request.
function withoutTimes(body: Readonly<Record<string, unknown>>): unknown {
  const { evidence, questionnaires } = body;
  return {
    ...body,
    ...(Array.isArray(evidence) ? { evidence: evidence.map((one) => (isAnswersItem(one) ? textOf(one) : one)) } : {}),
    ...(Array.isArray(questionnaires) ? { questionnaires: questionnaires.map(textOf) } : {}),
  };
}

function textOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { date_created: _, content, ...others } = item;
  if (!isObject(content) || !Array.isArray(content.stated)) return { ...others, content };
  const stated = content.stated.map((one) => (isObject(one) ? { cell: one.cell, text: one.text } : one));
  return { ...others, content: { ...content, stated } };
}
