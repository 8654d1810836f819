import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Case } from '../../cases/case.ts';
import { visibleText } from '../../core/fhir/text/text.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import { asset } from '../http/assets.ts';
import { opensWorklist } from '../http/rights.ts';
import { PatientBanner } from './banner.tsx';
import { common } from './common-words.ts';
import { Mark } from './icon.tsx';
import { SessionEnd } from './session-end.tsx';

export interface PageProps {
  /** Must not contain the patient's name, because titles stay in the browser's history. */
  readonly title: string;
  /** The clinic's name, if there is no `session`. */
  readonly site?: string;
  /** The patient banner; absent if the EHR shows its own (need_patient_banner=false). */
  readonly banner?: Case['banner'] | undefined;
  /** `/app/<launch>`, for the link back and for ending the session. */
  readonly home?: string;
  readonly token?: string;
  /**
   * The page shows the session's user, warns before the session ends, and links to the worklist if the user may open
   * it.
   */
  readonly session?: Pick<Launch, 'endsAt' | 'site' | 'fhirUser' | 'userName'>;
  /** true if the page saves all text while it is typed. */
  readonly savesItself?: boolean;
  /** `worklist`: the brand links to the worklist; `chart`: to the orders of the chart. */
  readonly within?: 'chart' | 'worklist';
  /** The URL that the page loads by itself in browsers without scripts. */
  readonly goesOnTo?: string;
  /** Further assets of this page: `playground.css`, `playground.js`. */
  readonly assets?: readonly string[];
  readonly children: ComponentChildren;
}

const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
  // Details that the reader has unfolded stay unfolded when the page is updated.
  morphIgnore: ['data-htmx-powered', 'open'],
});

export function Page(props: PageProps): VNode {
  const { title, banner, home, token, session, savesItself, within = 'chart', goesOnTo, assets = [], children } = props;
  const { site = session?.site.name } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Prior authorization`}</title>
        <meta name="htmx-config" content={htmxConfig} />
        <meta name="color-scheme" content="light dark" />
        {goesOnTo !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={`0; url=${goesOnTo}`} />
          </noscript>
        )}
        <link rel="icon" href={asset('icon.svg')} />
        <link rel="stylesheet" href={asset('pico.min.css')} />
        <link rel="stylesheet" href={asset('bridge.css')} />
        <script src={asset('htmx.min.js')} defer />
        <script src={asset('bridge.js')} defer />
        {assets.map((name) =>
          name.endsWith('.css') ? (
            <link key={name} rel="stylesheet" href={asset(name)} />
          ) : (
            <script key={name} src={asset(name)} defer />
          ),
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          {common.skip}
        </a>
        <header class="top">
          <div class="bar">
            <p class="brand">
              {home === undefined ? (
                <>
                  <Mark />
                  Prior authorization
                </>
              ) : (
                <a href={`${home}/${within === 'chart' ? 'orders' : 'worklist'}`}>
                  <Mark />
                  Prior authorization
                </a>
              )}
            </p>
            {site !== undefined && (
              <p class="site">
                {site} <span id="printed-on" />
              </p>
            )}
            {home !== undefined && within === 'chart' && session !== undefined && opensWorklist(session) && (
              <nav class="to-worklist">
                <a href={`${home}/worklist`}>Worklist</a>
              </nav>
            )}
            {session !== undefined && (
              <p class="signed-in">
                <span class="hidden">{common.signedInAs}</span> {session.userName ?? common.noName}
              </p>
            )}
            {home !== undefined && token !== undefined && (
              <form method="post" action={`${home}/${within === 'chart' ? 'logout' : 'sign-out'}`} class="logout">
                <input type="hidden" name="token" value={token} />
                <button type="submit" class="quiet">
                  {common.endSession}
                </button>
              </form>
            )}
          </div>
        </header>
        {banner !== undefined && <PatientBanner banner={banner} />}
        <main id="main">{children}</main>
        {session !== undefined && home !== undefined && token !== undefined && (
          <SessionEnd session={session} home={home} token={token} savesItself={savesItself === true} />
        )}
      </body>
    </html>
  );
}

export function html(page: VNode): string {
  return `<!doctype html>${fragment(page)}`;
}

/**
 * A part of a page as HTML. Invisible characters are removed, because names, notes and labels of a chart may have some.
 */
export function fragment(part: VNode): string {
  return visibleText(renderToString(part));
}
