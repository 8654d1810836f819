import type { VNode } from 'preact';
import type { Ended } from '../../cases/case.ts';
import type { Gap } from '../../mapping/result.ts';
import type { Launch } from '../../smart/types.ts';
import type { Draft } from '../draft.ts';
import { anchorOf, type FieldSpec, type SectionSpec, withOptions } from '../labels.ts';
import { openPoints } from '../open-points.ts';
import { CardImages } from '../parts/card.tsx';
import { ChangedValues, NewRules } from '../parts/changes.tsx';
import { CoverageChoice, DiagnosisChoice, EvidenceChoice } from '../parts/choices.tsx';
import { ConsentBlock } from '../parts/consent.tsx';
import { Field } from '../parts/field.tsx';
import { type Cautions, cautionsOf, DraftNotices } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { GapNote } from '../parts/source.tsx';
import { Time } from '../parts/time.tsx';
import { Verdict } from '../parts/verdict.tsx';
import { plural } from '../parts/words.ts';
import { RecordBlock } from '../playground/recorded.tsx';
import { marksRules } from '../rules-change.ts';

export type Notice = 'saved' | 'pulled' | 'incomplete' | 'changed' | 'rules';

export interface ReviewView {
  readonly launch: Launch;
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  /** Address of this page; forms go there. */
  readonly here: string;
  readonly token: string;
  readonly patientMark: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** Open points outside the body: a consent that is not recorded, an entry made for another plan. */
  readonly open: readonly Gap[];
  readonly notice?: Notice | undefined;
  /** Whether the chart can be recorded as a mapping case here. */
  readonly isRecordable?: boolean;
}

/** The request as it would be sent: is it ready, what is missing, where did each value come from. */
export function ReviewPage({ view }: { readonly view: ReviewView }): VNode {
  const { launch, draft, sections, home, here, token, notice } = view;
  const gaps = openPoints([...draft.result.gaps, ...view.open], sections);
  const cautions = cautionsOf(draft, view.earlier);
  const title = draft.kind === 'prior-auth' ? 'Review the prior authorization' : 'Review the enrollment';
  return (
    <Page
      title={title}
      site={launch.site.name}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? draft.case.banner : undefined}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>Orders</a>
      </p>
      <h1>
        {title} <span class="sub">{draft.case.title}</span>
      </h1>
      <Notices view={view} cautions={cautions} />
      <div class="review">
        {/* Enter in a field presses the first button that belongs to the form: that must be a plain save. */}
        <button type="submit" form="review" name="action" value="save" class="hidden" tabIndex={-1} aria-hidden="true">
          Save
        </button>
        <aside class="side" aria-label="State of this request">
          {notice === 'saved' && (
            <p class="saved" role="status">
              Saved. Your entries stay when you refresh from the chart.
            </p>
          )}
          <Verdict gaps={gaps} cautions={cautions} unticked={untickedOf(draft)} sections={sections} />
          <Actions />
          <p class="pulled">
            Chart read <Time at={draft.pull.at} />.
          </p>
        </aside>
        <form id="review" method="post" action={here} class="sections">
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="patient" value={view.patientMark} />
          <input type="hidden" name="rules" value={marksRules(draft.mappedBy)} />
          {sections.map((section) => (
            <Section key={section.id} section={section} view={view} gaps={gaps} />
          ))}
          <Actions />
        </form>
      </div>
      {view.isRecordable === true && <RecordBlock here={here} token={token} />}
    </Page>
  );
}

function Notices({ view, cautions }: { readonly view: ReviewView; readonly cautions: Cautions }): VNode {
  const { draft, notice } = view;
  const { problem } = draft.case;
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} heading="Not sent" sections={view.sections} />}
      {notice === 'changed' && (
        <p class="notice bad" role="alert">
          The request is no longer the one you confirmed: the chart or an entry changed meanwhile. Look through it and
          confirm again.
        </p>
      )}
      {notice === 'rules' && draft.rulesChange === undefined && (
        <p class="notice bad" role="alert">
          Nothing was sent: the rules that fill this request changed while the last page was open. Look through it and
          confirm again.
        </p>
      )}
      {draft.rulesChange !== undefined && <NewRules change={draft.rulesChange} sections={view.sections} />}
      {notice === 'pulled' && <Changes view={view} />}
      <DraftNotices cautions={cautions} home={view.home} form="review" />
    </>
  );
}

