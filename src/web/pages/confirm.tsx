import type { VNode } from 'preact';
import type { Case, Ended } from '../../cases/case.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import type { Edits, Gap } from '../../mapping/result.ts';
import type { Launch } from '../../smart/types.ts';
import type { Draft } from '../draft.ts';
import { labelOf, type SectionSpec } from '../labels.ts';
import { cautionsOf, DraftNotices } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { DrugChange, RequestSections } from '../parts/request.tsx';
import { GapNote } from '../parts/source.tsx';
import { standingOf } from '../parts/status.tsx';
import { fullNameOf, type RequestView, requestOf } from '../request.ts';
import { marksRules } from '../rules-change.ts';

export interface ConfirmView {
  readonly launch: Launch;
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  readonly review: string;
  readonly token: string;
  readonly patientMark: string;
  /** The request as it will be sent, and the mark that tells it from any other. */
  readonly body: unknown;
  readonly digest: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** Requests for the same drug and prescriber that are under way. */
  readonly duplicates: readonly Case[];
  /** Open points outside the body that only warn. */
  readonly open: readonly Gap[];
}

/** The last look: who the request is for, all that goes, and one button that sends it. */
export function ConfirmPage({ view }: { readonly view: ConfirmView }): VNode {
  const { launch, draft, sections, home, review, token } = view;
  const { banner } = draft.case;
  const born = banner.birthDate === undefined ? 'date of birth not in the chart' : `born ${dayText(banner.birthDate)}`;
  const request = requestOf({
    kind: draft.kind,
    site: launch.site,
    body: view.body,
    provenance: [...draft.provenance.values()],
  });
  const changed = changedLabels(request, draft.case.edits, sections);
  const what = draft.kind === 'prior-auth' ? 'prior authorization' : 'enrollment';
  return (
    <Page
      title="Confirm and send"
      site={launch.site.name}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? banner : undefined}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>Orders</a> › <a href={review}>Review</a>
      </p>
      <h1>Send this {what}?</h1>
      <DraftNotices cautions={cautionsOf(draft, view.earlier)} home={home} />
      <DrugChange drug={request.drug} />
      <form method="post" action={`${review}/confirm`} class="card confirm">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="patient" value={view.patientMark} />
        <input type="hidden" name="digest" value={view.digest} />
        <input type="hidden" name="rules" value={marksRules(draft.mappedBy)} />
        <p class="who">
          <strong>{banner.name}</strong>, {born}
          {banner.mrn !== undefined && `, MRN ${banner.mrn}`}
        </p>
        <p>
          {draft.title}. Check that this is the right patient and the right order. After sending,{' '}
          {draft.kind === 'prior-auth'
            ? 'the request can be cancelled but not changed'
            : 'the enrollment can be neither changed nor taken back here'}
          .
        </p>
        {draft.kind === 'enrollment' && draft.case.consent !== undefined && (
          <p>
            Consent: {draft.case.consent.by}, {dayText(draft.case.consent.on)}, {draft.case.consent.how.toLowerCase()}.
          </p>
        )}
        {changed.length > 0 && <p>Entered or changed by a person: {changed.join(', ')}.</p>}
        {[...draft.result.gaps, ...view.open].map((gap, index) => (
          <GapNote
            key={`${gap.target} ${gap.message}`}
            gap={gap}
            id={`note-${index}`}
            label={labelOf(gap.target, sections)}
          />
        ))}
        {view.duplicates.length > 0 && <Duplicates view={view} />}
        <div class="actions">
          <button type="submit" name="action" value="send">
            Send for {banner.name}
          </button>
          <a href={review} class="button quiet-button">
            Go back
          </a>
        </div>
      </form>
      <section class="card" aria-labelledby="goes">
        <h2 id="goes">What is sent</h2>
        <RequestSections request={request} prefix="goes" withSources={false} />
      </section>
    </Page>
  );
}

// Another order for the same drug, or the same one written twice: a person decides.
function Duplicates({ view: { duplicates, home } }: { readonly view: ConfirmView }): VNode {
  return (
    <fieldset class="choice" id="duplicates">
      <legend>A request for this drug is already under way for this patient</legend>
      <ul>
        {duplicates.map((one) => (
          <li key={one.id}>
            <a href={`${home}/cases/${one.id}`}>{one.title}</a>: {standingOf(one).label}
          </li>
        ))}
      </ul>
      <label>
        <input type="checkbox" name="duplicates" value={duplicates.map(({ id }) => id).join(' ')} required />I have
        looked at it and want to send this request as well
      </label>
    </fieldset>
  );
}

// What goes as the chart has it is not named; what a person cleared is.
function changedLabels(request: RequestView, edits: Edits, sections: readonly SectionSpec[]): string[] {
  return request.sections
    .flatMap(({ leaves }) => leaves)
    .filter(({ target, text, provenance }) => provenance?.kind === 'entered' && (text !== undefined || target in edits))
    .map(({ target }) => fullNameOf(target, sections));
}
