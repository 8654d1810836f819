import { type CaseKind, type Entries, isEditable } from '../../../cases/case.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Deps } from '../../http/deps.ts';
import { userOf } from '../../http/user.ts';
import { answersOf, editsOf, type Form, textOf } from '../form.ts';
import type { SectionSpec } from '../labels.ts';
import { sheetEntriesOf } from '../payer-answers.ts';
import { enteredByOf } from './entered-by.ts';
import { enteredForOf } from './entered-for.ts';
import { replacedBy } from './replaced.ts';

/**
 * Keeps the entries of a review form if its chart can no longer be read, because the session ended while a person
 * typed. Returns false if the order has no draft to keep them in. A consent is kept as typed, since no signed-in user
 * could record it.
 */
export async function keepTyped(
  deps: Pick<Deps, 'cases' | 'clock' | 'typedWord'>,
  typed: {
    readonly launch: Launch;
    readonly kind: CaseKind;
    /** MedicationRequest id. */
    readonly order: string;
    readonly sections: readonly SectionSpec[];
    readonly form: Form;
  },
): Promise<boolean> {
  const { launch, kind, order, sections, form } = typed;
  const patient = `Patient/${launch.patient}`;
  if (textOf(form, 'patient') !== deps.cases.patientMark(launch.site.id, patient)) return false;
  const cases = await deps.cases.forPatient(launch.site.id, patient);
  const draft = cases.find((one) => one.kind === kind && one.order === `MedicationRequest/${order}` && isEditable(one));
  if (draft === undefined) return false;
  const by = { user: userOf(launch), at: deps.clock().toISOString() };
  await deps.cases.saveDraft(draft.id, (before) => {
    // without the chart's values, a typed text stays an entry even if the chart says the same
    const edits = editsOf(form, sections, before.edits, new Map(), deps.typedWord);
    const answers = answersOf(form, before.answers);
    const sheet = sheetEntriesOf(form, before, by);
    return {
      edits,
      answers,
      enteredBy: enteredByOf(before, { edits, answers }, by),
      enteredFor: enteredForOf(form, before, edits),
      ...sheet,
      ...replacedBy(form, before, { edits, answers, ...sheet }, { sections, user: by.user }),
      ...consentEntryOf(form, before),
    };
  });
  return true;
}

function consentEntryOf(form: Form, { consent }: Pick<Entries, 'consent'>): Pick<Entries, 'consentEntry'> {
  if (!('consent.by' in form)) return {};
  const entry = { by: textOf(form, 'consent.by'), on: textOf(form, 'consent.on'), how: textOf(form, 'consent.how') };
  const isRecorded = consent?.by === entry.by && consent.on === entry.on && consent.how === entry.how;
  return isRecorded ? {} : { consentEntry: entry };
}
