import type { VNode } from 'preact';
import type { ErrorCode, ErrorFacts } from '../../errors.ts';
import { Page } from '../parts/page.tsx';
import { OperatorFacts } from '../parts/problem.tsx';

export interface ErrorView {
  readonly code: ErrorCode;
  readonly title: string;
  readonly next: string;
  /** Facts that may be shown: counts, codes, resource types. */
  readonly facts: ErrorFacts;
  /** Request id: what the reader tells the operator. */
  readonly reference: string;
  readonly home?: string | undefined;
  /** Address of the request that the failure is about. */
  readonly case?: string | undefined;
  /** Address to open in a new window, where it works. */
  readonly ownWindow?: string | undefined;
}

export function ErrorPage({ view }: { readonly view: ErrorView }): VNode {
  return (
    <Page title="Problem" {...(view.home === undefined ? {} : { home: view.home })}>
      <section class="card problem" aria-labelledby="problem">
        <h1 id="problem">{view.title}</h1>
        <p class="next">{view.next}</p>
        {view.ownWindow !== undefined && (
          <p>
            <a class="button" href={view.ownWindow} target="_blank" rel="noopener">
              Open in a new window
            </a>
          </p>
        )}
        {view.case !== undefined && (
          <p>
            <a class="button" href={view.case}>
              Open the page of this request
            </a>
          </p>
        )}
        {view.home !== undefined && (
          <p>
            <a href={view.home}>Back to this patient’s orders</a>
          </p>
        )}
        <OperatorFacts code={view.code} facts={Object.entries(view.facts)} />
        <p class="reference">
          Reference for the operator: <code>{view.reference}</code> ({view.code})
        </p>
      </section>
    </Page>
  );
}
