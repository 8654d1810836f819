import type { VNode } from 'preact';
import type { CodeSet } from '../../../store/types.ts';
import { search } from '../documents/words.ts';
import type { FoundPharmacy } from './search-pharmacies.ts';

interface CodeSearchProps {
  readonly here: string;
  readonly label: string;
  /** Typed text that is not a code. */
  readonly text: string;
  /** The loaded code file that is searched. */
  readonly file: CodeSet | undefined;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string | undefined;
  /** true if a problem with the diagnoses blocks sending. */
  readonly asking: boolean;
  /** Element ids of the messages about the diagnoses. */
  readonly describedBy: readonly string[];
}

/**
 * The field for typed codes. With scripts it searches while typing (`data-find`, see documents.js). Without scripts,
 * the link beside it leads to a search page.
 */
export function CodeSearch({ here, label, text, file, today, asking, describedBy }: CodeSearchProps): VNode {
  return (
    <div class={asking ? 'field blocked' : 'field'}>
      <label for="diagnosis-codes">{label}</label>
      <input
        id="diagnosis-codes"
        name="diagnosis-codes"
        type="text"
        autocomplete="off"
        value={text}
        data-find="diagnosis"
        data-several="true"
        aria-describedby={[...describedBy, 'diagnosis-codes-hint'].join(' ')}
        {...(asking ? { 'aria-invalid': 'true' as const } : {})}
      />
      <p class="hint" id="diagnosis-codes-hint">
        {file === undefined ? search.fieldHintWithoutFile : search.fieldHint(search.fromFile(file.year))}{' '}
        <a href={`${here}/find/diagnosis`} class="no-print">
          {search.codeLink}
        </a>
      </p>
      {file?.year !== undefined && today !== undefined && isOlderEdition(file.year, today) && (
        <div class="gap warns">
          <p>{search.oldFile(file.year)}</p>
        </div>
      )}
    </div>
  );
}

/**
 * true if a newer ICD-10-CM edition than `year` is in force. An edition is named for its fiscal year, which begins on
 * October 1 of the calendar year before.
 */
export function isOlderEdition(year: string, today: string): boolean {
  const [current, month] = today.split('-').map(Number);
  return current !== undefined && Number(year) < current + ((month ?? 0) >= 10 ? 1 : 0);
}

/** Pharmacies to choose with one click, and the link to search others. Shown above the pharmacy fields. */
export function PharmacySearch({
  here,
  likely,
}: {
  readonly here: string;
  readonly likely: readonly FoundPharmacy[];
}): VNode {
  return (
    <>
      {likely.length > 0 && (
        <fieldset class="likely">
          <legend>{search.likelyPharmacies}</legend>
          {likely.map(({ name, detail, note, fields }) => {
            const value = JSON.stringify(fields);
            return (
              <button key={value} type="submit" name={likelyPharmacy} value={value} class="secondary">
                <strong>{name}</strong> {detail}
                <span class="reason">{note}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      <p class="find-link">
        <a href={`${here}/find/pharmacy`}>{search.pharmacyLink}</a>
      </p>
    </>
  );
}

/** The name of the pharmacy buttons in the form. */
export const likelyPharmacy = 'likely-pharmacy';
