import { type BridgeError, errors } from '../core/errors.ts';
import type { Problem } from './case.ts';

export function problemOf(error: BridgeError, at: string): Problem {
  const { fields } = error.facts;
  return {
    code: error.code,
    text: `${errors[error.code].title} ${error.next}`,
    facts: error.facts,
    ...(Array.isArray(fields) ? { fields } : {}),
    at,
  };
}

/** The problem that other records of ours exist at the service, with the time of its first report. */
export function problemOfOthers(
  others: readonly string[],
  before: Problem | undefined,
  at: string,
): Problem | undefined {
  if (others.length === 0) return undefined;
  const code = 'service_second_request';
  const { title, next } = errors[code];
  const text = `${title.replace(/\.$/, '')} (${others.join(', ')}). ${next}`;
  return before?.text === text ? before : { code, text, facts: { service_ids: others }, at };
}
