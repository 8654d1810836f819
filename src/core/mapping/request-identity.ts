import type { Resource } from 'fhir/r4.js';
import type { MappingResult } from './result.ts';

/** JSON of the body of a result, or of its draft. */
export function jsonOfResult(result: MappingResult<unknown>): string {
  return JSON.stringify(result.status === 'complete' ? result.body : result.draft);
}

/**
 * Equal for results that make the same request, so that it is not made twice from two exports of a chart. A request
 * identifies its patient and its order; a draft may lack them, so drafts are equal only if order and patient are also
 * the same resources. `content` is the output of `jsonOfResult` for the result. Runs compare digests of it with those
 * of earlier runs, so the form must not change.
 */
export function requestIdentity(
  { status }: Pick<MappingResult<unknown>, 'status'>,
  content: string,
  about: readonly Resource[],
): string {
  return status === 'complete' ? `["request",${content}]` : `["draft",${content},${JSON.stringify(about)}]`;
}
