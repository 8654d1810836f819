import type { ComponentChildren, VNode } from 'preact';
import type { Candidate, Choice } from '../../../core/roles/chart.ts';
import { resourceWords, sentence } from '../../request/field-words.ts';
import { toldApart } from '../../request/told-apart.ts';
import { candidateId, RefusedCandidates } from '../../ui/candidates.tsx';
import { attachListed, documentsWords, review } from '../review/words.ts';

interface DocumentsProps {
  readonly choice: Choice | undefined;
  /** true if the whole chart was read. */
  readonly isWhole: boolean;
  /** true if one button may select all suggested documents. */
  readonly mayAttachAll: boolean;
  /** Returns the URL of a document's preview; absent if there are no previews. */
  readonly previewOf?: ((reference: string) => string) | undefined;
  /** Shown before and after the list: items carried over from an earlier request, and files that a person attached. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** How many documents are attached, and how many are suggested but not attached. */
export function documentCounts(choice: Choice | undefined): { readonly attached: number; readonly open: number } {
  const usable = (choice?.candidates ?? []).filter(({ fits }) => fits);
  return {
    attached: usable.filter(({ taken }) => taken === true).length,
    open: usable.filter(isSuggested).length,
  };
}

/** References of suggested documents that are not attached yet. One button selects them all, so none is sensitive. */
export function suggestedIn(choice: Choice | undefined): string[] {
  const open = (choice?.candidates ?? []).filter((candidate) => candidate.fits && isSuggested(candidate));
  return open.map(({ reference }) => reference);
}

function isSuggested({ suggested, sensitive, taken }: Candidate): boolean {
  return suggested === true && sensitive === undefined && taken !== true;
}

/**
 * The chart's documents. Attached and suggested documents are shown with their content and the reason; other documents
 * are folded by kind. Only selected documents are sent.
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
  const usable = toldApart(candidates.filter(({ fits }) => fits));
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
          <RefusedCandidates candidates={unusable} />
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

/** Why a document is suggested, in the words of clinic staff. */
const reasons: Readonly<Record<string, string>> = {
  'the order names it as its reason': 'reason for the order',
  'it was written at the visit of the order': 'note from the visit when this was ordered',
  'a treatment that usually comes before this drug': 'usual first-line treatment',
  'a treatment that usually comes first is not tolerated': 'usual first-line treatment not tolerated',
  'the patient was on the ordered drug before': 'earlier use of this drug',
  'commonly asked for with this drug': 'commonly required with this drug',
};

/** Why the bridge cannot tell whether a document is sensitive, in the words of clinic staff. */
const unjudgedWords: Readonly<Record<string, string>> = {
  'not read': 'Not read. If you check it, it is read before it is sent.',
  'only its beginning was read': 'Too long to be read in full. Look through it before you check it.',
  'a code of it comes without words': 'The chart has only a code for it. Look at it before you check it.',
};

const checked = 'Attached because you checked it.';
const unchecked = 'Sent only if you check it.';

/** Why a document is attached or suggested, as a sentence; undefined for other documents. */
export function whyOf({ reason, suggested, sensitive, unjudged, taken }: Candidate): string | undefined {
  if (sensitive !== undefined) return `Sensitive (${sensitive}). ${taken === true ? checked : unchecked}`;
  if (taken === true) return reason === 'ticked by a person' ? 'Attached.' : 'Attached by your clinic’s setting.';
  if (unjudged !== undefined) return unjudgedWords[unjudged] ?? `Not suggested: ${unjudged}.`;
  if (suggested !== true) return undefined;
  const why = reason.replace(/^suggested: /, '');
  return sentence(`suggested: ${reasons[why] ?? why}`);
}
