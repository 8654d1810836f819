import type { ComponentChildren, VNode } from 'preact';
import { valueCounts } from '../../../cases/value-counts.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Draft } from '../../request/draft.ts';
import { plural, sentence } from '../../request/field-words.ts';
import { kindPages } from '../../request/kind-pages.ts';
import {
  anchorOf,
  type FieldSpec,
  fieldId,
  type SectionSpec,
  withOptions,
  withSiteOptions,
} from '../../request/labels.ts';
import { cardImagesIn } from '../../request/leaves.ts';
import { type Likely, likelyAnswers, likelyFirst } from '../../request/likely.ts';
import type { OpenPoints, QuestionAnchor } from '../../request/questions.ts';
import { consentWording } from '../../request/support-program.ts';
import { otherPlanNotes } from '../../request/typed/entered-for.ts';
import { CardImages, CardThumbnails } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { GapNote } from '../../ui/source.tsx';
import { AttachedAppeals, AttachedCards, AttachedConsents } from '../attach/attach-block.tsx';
import { PharmacySearch } from '../search/code-search.tsx';
import { cardAddresses } from './card-route.ts';
import { ConsentBlock } from './consent.tsx';
import { CoverageChoice } from './coverage-choice.tsx';
import { DiagnosisChoice } from './diagnosis-choice.tsx';
import { SectionLine } from './section-line.tsx';
import { sectionSays } from './section-says.ts';
import { type ReviewView, technicalSwitch } from './view.ts';
import { review } from './words.ts';

/** Returns the control that answers a question, with the chart's values beside it. */
export function answerTo(view: ReviewView, gaps: readonly Gap[]): (question: QuestionAnchor) => ComponentChildren {
  return ({ anchor, gaps: own }) => {
    const spec = view.sections.flatMap(({ fields }) => fields).find(({ target }) => fieldId(target) === anchor);
    if (spec !== undefined) return <FieldOf spec={spec} view={view} gaps={gaps} />;
    const section = view.sections.find(({ id }) => `section-${id}` === anchor);
    if (section === undefined) return null;
    return (
      <div class="asked-section" id={anchor} tabIndex={-1}>
        <SectionNotes section={section} gaps={own} />
        <SectionChoice section={section} view={view} gaps={own} />
      </div>
    );
  };
}

interface SectionsProps {
  readonly view: ReviewView;
  readonly gaps: readonly Gap[];
  readonly points: OpenPoints;
}

/**
 * The whole request, with one line for each section. Unfolded, a section shows its fields, except questions that are
 * asked above.
 */
export function ReviewSections({ view, gaps, points }: SectionsProps): VNode {
  const asked = points.questions.map(({ anchor }) => anchor);
  const { chart } = valueCounts([...view.draft.provenance.values()]);
  return (
    <section class="card" aria-labelledby="all-title">
      <h2 id="all-title">
        {review.fromChart} <span class="quiet-text">{plural(chart, 'value', 'values')}</span>
      </h2>
      <p class="quiet-actions">
        {/* A submit button, so that a click also saves the entries; the page keeps its unfolded sections. */}
        <button
          id={technicalSwitch.id}
          type="submit"
          name="action"
          value={technicalSwitch[view.isTechnical ? 'hide' : 'show']}
          class="link"
        >
          {view.isTechnical ? review.hideTechnical : review.showTechnical}
        </button>
      </p>
      {view.sections
        .filter(({ id }) => id !== 'evidence')
        .map((section) => (
          <OneSection key={section.id} section={section} view={view} gaps={gaps} asked={asked} />
        ))}
    </section>
  );
}

function OneSection({
  section,
  view,
  gaps,
  asked,
}: {
  readonly section: SectionSpec;
  readonly view: ReviewView;
  readonly gaps: readonly Gap[];
  readonly asked: readonly string[];
}): VNode {
  const { draft, sections } = view;
  const anchor = `section-${section.id}`;
  const isAsked = asked.includes(anchor);
  const own = isAsked ? [] : gaps.filter(({ target }) => anchorOf(target, sections) === anchor);
  const fields = section.fields.filter(({ target }) => !asked.includes(fieldId(target)));
  const { used, unused } = byUse(fields, draft, gaps);
  const cards = section.id === 'insurance' ? cardAddresses(draft.values, view.here) : [];
  const above = section.fields.length - fields.length + Number(isAsked);
  return (
    <SectionLine
      id={isAsked ? `rest-${section.id}` : anchor}
      title={section.title}
      says={sectionSays(withSiteOptions(section, view.launch.site, draft.values), draft)}
      notes={notesOf(section, draft, above, sections)}
      picture={section.id === 'insurance' ? <CardThumbnails addresses={cards} /> : undefined}
    >
      <SectionNotes section={section} gaps={own} />
      {!isAsked && <SectionChoice section={section} view={view} gaps={own} />}
      {isAsked && <p class="hint">{sentence(review.askedAbove)}</p>}
      {section.id === 'appeal' && <AttachedAppeals draft={draft} here={view.here} />}
      {section.id === 'insurance' && kindPages[draft.kind].takesCards && (
        <AttachedCards draft={draft} here={view.here} />
      )}
      <div class={cards.length > 0 ? 'beside-card' : undefined}>
        {cards.length > 0 && <CardImages values={draft.values} addresses={cards} />}
        {used.length > 0 && (
          <div class="fields">
            {used.map((spec) => (
              <FieldOf key={spec.target} spec={spec} view={view} gaps={gaps} />
            ))}
          </div>
        )}
      </div>
      {unused.length > 0 && (
        <details class="more" id={`more-${section.id}`}>
          <summary>
            {plural(unused.length, 'optional field', 'optional fields')} not in the chart
            <span class="hidden"> ({section.title})</span>
          </summary>
          <div class="fields">
            {unused.map((spec) => (
              <FieldOf key={spec.target} spec={spec} view={view} gaps={gaps} />
            ))}
          </div>
        </details>
      )}
    </SectionLine>
  );
}

