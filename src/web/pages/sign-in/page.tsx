import type { VNode } from 'preact';
import type { Site } from '../../../config/config.ts';
import { Page } from '../../ui/page.tsx';
import { signInWords as words } from '../worklist/words.ts';

/** The start page outside of a chart. It lists the clinics and nothing else. */
export function SignInPage({ sites }: { readonly sites: readonly Pick<Site, 'id' | 'name'>[] }): VNode {
  return (
    <Page title={words.title} assets={['worklist.css']}>
      <section class="card sign-in" aria-labelledby="sign-in">
        <h1 id="sign-in">{words.heading}</h1>
        <p>{words.fromChart}</p>
        {sites.length > 0 && <p>{words.orSignIn}</p>}
        <ul>
          {sites.map(({ id, name }) => (
            <li key={id}>
              <a class="button" href={`/sign-in?site=${id}`}>
                {words.signInTo(name)}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
