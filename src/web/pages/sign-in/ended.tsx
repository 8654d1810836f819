import type { VNode } from 'preact';
import type { Site } from '../../../config/config.ts';
import { Page } from '../../ui/page.tsx';
import { ended as words } from '../case/words.ts';

/** Ending the session drops its token: outcomes wait, unless the bridge writes with a token of its own. */
export function EndedPage({ site }: { readonly site: Site }): VNode {
  const waits = !site.writeback.tokens.includes('system');
  return (
    <Page title={words.page} site={site.name} assets={['case.css']}>
      <section class="card message" aria-labelledby="ended">
        <h1 id="ended">{words.heading}</h1>
        <p>{words.text}</p>
        {waits && <p>{words.waits}</p>}
        <p>{words.close}</p>
      </section>
    </Page>
  );
}
