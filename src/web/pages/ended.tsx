import type { VNode } from 'preact';
import { Page } from '../parts/page.tsx';

export function EndedPage(): VNode {
  return (
    <Page title="Session ended">
      <section class="card" aria-labelledby="ended">
        <h1 id="ended">The session has ended.</h1>
        <p>You can close this window. Requests that were sent go on; launch the bridge from the chart to see them.</p>
      </section>
    </Page>
  );
}