function Changes({ view }: { readonly view: ReviewView }): VNode {
  const { changes } = view.draft;
  if (changes.length === 0)
    return (
      <p class="notice good" role="status">
        The chart was read again. Nothing changed.
      </p>
    );
  return (
    <div class="notice" role="status">
      <h2>The chart was read again: {plural(changes.length, 'value changed', 'values changed')}</h2>
      <ChangedValues
        changes={changes}
        sections={view.sections}
        noteOf={({ target }) =>
          view.draft.provenance.get(target)?.kind === 'entered' ? ' (your entry is kept)' : undefined
        }
      />
    </div>
  );
}

function Actions(): VNode {
  return (
    <div class="actions">
      <button type="submit" form="review" name="action" value="check">
        Continue to send
      </button>
      <button type="submit" form="review" name="action" value="save" class="secondary outline">
        Save
      </button>
      <button type="submit" form="review" name="action" value="pull" class="secondary outline">
        Read the chart again
      </button>
    </div>
  );
}

function untickedOf({ chart }: Draft): number {
  const { candidates = [] } = chart.choices.find(({ role }) => role === 'evidence') ?? {};
  return candidates.filter(({ fits, suggested, taken }) => fits && suggested === true && taken !== true).length;
}

interface SectionProps {
  readonly section: SectionSpec;
  readonly view: ReviewView;
  readonly gaps: readonly Gap[];
}

function Section({ section, view, gaps }: SectionProps): VNode {
  const { draft, sections } = view;
  const own = gaps.filter((gap) => anchorOf(gap.target, sections) === `section-${section.id}`);
  const isUsed = (spec: FieldSpec) =>
    spec.required === true ||
    draft.values.has(spec.target) ||
    draft.provenance.has(spec.target) ||
    [...gaps, ...draft.choices].some((gap) => gap.target === spec.target);
  const used = section.fields.filter((spec) => isUsed(spec) || section.fields.length < 3);
  const unused = section.fields.filter((spec) => !used.includes(spec));
  const field = (spec: FieldSpec) => (
    <Field
      key={spec.target}
      spec={withOptions(spec, view.launch.site)}
      value={draft.values.get(spec.target)}
      chartValue={draft.chartValues.get(spec.target)}
      provenance={draft.provenance.get(spec.target)}
      gaps={gaps.filter((gap) => gap.target === spec.target)}
      choices={draft.choices.filter((gap) => gap.target === spec.target)}
      enteredBy={draft.case.enteredBy?.[spec.target]}
    />
  );
  return (
    <section class="card" id={`section-${section.id}`} aria-labelledby={`title-${section.id}`} tabIndex={-1}>
      <h2 id={`title-${section.id}`}>{section.title}</h2>
      {own.map((gap, index) => (
        <GapNote
          key={`${gap.target} ${gap.message}`}
          gap={gap}
          id={`section-${section.id}-gap-${index}`}
          label={section.title}
        />
      ))}
      <SectionChoices section={section} view={view} gaps={own} />
      {used.length > 0 && <div class="fields">{used.map(field)}</div>}
      {unused.length > 0 && (
        <details class="more">
          <summary>
            {plural(unused.length, 'more field', 'more fields')} without a value
            <span class="hidden"> ({section.title})</span>
          </summary>
          <div class="fields">{unused.map(field)}</div>
        </details>
      )}
    </section>
  );
}

function SectionChoices({ section, view, gaps }: SectionProps): VNode | null {
  const { draft } = view;
  const choiceOf = (role: string) => draft.chart.choices.find((choice) => choice.role === role);
  if (section.id === 'diagnoses') return <DiagnosisChoice draft={draft} gaps={gaps} />;
  if (section.id === 'evidence') return <EvidenceChoice choice={choiceOf('evidence')} />;
  if (section.id === 'consent') return <ConsentBlock consent={draft.case.consent} entry={draft.case.consentEntry} />;
  if (section.id !== 'insurance') return null;
  return (
    <>
      <CoverageChoice choice={choiceOf('coverage')} facts={draft.coverages} />
      <CardImages values={draft.values} />
    </>
  );
}
