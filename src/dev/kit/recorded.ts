import type { MappingKind } from '../../core/contract/kinds.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { type CaseExpectation, caseOfResult, type ExpectedGap, plainGap } from '../../core/mapping/compare-case.ts';
import type { MappingResult } from '../../core/mapping/result.ts';
import type { Chart, Choice } from '../../core/roles/chart.ts';
import type { Expected } from './expected.ts';

/**
 * Everything that people see of one chart in its mappings. `recorded.json` of a mapping case has the recorded parts
 * that `expected.json` does not state. A difference from `recorded.json` only shows that something changed. What is
 * correct is worked out by hand in `expected.json`.
 */
export interface Recording extends Readonly<Partial<Record<MappingKind, RecordedResult>>> {
  readonly warnings: readonly string[];
  /**
   * For each role: the choice with its reason, then every candidate with its reason, as in `Coverage/c2: no, it ended
   * on 2020-01-01`.
   */
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

interface RecordedResult {
  readonly status: string;
  /**
   * Texts of more than 200 characters are replaced by their length. So an image is compared only if `expected.json`
   * states it.
   */
  readonly body: unknown;
  readonly gaps: readonly ExpectedGap[];
}

export function recordingOf(
  chart: Chart,
  results: Readonly<Partial<Record<MappingKind, MappingResult<unknown>>>>,
): Recording {
  return {
    ...Object.fromEntries(Object.entries(results).map(([kind, result]) => [kind, recorded(result)])),
    warnings: chart.warnings,
    choices: Object.fromEntries(chart.choices.filter(isBetween).map((choice) => [choice.role, choiceOf(choice)])),
  };
}

/** Returns the parts for `recorded.json`. Gaps are keyed by target, since `expected.json` identifies them already. */
export function unstated({ warnings, choices, ...results }: Recording, expected: Expected): object {
  const found = Object.entries(results) as [MappingKind, RecordedResult][]; // all other keys are kinds
  return {
    ...Object.fromEntries(found.map(([kind, result]) => [kind, unstatedResult(result, expected[kind])])),
    ...(expected.chart === undefined ? { warnings } : {}),
    choices,
  };
}

function unstatedResult({ status, body, gaps }: RecordedResult, stated: CaseExpectation = {}): object {
  const left = unstatedGaps(gaps, stated.gaps);
  return {
    status,
    ...(stated.body === undefined ? { body } : {}),
    ...(stated.gaps !== undefined && left.length === 0 ? {} : { gaps: Object.fromEntries(left) }),
  };
}

function unstatedGaps(gaps: readonly ExpectedGap[], stated?: readonly ExpectedGap[]): [string, object][] {
  const counts = new Map<string, number>();
  return gaps.flatMap(({ target, ...said }) => {
    const count = (counts.get(target) ?? 0) + 1;
    counts.set(target, count);
    const place = count === 1 ? target : `${target} (${count})`;
    const left = stated === undefined ? said : without(said, statedOf(stated, target, count));
    return Object.keys(left).length === 0 ? [] : [[place, left] as [string, object]];
  });
}

// Of a gap that `expected.json` states, these three members are compared there.
function statedOf(stated: readonly ExpectedGap[], target: string, count: number): object {
  const gap = stated.filter((one) => one.target === target)[count - 1];
  return { ...plainGap, ...gap };
}

function without(value: object, stated: object): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(stated, key)));
}

export function sortedText(value: unknown): string {
  const sort = (_key: string, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner;
  return `${JSON.stringify(value, sort, 2)}\n`;
}

function recorded(result: MappingResult<unknown>): RecordedResult {
  const { body, gaps } = caseOfResult(result);
  return { status: result.status, body: short(body), gaps };
}

// Roles without candidates are left out. Otherwise a new role would change every recording.
function isBetween({ chosen, candidates }: Choice): boolean {
  return chosen !== undefined || candidates.length > 0;
}

function choiceOf({ chosen = 'none', reason, candidates }: Choice): string[] {
  const seen = candidates.map((one) => `${one.reference}: ${one.fits ? 'fits' : 'no'}, ${one.reason}`);
  return [`${chosen}: ${reason}`, ...(candidates.length === 1 && candidates[0]?.reference === chosen ? [] : seen)];
}

function short(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'string' && inner.length > 200 ? `${inner.length} characters` : inner,
    ),
  );
}
