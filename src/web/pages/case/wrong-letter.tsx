import type { VNode } from 'preact';
import type { Case, LedgerEntry } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { ItSupport } from '../../ui/it-support.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { actions, wrongLetter as words } from './words.ts';
import { thingOf } from './writes.tsx';

export interface WrongLetterView {
  readonly launch: Launch;
  readonly case: Case;
  readonly letter: LedgerEntry;
  readonly home: string;
  readonly here: string;
  readonly token: string;
}

/** The page that asks for confirmation before a letter in the chart is marked as entered in error. */
export function WrongLetterPage({ view }: { readonly view: WrongLetterView }): VNode {
  const { launch, home, here, token, letter } = view;
  const { banner, title } = view.case;
  const born = banner.birthDate === undefined ? 'date of birth not in the chart' : `born ${dayText(banner.birthDate)}`;
  return (
    <Page
      title={words.title}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>{actions.orders}</a> › <a href={here}>{title}</a>
      </p>
      <h1>{words.heading}</h1>
      <form method="post" action={here} class="card confirm">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="reference" value={letter.reference} />
        <p class="who">
          <strong>{banner.name}</strong>, {born}
          {banner.mrn !== undefined && `, MRN ${banner.mrn}`}
        </p>
        <p>
          {thingOf(letter)} for {title}, {words.savedOn} <Time at={letter.at} zone={launch.site.timeZone} />.
        </p>
        <p>{words.what}</p>
        <ItSupport of={thingOf(letter)}>
          <p>
            <code>{letter.reference}</code>
          </p>
        </ItSupport>
        <div class="actions">
          <button type="submit" name="action" value="retract" class="danger">
            {words.go(banner.name)}
          </button>
          <a href={here} class="button quiet-button">
            {words.back}
          </a>
        </div>
      </form>
    </Page>
  );
}
