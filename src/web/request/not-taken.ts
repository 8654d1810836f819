import { refusals } from '../../core/fhir/references/refusals.ts';
import { refusedIn } from '../../core/mapping/refused.ts';
import type { Gap, RefusedValue } from '../../core/mapping/result.ts';
import { isWithin } from '../../core/mapping/target.ts';
import { saysOptions } from './chosen.ts';
import type { Draft } from './draft.ts';

/** Values of the chart that could not be used where a person entered a value, as text, by target. */
export type NotTaken = Readonly<Record<string, readonly string[]>>;

type Entries = Pick<Draft, 'provenance' | 'chartResult'>;

/** `NotTaken` for each leaf that a person entered and the chart did not fill. */
export function notTakenIn(draft: Entries): NotTaken {
  return saidAt(draft, (target, gaps) => {
    const asked = gaps
      .filter((gap) => gap.target === target && saysOptions(gap))
      .flatMap(({ options = [] }) => options);
    if (asked.length > 0) return asked.map(({ label }) => `“${label}”`);
    return refusedIn(gaps.flatMap(({ looks }) => looks)).flatMap(refusedWords);
  });
}

/**
 * Values that were proposed where a person made an entry and that the chart does not state, each with the reason for
 * the proposal.
 */
export function proposedIn(draft: Entries): NotTaken {
  return saidAt(draft, (target, gaps) =>
    gaps
      .filter((gap) => gap.target === target && !saysOptions(gap))
      .flatMap(({ options = [] }) => options)
      .map(({ label, reason }) => `“${label}”${reason === undefined ? '' : ` (${reason})`}`),
  );
}

function saidAt(
  { provenance, chartResult }: Entries,
  wordsOf: (target: string, gaps: readonly Gap[]) => readonly string[],
): NotTaken {
  const entered = [...provenance.values()].filter(({ kind, replaces }) => kind === 'entered' && replaces === undefined);
  return Object.fromEntries(
    entered.flatMap(({ target }) => {
      const gaps = chartResult.gaps.filter((gap) => isWithin(target, gap.target));
      const said = [...new Set(wordsOf(target, gaps))];
      return said.length === 0 ? [] : [[target, said.slice(0, mostSaid)] as const];
    }),
  );
}

const mostSaid = 3;

function refusedWords({ value, why, words }: RefusedValue): string[] {
  return value === undefined ? [] : [`“${value}” (${words ?? refusals[why].staff})`];
}
