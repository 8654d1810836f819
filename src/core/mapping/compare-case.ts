import { isObject } from '../fhir/is-object.ts';
import { type Difference, diffJson } from './diff.ts';
import type { Gap, MappingResult, Option, Provenance, Severity } from './result.ts';

/**
 * The expected result of a mapping case. Only the stated parts are compared.
 *
 * @example
 * const expectation: CaseExpectation = {
 *   body: { name: 'Anna' },
 *   gaps: [{ target: 'phone', severity: 'warns', reason: 'advice' }],
 *   sources: { name: { kind: 'chart', resource: 'Patient/p1', path: 'Patient.name[0].given[0]' } },
 * };
 */
export interface CaseExpectation {
  /** The body of a complete result, or the draft of an incomplete one. */
  readonly body?: unknown;
  /** Every gap, in the order of the targets. */
  readonly gaps?: readonly ExpectedGap[];
  /** The sources of leaves of the body, by target; other leaves are not compared. */
  readonly sources?: Readonly<Record<string, ExpectedSource>>;
}

/** An expected gap; message and options are compared only if stated. */
export interface ExpectedGap {
  readonly target: string;
  readonly severity: Severity;
  readonly reason: Gap['reason'];
  readonly message?: string;
  readonly options?: readonly Option[];
}

/** An expected source: the kind of the provenance, and the place for a value from the chart. */
export interface ExpectedSource {
  readonly kind: Provenance['kind'];
  readonly resource?: string;
  readonly path?: string;
}

/** One place where a result differs from its case. */
export interface CaseDifference extends Difference {
  /** The part of the expectation that contains `path`. */
  readonly of: keyof CaseExpectation;
}

/**
 * Compares a result with the expectation of its case: the body or draft, the gaps, and the sources of leaves. Pure; an
 * empty list means that the result is as expected.
 *
 * @example
 * const result = runMapping(priorAuth, chart);
 * compareCase(result, { gaps: [] }); // [] when nothing is missing or open
 */
export function compareCase(result: MappingResult<unknown>, expectation: CaseExpectation): CaseDifference[] {
  const found = asFarAsStated(caseOfResult(result), expectation);
  return parts.flatMap((of) => {
    const expected = expectation[of];
    return expected === undefined ? [] : diffJson(expected, found[of]).map((difference) => ({ of, ...difference }));
  });
}

/**
 * Reduces a result to what the expectation states: its sections, only the source leaves it names, only the keys each of
 * its gaps has.
 */
export function asFarAsStated(found: CaseExpectation, stated: CaseExpectation): CaseExpectation {
  const known = parts.filter((of) => stated[of] !== undefined && found[of] !== undefined);
  return Object.fromEntries(known.map((of) => [of, comparable[of](found[of], stated[of])]));
}

/** Everything about a result that a case can state. */
export function caseOfResult(result: MappingResult<unknown>): Required<CaseExpectation> {
  return {
    body: result.status === 'complete' ? result.body : result.draft,
    gaps: result.gaps.toSorted((left, right) => left.target.localeCompare(right.target)).map(expectedGap),
    sources: Object.fromEntries(result.provenance.map((each) => [each.target, expectedSource(each)])),
  };
}

const parts = ['body', 'gaps', 'sources'] as const;

// An expectation may come from a file and have any form; a part of a wrong form is a difference.
const comparable: Readonly<Record<keyof CaseExpectation, (found: unknown, expected: unknown) => unknown>> = {
  body: (found) => found,
  gaps: (found, expected) =>
    Array.isArray(found) && Array.isArray(expected)
      ? found.map((gap, index) => onlyKeysOf(gap, { ...plainGap, ...expected[index] }))
      : found,
  sources: onlyKeysOf,
};

/** The keys that are compared in every gap. */
export const plainGap = { target: '', severity: '', reason: '' };

function onlyKeysOf(found: unknown, expected: unknown): unknown {
  if (!isObject(found) || !isObject(expected)) return found;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]]));
}

function expectedGap({ target, severity, reason, message, options }: Gap): ExpectedGap {
  return options === undefined ? { target, severity, reason, message } : { target, severity, reason, message, options };
}

function expectedSource({ kind, source }: Provenance): ExpectedSource {
  return source === undefined ? { kind } : { kind, resource: source.resource, path: source.path };
}
