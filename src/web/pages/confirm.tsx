import type { VNode } from 'preact';
import type { Case } from '../../cases/case.ts';
import type { Launch } from '../../smart/index.ts';
import type { Draft } from '../draft.ts';
import { labelOf, type SectionSpec, withOptions } from '../labels.ts';
import { dayText } from '../parts/banner.tsx';
import { DraftNotices } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { GapNote } from '../parts/source.tsx';

export interface ConfirmView {
  readonly launch: Launch;
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  readonly review: string;
  readonly token: string;
  readonly patientMark: string;
  readonly digest: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Case[];
}

/** The last look: who the request is for, all that goes, and one button that sends it. */
export function ConfirmPage({ view }: { readonly view: ConfirmView }): VNode {
  const { launch, draft, sections, home, review, token } = view;
  const { banner } = draft.case;
  const born = banner.birthDate === undefined ? 'date of birth not in the chart' : `born ${dayText(banner.birthDate)}`;
  const what = draft.kind === 'prior-auth' ? 'prior authorization' : 'enrollment';
  return (
    <Page title="Confirm and send" site={launch.site.name} home={home} token={token} banner={launch.needPatientBanner ? banner : undefined}>
      <p class="crumb">
        <a href={`${home}/orders`}>Orders</a> › <a href={review}>Review</a>
      </p>
      <h1>Send this {what}?</h1>
      <DraftNotices draft={draft} earlier={view.earlier} home={home} />
      <form method="post" action={`${review}/confirm`} class="card confirm">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="patient" value={view.patientMark} />
        <input type="hidden" name="digest" value={view.digest} />
        <p class="who">
          <strong>{banner.name}</strong>, {born}
          {banner.mrn !== undefined && `, MRN ${banner.mrn}`}
        </p>
        <p>
          {draft.title}. Check that this is the right patient and the right order. After sending,{' '}
          {draft.kind === 'prior-auth' ? 'the request can be cancelled but not changed' : 'the enrollment can be neither changed nor taken back here'}.
        </p>
        {draft.kind === 'enrollment' && draft.case.consent !== undefined && (
          <p>
            Consent: {draft.case.consent.by}, {dayText(draft.case.consent.on)}, {draft.case.consent.how.toLowerCase()}.
          </p>
        )}
        {draft.result.gaps.map((gap, index) => (
          <GapNote key={`${gap.target} ${gap.message}`} gap={gap} id={`note-${index}`} label={labelOf(gap.target, sections)} />
        ))}
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
        {sections.map((section) => (
          <SectionSummary key={section.id} section={section} view={view} />
        ))}
      </section>
    </Page>
  );
}

function SectionSummary({ section, view }: { readonly section: SectionSpec; readonly view: ConfirmView }): VNode | null {
  const rows = rowsOf(section, view);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{section.title}</h3>
      <dl class="summary">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function rowsOf(section: SectionSpec, { draft, launch }: ConfirmView): (readonly [string, string])[] {
  const fields = section.fields.flatMap((spec) => {
    const value = draft.values.get(spec.target);
    if (value === undefined) return [];
    const label = withOptions(spec, launch.site).options?.find(([option]) => option === String(value))?.[1];
    return [[spec.label, label ?? (spec.input === 'day' || spec.input === 'date' ? dayText(String(value)) : String(value))] as const];
  });
  if (section.id === 'diagnoses') return leaves(draft, /^diagnoses\[\d+\]\.code$/).map((code, index) => [`Diagnosis ${index + 1}`, code] as const);
  if (section.id === 'evidence') return leaves(draft, /^evidence\[\d+\]\.(title|type)$/).map((title, index) => [`Item ${index + 1}`, title] as const);
  const images = section.id === 'insurance' ? leaves(draft, /^insurance\[\d+\]\.file_content$/).length : 0;
  return images === 0 ? fields : [...fields, ['Images of the card', String(images)]];
}

function leaves(draft: Draft, pattern: RegExp): string[] {
  return [...draft.values].filter(([target]) => pattern.test(target)).map(([, value]) => String(value));
}
