import { refusals } from '../../core/fhir/references/refusals.ts';
import { refusedIn } from '../../core/mapping/refused.ts';
import type { RefusedValue } from '../../core/mapping/result.ts';
import { isWithin } from '../../core/mapping/target.ts';
import type { Draft } from './draft.ts';

/** The chart's values, in words, that could not be used where a person made an entry, by the entry's target. */
export type NotTaken = Readonly<Record<string, readonly string[]>>;

/** For each entered leaf that the chart itself does not fill. */
export function notTakenIn({ provenance, chartGaps }: Pick<Draft, 'provenance' | 'chartGaps'>): NotTaken {
  const entered = [...provenance.values()].filter(({ kind, replaces }) => kind === 'entered' && replaces === undefined);
  return Object.fromEntries(
    entered.flatMap(({ target }) => {
      const gaps = chartGaps.filter((gap) => isWithin(target, gap.target));
      const asked = gaps.filter((gap) => gap.target === target).flatMap(({ options = [] }) => options);
      const refused = refusedIn(gaps.flatMap(({ looks }) => looks)).flatMap(refusedWords);
      const said = [...new Set(asked.length > 0 ? asked.map(({ label }) => `“${label}”`) : refused)];
      return said.length === 0 ? [] : [[target, said.slice(0, mostSaid)] as const];
    }),
  );
}

const mostSaid = 3;

function refusedWords({ value, why, words }: RefusedValue): string[] {
  return value === undefined ? [] : [`“${value}” (${words ?? refusals[why].staff})`];
}
