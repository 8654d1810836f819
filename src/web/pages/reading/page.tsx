import type { VNode } from 'preact';
import type { Banner } from '../../../cases/case.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { Page } from '../../ui/page.tsx';
import { reading as words } from '../launch/words.ts';

interface ReadingPageProps {
  readonly launch: Launch;
  readonly home: string;
  readonly token: string;
  /** Address of the page that waits. */
  readonly here: string;
  /** Of the patient, as an earlier request names them. */
  readonly banner: Banner | undefined;
}

/**
 * Stands where a page will be once the EHR has answered. It comes back to its own address by itself: its script once
 * there is something to show, and without one at once, to a server that answers when there is.
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
