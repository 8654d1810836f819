import type { VNode } from 'preact';
import type { Case, LedgerEntry } from '../../cases/case.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import type { Launch } from '../../smart/types.ts';
import { Page } from '../parts/page.tsx';
import { thingOf } from '../parts/writes.tsx';

export interface WrongLetterView {
  readonly launch: Launch;
  readonly case: Case;
  readonly letter: LedgerEntry;
  readonly home: string;
  /** The page of the case. */
  readonly here: string;
  readonly token: string;
}

/** Asks once more before a letter in the chart is marked as entered in error. */
export function WrongLetterPage({ view }: { readonly view: WrongLetterView }): VNode {
  const { launch, home, here, token, letter } = view;
  const { banner, title } = view.case;
  const born = banner.birthDate === undefined ? 'date of birth not in the chart' : `born ${dayText(banner.birthDate)}`;
  return (
    <Page
      title="Wrong letter"
      site={launch.site.name}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? banner : undefined}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>Orders</a> › <a href={here}>Request</a>
      </p>
      <h1>Is this letter wrong?</h1>
      <form method="post" action={here} class="card confirm">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="reference" value={letter.reference} />
        <p class="who">
          <strong>{banner.name}</strong>, {born}
          {banner.mrn !== undefined && `, MRN ${banner.mrn}`}
        </p>
        <p>
          {thingOf(letter)} for {title} in the chart, <code>{letter.reference}</code>.
        </p>
        <p>
          It will be marked as entered in error in the EHR and is not written again; only a later outcome has a new
          letter. The request itself and its outcome stay as they are. This cannot be undone here.
        </p>
        <div class="actions">
          <button type="submit" name="action" value="retract" class="danger">
            Mark as entered in error for {banner.name}
          </button>
          <a href={here} class="button quiet-button">
            Go back
          </a>
        </div>
      </form>
    </Page>
  );
}
