import type { VNode } from 'preact';
import type { Banner } from '../../../cases/case.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { Page } from '../../ui/page.tsx';
import { reading as words } from '../launch/words.ts';

interface ReadingPageProps {
  readonly launch: Launch;
  readonly home: string;
  readonly token: string;
  /** The URL of the requested page. */
  readonly here: string;
  /** The patient banner, taken from an earlier request. */
  readonly banner: Banner | undefined;
}

/**
 * Shown until the EHR has answered. With scripts, the page reloads its own URL as soon as the result is available.
 * Without scripts it reloads at once, and the server answers when the result is available.
 */
export function ReadingPage({ launch, home, token, here, banner }: ReadingPageProps): VNode {
  return (
    <Page
      title={words.title}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? banner : undefined}
      goesOnTo={here}
      assets={['reading.js']}
    >
      <section class="card reading" aria-labelledby="reading">
        <h1 id="reading">{banner === undefined ? words.heading : words.headingOf(banner.name)}</h1>
        <progress aria-label={words.title} />
        <p role="status">{words.slow}</p>
        <p class="hint">
          <a href={here}>{words.now}</a>
        </p>
      </section>
    </Page>
  );
}
