import type { VNode } from 'preact';
import { Page } from '../../web/ui/page.tsx';

export interface RecordedView {
  readonly review: string;
  readonly problem?: string;
  /** The places where identifying data of the chart is still in the output, and the results that changed. */
  readonly refusals?: readonly string[];
  /** The order's directions, shown before anything is recorded. */
  readonly ask?: AskedSigs;
  readonly folder?: string;
  readonly files?: readonly string[];
}

/** Directions that a person must read and confirm before they are kept. */
export interface AskedSigs {
  /** The URL that records. */
  readonly here: string;
  readonly token: string;
  readonly name: string;
  readonly sigs: readonly string[];
  /** Hash of the directions. The form sends it back with the confirmation. */
  readonly mark: string;
}

/** The result of a recording, or the question that comes before it. */
export function RecordedPage({ view }: { readonly view: RecordedView }): VNode {
  const { review, problem, refusals, ask, folder, files = [] } = view;
  if (ask !== undefined) return <SigsPage ask={ask} review={review} />;
  return (
    <Page title="Record a mapping case">
      <section class={folder === undefined ? 'card problem' : 'card'}>
        <h1>{folder === undefined ? 'Nothing was written' : 'The chart is recorded as a mapping case'}</h1>
        {problem !== undefined && <p>{problem}</p>}
        {refusals !== undefined && (
          <>
            <p>The chart could not be made free of what identifies people without changing what the mapping answers:</p>
            <ul>
              {refusals.map((refusal) => (
                <li key={refusal}>{refusal}</li>
              ))}
            </ul>
          </>
        )}
        {folder !== undefined && (
          <>
            <p>
              <code>{folder}</code> has {files.join(', ')}.
            </p>
            <p class="hint">
              Everything is replaced but codes, quantities and the public words of drug names; dates are moved.
              expected.json holds what the mapping gives today: read it against bundle.json, then move the folder to
              fixtures/charts.
            </p>
          </>
        )}
        <p>
          <a href={review}>Back to the review</a>
        </p>
      </section>
    </Page>
  );
}

function SigsPage({ ask, review }: { readonly ask: AskedSigs; readonly review: string }): VNode {
  const { here, token, name, sigs, mark } = ask;
  return (
    <Page title="Record a mapping case">
      <section class="card">
        <p>
          <a href={review}>Back to the review</a>
        </p>
        <h1>The order’s directions</h1>
        <p>They are free text, so only their amounts and times are kept unless you have read them:</p>
        <ul>
          {sigs.map((sig) => (
            <li key={sig}>{sig}</li>
          ))}
        </ul>
        <form method="post" action={here}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="name" value={name} />
          <input type="hidden" name="sigs" value={mark} />
          <label>
            <input type="checkbox" name="keep" value={mark} />I have read them: they name nobody, no place and no date.
            Keep them as they are.
          </label>
          <button type="submit">Record</button>
        </form>
      </section>
    </Page>
  );
}
