import type { Entries } from '../../../cases/case.ts';
import { coverageTargets } from '../../../core/contract/groups.ts';
import type { Edits } from '../../../core/mapping/result.ts';
import type { Draft } from '../draft.ts';
import { type Form, textOf } from '../form.ts';
import { leafLabel, type SectionSpec } from '../labels.ts';

/** For each plan value that a person changed, the coverage that was chosen then. */
export function enteredForOf(
  form: Form,
  before: Pick<Entries, 'edits' | 'enteredFor'>,
  edits: Edits,
): NonNullable<Entries['enteredFor']> {
  const chosen = textOf(form, 'coverage');
  const kept = coverageTargets.flatMap((target) => {
    if (!(target in edits)) return [];
    const isNew = !(target in before.edits) || edits[target] !== before.edits[target];
    const coverage = isNew ? chosen : (before.enteredFor?.[target] ?? '');
    return coverage === '' ? [] : [[target, coverage] as const];
  });
  return Object.fromEntries(kept);
}

/** A sentence for each entry that belongs to another coverage, and so is kept but not sent. */
export function otherPlanNotes(
  { case: { setAside = {} }, chart }: Pick<Draft, 'case' | 'chart'>,
  sections: readonly SectionSpec[],
): string[] {
  const candidates = chart.choice('coverage')?.candidates ?? [];
  return Object.entries(setAside).flatMap(([coverage, edits]) => {
    const plan = candidates.find(({ reference }) => reference === coverage)?.label ?? 'a plan no longer in the chart';
    return Object.entries(edits).map(([target, value]) => {
      const what = value === null ? 'was cleared' : `“${String(value)}” was entered`;
      const stays = 'It stays with that plan and is not sent with this one.';
      return `${leafLabel(target, sections)} ${what} for ${plan}. ${stays}`;
    });
  });
}
