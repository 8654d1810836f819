import type { Gap, Option, Provenance } from '../../core/mapping/result.ts';
import type { Leaves } from './leaves.ts';

/** The options at one target. Several questions there (name and kind of release) may offer the same reading. */
export function optionsOf(choices: readonly Gap[]): Option[] {
  const all = choices.flatMap(({ options = [] }) => options);
  return [...new Map(all.toReversed().map((option) => [option.value, option])).values()].toReversed();
}

/** Whether the options are readings of the chart; those of any other gap are offered and not certain. */
export function saysOptions({ reason }: Gap): boolean {
  return reason === 'choice';
}

/**
 * The provenance of the leaves, with the text of each reading that a person chose: the chart has both readings, so the
 * choice replaced nothing in it.
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
