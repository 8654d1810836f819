import type { VNode } from 'preact';
import type { Site } from '../../config.ts';
import { Page } from '../parts/page.tsx';

/** With a session its token goes: outcomes wait, unless the bridge writes with a token of its own. */
export function EndedPage({ site }: { readonly site: Site }): VNode {
  const waits = !site.writeback.tokens.includes('system');
  return (
    <Page title="Session ended">
      <section class="card" aria-labelledby="ended">
        <h1 id="ended">The session has ended.</h1>
        <p>You can close this window. Requests that were sent go on; launch the bridge from the chart to see them.</p>
        {waits && <p>Outcomes that come later are written to the chart at the next launch for this patient.</p>}
      </section>
    </Page>
  );
}
