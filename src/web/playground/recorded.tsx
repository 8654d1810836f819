import type { VNode } from 'preact';
import { Page } from '../parts/page.tsx';

export interface RecordedView {
  /** Address of the review page. */
  readonly review: string;
  readonly problem?: string;
  /** Places where an original value is still found, or answers that changed. */
  readonly refusals?: readonly string[];
  readonly folder?: string;
  readonly files?: readonly string[];
}

/** What became of a recording. */
export function RecordedPage({ view }: { readonly view: RecordedView }): VNode {
  const { review, problem, refusals, folder, files = [] } = view;
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
              Names, addresses, identifiers, notes and attachments are replaced and dates moved. The expectation files
              hold what the mapping gives today: read them against bundle.json, then move the folder to fixtures/charts.
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

/** At the foot of the review page, where the configuration allows it. */
export function RecordBlock({ here, token }: { readonly here: string; readonly token: string }): VNode {
  return (
    <form method="post" action={`${here}/record`} class="record">
      <input type="hidden" name="token" value={token} />
      <label for="record-name">
        Record this chart as a mapping case, without what identifies anyone and without what you entered here. Its name
        states the behaviour:
      </label>
      <div class="record-row">
        <input
          id="record-name"
          type="text"
          name="name"
          required
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="small letters, digits and hyphens"
          autocomplete="off"
        />
        <button type="submit" class="secondary outline">
          Record as a fixture
        </button>
      </div>
    </form>
  );
}
