import type { VNode } from 'preact';
import type { CodeSet } from '../../../store/types.ts';
import { search } from '../documents/words.ts';
import type { FoundPharmacy } from './search-pharmacies.ts';

interface CodeSearchProps {
  /** Address of the review page. */
  readonly here: string;
  readonly label: string;
  /** Typed text that is not a code yet. */
  readonly text: string;
  /** The loaded code file, in which words are searched. */
  readonly file: CodeSet | undefined;
  /** YYYY-MM-DD, the site's day. */
  readonly today: string | undefined;
  /** A point about the diagnoses blocks sending. */
  readonly asking: boolean;
  /** Ids of the messages about the diagnoses. */
  readonly describedBy: readonly string[];
}

/**
 * The field for typed codes. With scripts it searches while typing (`data-find`, see documents.js); the link beside it
 * does the same without scripts.
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
 * Whether a newer ICD-10-CM edition than the given year's is in force: an edition is for a fiscal year, which begins on
 * October 1 of the previous calendar year.
 */
export function isOlderEdition(year: string, today: string): boolean {
  const [current, month] = today.split('-').map(Number);
  return current !== undefined && Number(year) < current + ((month ?? 0) >= 10 ? 1 : 0);
}

/** Pharmacies to select with one click, and the link to others, above the pharmacy fields. */
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

/** The name of these buttons in the review form. */
export const likelyPharmacy = 'likely-pharmacy';
