import type { VNode } from 'preact';
import type { Banner } from '../../../cases/case.ts';
import type { ErrorCode, ErrorFacts } from '../../../core/errors.ts';
import { Page } from '../../ui/page.tsx';
import { OperatorFacts } from '../../ui/problem.tsx';
import { problem as words } from '../case/words.ts';

export interface ErrorView {
  readonly code: ErrorCode;
  readonly title: string;
  readonly next: string;
  /** Facts that are safe to show: counts, codes, resource types. */
  readonly facts: ErrorFacts;
  /** The request id, which the reader gives to IT support. */
  readonly reference: string;
  /** The EHR's own message about the failure; '' if there is none. */
  readonly says?: string;
  readonly home?: string | undefined;
  /** The URL of the case page that the failure is about. */
  readonly case?: string | undefined;
  /** The URL to open in a new window, where the browser accepts cookies. */
  readonly ownWindow?: string | undefined;
  /** The URL to try again, if that may help. */
  readonly retry?: string | undefined;
  /** The patient whose chart is open, if there is a session. */
  readonly banner?: Banner | undefined;
  readonly site?: string | undefined;
}

/** A failure as a page: what happened, the next step, and one link. */
export function ErrorPage({ view }: { readonly view: ErrorView }): VNode {
  return (
    <Page
      title={words.page}
      banner={view.banner}
      assets={['case.css']}
      {...(view.home === undefined ? {} : { home: view.home })}
      {...(view.site === undefined ? {} : { site: view.site })}
    >
      <section class="card message problem" aria-labelledby="problem">
        <h1 id="problem">{view.title}</h1>
        <p class="next">{view.next}</p>
        <p class="actions">
          {view.retry !== undefined && (
            <a class="button go" href={view.retry}>
              {words.tryAgain}
            </a>
          )}
          {view.ownWindow !== undefined && (
            <a class="button" href={view.ownWindow} target="_blank" rel="noopener">
              {words.ownWindow}
            </a>
          )}
          {view.case !== undefined && (
            <a class="button" href={view.case}>
              {words.toCase}
            </a>
          )}
          {view.home !== undefined && (
            <a class="button quiet-button" href={`${view.home}/orders`}>
              {words.toOrders}
            </a>
          )}
        </p>
        <OperatorFacts
          code={view.code}
          facts={[...Object.entries(view.facts), ['request', view.reference]]}
          says={view.says}
        />
        <p class="reference">
          {words.reference}: <code>{view.reference}</code>
        </p>
      </section>
    </Page>
  );
}
