import type { VNode } from 'preact';
import { type Entries, userText } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { consentPicks } from '../../request/form.ts';
import { common } from '../../ui/common-words.ts';
import { stateOf } from '../../ui/control.tsx';
import type { FieldNotes } from '../../ui/source.tsx';
import { consent as words } from '../case/words.ts';

interface ConsentProps {
  readonly consent: Entries['consent'];
  readonly entry: Entries['consentEntry'];
  /** The text that the patient agrees to; '' while no program is chosen. */
  readonly wording: string;
  readonly patient: string;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string | undefined;
  /** The section's messages about the consent: why it is not recorded, or a warning. */
  readonly notes: FieldNotes;
}

/** The consent to the enrollment: who gave it, for what, when, and how it was recorded. Required for sending. */
export function ConsentBlock({ consent, entry, wording, patient, today, notes }: ConsentProps): VNode {
  const typed = consent ?? entry;
  const { by = '', on = '', how = '' } = typed ?? {};
  const { blocks, ids } = notes;
  const state = (invalid: boolean, ...own: readonly string[]) =>
    stateOf({ required: true, invalid: blocks && invalid, describedBy: [...own, ...ids].join(' ') });
  const mark = <span class="required">{common.required}</span>;
  return (
    <fieldset class="choice">
      <legend>{words.legend}</legend>
      {consent !== undefined && (
        <p class="hint">
          {words.recorded(userText(consent.recordedBy))}: {consent.by}, {dayText(consent.on)},{' '}
          {consent.how.toLowerCase()}.
        </p>
      )}
      <Wording agreed={consent?.wording} wording={wording} />
      <div class="fields">
        <div class="field">
          <label for="consent-by">
            {words.by} {mark}
          </label>
          <input
            id="consent-by"
            name="consent.by"
            type="text"
            autocomplete="off"
            value={by}
            {...state(by === '', 'consent-by-hint')}
          />
          <p class="hint" id="consent-by-hint">
            {words.byHint}
          </p>
        </div>
        <div class="field">
          <label for="consent-on">
            {words.on} {mark}
          </label>
          {/* If nothing else is missing, the messages are about the day. */}
          <input
            id="consent-on"
            name="consent.on"
            type="date"
            value={on}
            {...state(on === '' || (by !== '' && how !== ''))}
          />
        </div>
        <div class="field">
          <label for="consent-how">
            {words.how} {mark}
          </label>
          <select id="consent-how" name="consent.how" {...state(how === '')}>
            <option value="">{words.choose}</option>
            {waysWith(how).map((way) => (
              <option key={way} value={way} selected={way === how}>
                {way}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="picks">
        {by !== patient && <Pick name={consentPicks.by} value={patient} text={words.byPatient(patient)} />}
        {today !== undefined && on !== today && <Pick name={consentPicks.on} value={today} text={words.today} />}
      </p>
    </fieldset>
  );
}

/** A button that enters a value, so that nobody has to type it. */
function Pick({ name, value, text }: { readonly name: string; readonly value: string; readonly text: string }): VNode {
  return (
    <button type="submit" form="review" name={name} value={value} class="secondary">
      {text}
    </button>
  );
}

function Wording({ agreed, wording }: { readonly agreed: string | undefined; readonly wording: string }): VNode | null {
  // A recorded consent keeps the wording that was shown, even if the site's wording has changed since.
  const text = agreed ?? wording;
  if (text === '') return <p class="hint">{words.noProgram}</p>;
  return (
    <div class="wording">
      <p class="hint" id="consent-wording-name">
        {words.wording}
      </p>
      <blockquote aria-labelledby="consent-wording-name">{text}</blockquote>
      <input type="hidden" name="consent.wording" value={text} />
    </div>
  );
}

// A recorded method that this version does not offer stays selected.
function waysWith(recorded: string): readonly string[] {
  const ways: readonly string[] = words.ways;
  return recorded === '' || ways.includes(recorded) ? ways : [...ways, recorded];
}
