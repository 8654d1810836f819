import { caseOf } from '../mapping/compare-case.ts';
import type { MappingResult } from '../mapping/result.ts';
import type { Chart, Choice } from '../roles/chart.ts';
import type { Kind } from '../service/kinds.ts';

/**
 * What `recorded.json` of a mapping case holds: everything that people see of one chart in its mappings, as it came
 * out when it was recorded. It guards sameness; that it is right is for the files beside it to say, which were worked
 * out by hand.
 */
export interface Recording extends Readonly<Partial<Record<Kind, RecordedResult>>> {
  readonly warnings: readonly string[];
  /**
   * For each role what was chosen and why, then every candidate with its reason: `Coverage/c2: no, it ended on
   * 2020-01-01`.
   */
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

interface RecordedResult {
  readonly status: string;
  /** Texts of more than 200 characters by their length: an image is compared where a hand wrote it down. */
  readonly body: unknown;
  readonly gaps: readonly object[];
}

export function recordingOf(chart: Chart, results: Readonly<Partial<Record<Kind, MappingResult<unknown>>>>): Recording {
  return {
    ...Object.fromEntries(Object.entries(results).map(([kind, result]) => [kind, recorded(result)])),
    warnings: chart.warnings,
    choices: Object.fromEntries(chart.choices.map((choice) => [choice.role, choiceOf(choice)])),
  };
}

function recorded(result: MappingResult<unknown>): RecordedResult {
  const { body, gaps } = caseOf(result);
  return { status: result.status, body: short(body), gaps };
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
