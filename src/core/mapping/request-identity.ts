import type { Resource } from 'fhir/r4.js';
import type { MappingResult } from './result.ts';

/** JSON of the body of a result, or of its draft. */
export function jsonOfResult(result: MappingResult<unknown>): string {
  return JSON.stringify(result.status === 'complete' ? result.body : result.draft);
}

/**
 * A text that is equal for results that make the same request, so that two exports of a chart do not make it twice. A
 * request identifies its patient and its order. A draft may lack them, so drafts are equal only if order and patient
 * (`about`) are also the same resources.
 *
 * `content` is the output of `jsonOfResult`. Runs compare digests of this text with those of earlier runs, so its form
 * must not change.
 */
export function requestIdentity(
  { status }: Pick<MappingResult<unknown>, 'status'>,
  content: string,
  about: readonly Resource[],
): string {
  return status === 'complete' ? `["request",${content}]` : `["draft",${content},${JSON.stringify(about)}]`;
}
