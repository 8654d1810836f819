import type { ComponentChildren, VNode } from 'preact';
import type { Candidate, Choice } from '../../../core/roles/chart.ts';
import { resourceWords, sentence } from '../../request/field-words.ts';
import { candidateId, Refused } from '../../ui/candidates.tsx';
import { attachListed, documentsWords, review } from '../review/words.ts';

interface DocumentsProps {
  readonly choice: Choice | undefined;
  /** Whether all of the chart was read. */
  readonly isWhole: boolean;
  /** Whether one button may tick all that is suggested. */
  readonly mayAttachAll: boolean;
  /** Address of what a document says in full; without it there is no preview. */
  readonly previewOf?: ((reference: string) => string) | undefined;
  /** What was carried over from an earlier request, and files that a person attached. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** How many documents go, and how many are suggested and do not. */
export function documentCounts(choice: Choice | undefined): { readonly attached: number; readonly open: number } {
  const usable = (choice?.candidates ?? []).filter(({ fits }) => fits);
  return {
    attached: usable.filter(({ taken }) => taken === true).length,
    open: usable.filter(isSuggested).length,
  };
}

/** References of what is suggested and does not go yet: what the one button ticks. Never what is sensitive. */
export function suggestedIn(choice: Choice | undefined): string[] {
  const open = (choice?.candidates ?? []).filter((candidate) => candidate.fits && isSuggested(candidate));
  return open.map(({ reference }) => reference);
}

function isSuggested({ suggested, sensitive, taken }: Candidate): boolean {
  return suggested === true && sensitive === undefined && taken !== true;
}

/**
 * Supporting facts of the chart: what goes and what is suggested in sight, each with what it says and why; the rest by
 * kind, folded. Nothing goes unless it is ticked.
 */
export function SupportingDocuments({
  choice,
  isWhole,
  mayAttachAll,
  previewOf,
  before,
  after,
}: DocumentsProps): VNode {
  const candidates = choice?.candidates ?? [];
  const usable = candidates.filter(({ fits }) => fits);
  const unusable = candidates.filter(({ fits }) => !fits);
  const listed = usable.filter((candidate) => candidate.taken === true || isSuggested(candidate));
  const rest = usable.filter((candidate) => !listed.includes(candidate));
  const { attached, open } = documentCounts(choice);
  const row = (candidate: Candidate) => (
    <DocumentRow key={candidate.reference} candidate={candidate} previewOf={previewOf} />
  );
  return (
    <section class="card documents" id="section-evidence" aria-labelledby="title-evidence" tabIndex={-1}>
      <h2 id="title-evidence">
        {review.documents} <span class="quiet-text">{documentsWords(attached, open)}</span>
      </h2>
      {usable
        .filter(({ taken }) => taken === true)
        .map(({ reference }) => (
          <input key={reference} type="hidden" name="o.evidence" value={reference} />
        ))}
      {before}
      {usable.length === 0 && <p class="hint">{isWhole ? review.noDocuments : review.noDocumentsRead}</p>}
      {usable.length > 0 && <p class="hint">{review.onlyChecked}</p>}
      {listed.map(row)}
      {mayAttachAll && open > 0 && (
        <div class="picks">
          <button type="submit" name="action" value="attach" class="secondary">
            {attachListed(open)}
          </button>
        </div>
      )}
      {attached === 0 && usable.length > 0 && <p class="hint">{review.noneAttached}</p>}
      {rest.length > 0 && (
        <details class="others" id="more-documents">
          <summary>
            {review.moreDocuments} ({rest.length})
          </summary>
          {[...Map.groupBy(rest, ({ group }) => group ?? 'Other')].map(([group, members]) => (
            <fieldset key={group} class="choice">
              <legend>{group}</legend>
              {members.map(row)}
            </fieldset>
          ))}
        </details>
      )}
      {unusable.length > 0 && (
        <details class="others" id="unusable-documents">
          <summary>
            {review.cannotBeSent} ({unusable.length})
          </summary>
          <Refused candidates={unusable} />
        </details>
      )}
      {after}
    </section>
  );
}

function DocumentRow({
  candidate,
  previewOf,
}: {
  readonly candidate: Candidate;
  readonly previewOf: DocumentsProps['previewOf'];
}): VNode {
  const { reference, label, detail, taken } = candidate;
  const id = candidateId(reference);
  const why = whyOf(candidate);
  return (
    <div class="document">
      <input id={id} type="checkbox" name="evidence" value={reference} checked={taken === true} />
      <label for={id}>
        {label}
        {detail !== undefined && <span class="reason">{detail}</span>}
        <span class="reason">
          {why === undefined ? '' : `${why} `}
          {sentence(`from the ${resourceWords(reference)}`)}
        </span>
      </label>
      {previewOf !== undefined && (
        <a class="preview" href={previewOf(reference)}>
          Preview<span class="hidden"> of {label}</span>
        </a>
      )}
    </div>
  );
}

/** Why a document is suggested, as clinic staff say it. */
const reasons: Readonly<Record<string, string>> = {
  'the order names it as its reason': 'reason for the order',
  'it was written at the visit of the order': 'note from the visit when this was ordered',
  'a treatment that usually comes before this drug': 'usual first-line treatment',
  'a treatment that usually comes first is not tolerated': 'usual first-line treatment not tolerated',
  'the patient was on the ordered drug before': 'earlier use of this drug',
  'commonly asked for with this drug': 'commonly required with this drug',
};

/** Why nobody could judge whether it is sensitive, as clinic staff say it. */
const unjudgedWords: Readonly<Record<string, string>> = {
  'not read': 'Not read. If you check it, it is read before it is sent.',
  'only its beginning was read': 'Too long to be read in full. Look through it before you check it.',
  'a code of it comes without words': 'The chart has only a code for it. Look at it before you check it.',
};

const checked = 'Attached because you checked it.';
const unchecked = 'Sent only if you check it.';

/** Why it goes or could go, in a sentence; nothing for what is only offered. */
export function whyOf({ reason, suggested, sensitive, unjudged, taken }: Candidate): string | undefined {
  if (sensitive !== undefined) return `Sensitive (${sensitive}). ${taken === true ? checked : unchecked}`;
  if (taken === true) return reason === 'ticked by a person' ? 'Attached.' : 'Attached by your clinic’s setting.';
  if (unjudged !== undefined) return unjudgedWords[unjudged] ?? `Not suggested: ${unjudged}.`;
  if (suggested !== true) return undefined;
  const why = reason.replace(/^suggested: /, '');
  return sentence(`suggested: ${reasons[why] ?? why}`);
}
