import type { VNode } from 'preact';
import { type Entries, userText } from '../../cases/case.ts';

const ways = ['Signed form', 'Spoken, in the practice', 'Spoken, by phone', 'Patient portal'] as const;

/** Who consented to the enrollment, when and how it was recorded. Without it nothing is sent. */
export function ConsentBlock({
  consent,
  entry,
}: {
  readonly consent: Entries['consent'];
  readonly entry: Entries['consentEntry'];
}): VNode {
  const typed = consent ?? entry;
  return (
    <fieldset class="choice">
      <legend>Consent to share this data with the program</legend>
      {consent !== undefined && (
        <p class="hint">
          Recorded by {userText(consent.recordedBy)}: {consent.by} consented on {consent.on} ({consent.how}).
        </p>
      )}
      <div class="fields">
        <div class="field">
          <label for="consent-by">Given by</label>
          <input
            id="consent-by"
            name="consent.by"
            type="text"
            autocomplete="off"
            value={typed?.by ?? ''}
            aria-describedby="consent-by-hint"
          />
          <p class="hint" id="consent-by-hint">
            The patient, or the person who may decide for the patient.
          </p>
        </div>
        <div class="field">
          <label for="consent-on">On</label>
          <input id="consent-on" name="consent.on" type="date" value={typed?.on ?? ''} />
        </div>
        <div class="field">
          <label for="consent-how">Recorded as</label>
          <select id="consent-how" name="consent.how">
            <option value="">Choose…</option>
            {ways.map((way) => (
              <option key={way} value={way} selected={way === typed?.how}>
                {way}
              </option>
            ))}
          </select>
        </div>
      </div>
    </fieldset>
  );
}
