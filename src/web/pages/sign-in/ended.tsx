import type { VNode } from 'preact';
import type { Launch } from '../../../ehr/smart/types.ts';
import { Page } from '../../ui/page.tsx';
import { ended as words } from '../case/words.ts';

type Session = Pick<Launch, 'site' | 'fhirUser'>;

/**
 * Says that writes to the chart now wait for the next launch, because the session's token is gone, unless the bridge
 * has a token of its own.
 */
export function EndedPage({ session: { site, fhirUser } }: { readonly session: Session }): VNode {
  // If the EHR did not identify the user, their other sessions cannot be found.
  const endsAll = fhirUser !== undefined;
  const waits = !site.writeback.tokens.includes('system');
  return (
    <Page title={words.page} site={site.name} assets={['case.css']}>
      <section class="card message" aria-labelledby="ended">
        <h1 id="ended">{words.heading}</h1>
        {endsAll && <p>{words.all}</p>}
        <p>{words.text}</p>
        {waits && <p>{words.waits}</p>}
        <p>{words.close}</p>
      </section>
    </Page>
  );
}
