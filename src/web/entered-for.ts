import type { Entries } from '../cases/case.ts';
import type { Edits, Gap } from '../mapping/result.ts';
import type { Draft } from './draft.ts';
import { type Form, textOf } from './form.ts';
import { labelOf, type SectionSpec } from './labels.ts';

/**
 * For each insurance field that a person changed, the coverage that was chosen then: these values belong to one plan.
 */
export function enteredForOf(
  form: Form,
  sections: readonly SectionSpec[],
  before: Pick<Entries, 'edits' | 'enteredFor'>,
  edits: Edits,
): NonNullable<Entries['enteredFor']> {
  const chosen = textOf(form, 'coverage');
  const targets = sections
    .filter(({ id }) => id === 'insurance')
    .flatMap(({ fields }) => fields.map(({ target }) => target));
  const kept = targets.flatMap((target) => {
    if (!(target in edits)) return [];
    const isNew = !(target in before.edits) || edits[target] !== before.edits[target];
    const coverage = isNew ? chosen : (before.enteredFor?.[target] ?? '');
    return coverage === '' ? [] : [[target, coverage] as const];
  });
  return Object.fromEntries(kept);
}

/** A warning at each field that was changed while another coverage than the present one was chosen. */
export function otherPlanGaps(
  { case: { edits, enteredFor = {} }, chart }: Pick<Draft, 'case' | 'chart'>,
  sections: readonly SectionSpec[],
): Gap[] {
  const choice = chart.choices.find(({ role }) => role === 'coverage');
  if (choice?.chosen === undefined) return [];
  return Object.entries(enteredFor).flatMap(([target, coverage]): Gap[] => {
    if (coverage === choice.chosen) return [];
    const name =
      choice.candidates.find(({ reference }) => reference === coverage)?.label ?? 'one that the chart no longer has';
    const what = edits[target] === null ? 'was cleared' : 'was entered';
    return [
      {
        target,
        severity: 'warns',
        reason: 'advice',
        message:
          `${labelOf(target, sections)} ${what} while another coverage was chosen: ${name}. Check that it fits ` +
          'the one chosen now.',
        looks: [],
      },
    ];
  });
}
