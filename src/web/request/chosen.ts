import type { Gap, Option, Provenance } from '../../core/mapping/result.ts';
import type { Leaves } from './leaves.ts';

/** The options for one target, each once. Several gaps (name and kind of release) may offer the same option. */
export function optionsOf(choices: readonly Gap[]): Option[] {
  const all = choices.flatMap(({ options = [] }) => options);
  return [...new Map(all.toReversed().map((option) => [option.value, option])).values()].toReversed();
}

/** true if the options of a gap are what the chart says; the options of other gaps are proposals. */
export function saysOptions({ reason }: Gap): boolean {
  return reason === 'choice';
}

/**
 * The provenance of the leaves, with a note for each option that a person chose. Such a choice replaces no value of the
 * chart, because the chart has every option.
 */
export function withChosenWords(
  provenance: readonly Provenance[],
  choices: readonly Gap[],
  values: Leaves,
): readonly Provenance[] {
  return provenance.map((entry) => {
    if (entry.kind !== 'entered') return entry;
    const asked = choices.filter(({ target }) => target === entry.target);
    const options = optionsOf(asked);
    const chosen = options.find(({ value }) => value === values.get(entry.target)?.toString());
    if (chosen === undefined) return entry;
    const { replaces: _, replacedKind: _kind, ...rest } = entry;
    const isSaid = asked.some((gap) => saysOptions(gap) && gap.options?.some(({ value }) => value === chosen.value));
    const how = isSaid ? 'chosen between what the chart says' : 'chosen from what was proposed';
    return { ...rest, note: chosen.reason === undefined ? how : `${how}; ${chosen.reason}` };
  });
}
