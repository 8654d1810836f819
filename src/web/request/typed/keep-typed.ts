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
 * Keeps the entries of a review form when the session ended while a person typed, so that the chart cannot be read.
 * Returns false if the order has no draft. A consent is kept as typed, because recording it needs a signed-in user.
 */
export async function keepTyped(
  deps: Pick<Deps, 'cases' | 'clock' | 'typedWord'>,
  typed: {
    readonly launch: Launch;
    readonly kind: CaseKind;
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
    // Without the chart's values, text that equals the chart's value stays an entry.
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
