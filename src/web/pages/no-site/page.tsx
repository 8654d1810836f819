import type { VNode } from 'preact';
import { errors } from '../../../core/errors.ts';
import { Page } from '../../ui/page.tsx';
import { noSite as words } from '../launch/words.ts';

/** Shown by a bridge without a site: the URLs to register at the EHR, and the commands that follow. */
export function NoSitePage({ url, hasKeys }: { readonly url: string; readonly hasKeys: boolean }): VNode {
  return (
    <Page title={words.title} assets={['worklist.css']}>
      <section class="card no-site" aria-labelledby="no-site">
        <h1 id="no-site">{errors.no_site.title}</h1>
        <p>{words.lead}</p>
        <ol>
          <li>
            {words.register}
            <dl class="facts">
              <dt>{words.launch}</dt>
              <dd>
                <code>{url}/launch</code>
              </dd>
              <dt>{words.redirect}</dt>
              <dd>
                <code>{url}/callback/&lt;site id&gt;</code>
              </dd>
              <dt>{words.keys}</dt>
              <dd>
                <code>{url}/.well-known/jwks.json</code>
                {!hasKeys && <p class="hint">{words.noKeys}</p>}
              </dd>
            </dl>
            <p class="hint">{words.siteId}</p>
          </li>
          <li>
            {words.add}
            <pre>
              <code>prior-auth-bridge site add</code>
            </pre>
          </li>
          <li>
            {words.start}
            <pre>
              <code>prior-auth-bridge serve</code>
            </pre>
          </li>
          <li>
            {words.look}
            <pre>
              <code>prior-auth-bridge doctor &lt;site id&gt;</code>
            </pre>
          </li>
        </ol>
      </section>
    </Page>
  );
}