function byUse(
  fields: readonly FieldSpec[],
  draft: Draft,
  gaps: readonly Gap[],
): { readonly used: readonly FieldSpec[]; readonly unused: readonly FieldSpec[] } {
  const isUsed = ({ target, required }: FieldSpec) =>
    required === true ||
    draft.values.has(target) ||
    draft.provenance.has(target) ||
    [...gaps, ...draft.choices].some((gap) => gap.target === target);
  const used = fields.filter((spec) => isUsed(spec));
  // A section without values shows all its fields, because hiding them behind a second fold would not help.
  if (used.length === 0) return { used: fields, unused: [] };
  return { used, unused: fields.filter((spec) => !used.includes(spec)) };
}

function notesOf({ id }: SectionSpec, draft: Draft, above: number, sections: readonly SectionSpec[]): string[] {
  const isInsurance = id === 'insurance';
  const choice = isInsurance ? draft.chart.choices.find(({ role }) => role === 'coverage') : undefined;
  return [
    ...(choice?.chosen === undefined ? [] : [sentence(choice.reason)]),
    ...(isInsurance && cardImagesIn(draft.values).length > 0 ? [review.cardGoes] : []),
    ...(isInsurance ? otherPlanNotes(draft, sections) : []),
    ...(above === 0 ? [] : [sentence(review.askedAbove)]),
  ];
}

function SectionNotes({ section, gaps }: { readonly section: SectionSpec; readonly gaps: readonly Gap[] }): VNode {
  return (
    <>
      {gaps.map((gap, index) => (
        <GapNote key={`${gap.target} ${gap.message}`} gap={gap} id={noteId(section, index)} label={section.title} />
      ))}
    </>
  );
}

function noteId({ id }: SectionSpec, index: number): string {
  return `section-${id}-gap-${index}`;
}

function SectionChoice({
  section,
  view,
  gaps,
}: {
  readonly section: SectionSpec;
  readonly view: ReviewView;
  readonly gaps: readonly Gap[];
}): VNode | null {
  const { draft } = view;
  const notes = {
    ids: gaps.map((_, index) => noteId(section, index)),
    blocks: gaps.some(({ severity }) => severity === 'blocks'),
  };
  if (section.id === 'diagnoses')
    return <DiagnosisChoice draft={draft} gaps={gaps} notes={notes} here={view.here} likely={view.likelyCodes} />;
  if (section.id === 'pharmacy') return <PharmacySearch here={view.here} likely={view.likelyPharmacies} />;
  if (section.id === 'consent')
    return (
      <>
        <ConsentBlock
          consent={draft.case.consent}
          entry={draft.case.consentEntry}
          wording={consentWording(view.launch.site, draft.case.edits)}
          patient={draft.case.banner.name}
          today={draft.chart.today}
          notes={notes}
        />
        <AttachedConsents draft={draft} here={view.here} />
      </>
    );
  if (section.id !== 'insurance') return null;
  const choice = draft.chart.choices.find(({ role }) => role === 'coverage');
  return <CoverageChoice choice={choice} facts={draft.coverages} notes={notes} />;
}

function FieldOf({
  spec,
  view: { draft, launch, earlierAnswers },
  gaps,
}: {
  readonly spec: FieldSpec;
  readonly view: ReviewView;
  readonly gaps: readonly Gap[];
}): VNode {
  const likely = withEarlier(likelyAnswers(spec, draft), earlierAnswers.get(spec.target));
  return (
    <Field
      spec={likelyFirst(withOptions(spec, launch.site, draft.values), likely)}
      likely={likely}
      value={draft.values.get(spec.target)}
      chartValue={draft.chartValues.get(spec.target)}
      provenance={draft.provenance.get(spec.target)}
      gaps={gaps.filter((gap) => gap.target === spec.target)}
      choices={draft.choices.filter((gap) => gap.target === spec.target)}
      enteredBy={draft.case.enteredBy?.[spec.target]}
    />
  );
}

function withEarlier(likely: readonly Likely[], before: Likely | undefined): readonly Likely[] {
  return before === undefined ? likely : [before, ...likely.filter(({ value }) => value !== before.value)];
}
