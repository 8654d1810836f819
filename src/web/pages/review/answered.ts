import type { Entered } from '../../../cases/case.ts';
import type { Provenance } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Deps } from '../../http/deps.ts';
import { type Draft, draftWith } from '../../request/draft.ts';
import { shown } from '../../request/form.ts';
import { fieldId, leafLabel, type SectionSpec, withOptions } from '../../request/labels.ts';
import { isOpen, openPointsBy } from '../../request/questions.ts';
import { sectionSays } from './section-says.ts';

/** An answered question in one line: the question, the answer and its source. */
export interface Answered {
  readonly title: string;
  readonly says: readonly string[];
  /** Who answered, and when; absent if the answer comes from the chart. */
  readonly by?: Entered | undefined;
  readonly provenance?: Provenance | undefined;
}

/** The parts of the review page that the functions here use. */
interface Asking {
  readonly sections: readonly SectionSpec[];
  readonly draft: Draft;
  readonly launch: Launch;
}

/** The answer to the question with this element id; undefined if the page has no such question. */
export function answeredAt(anchor: string, { sections, draft, launch }: Asking): Answered | undefined {
  const { enteredBy = {} } = draft.case;
  const spec = sections.flatMap(({ fields }) => fields).find(({ target }) => fieldId(target) === anchor);
  if (spec !== undefined) {
    const { target } = spec;
    const text = shown(spec, draft.values.get(target));
    const named = withOptions(spec, launch.site, draft.values).options?.find(([value]) => value === text)?.[1] ?? text;
    const provenance = draft.provenance.get(target);
    const says = named === '' ? [] : [named];
    return { title: leafLabel(target, sections), says, by: enteredBy[target], provenance };
  }
  const section = sections.find(({ id }) => `section-${id}` === anchor);
  if (section === undefined) return undefined;
  const key = choiceOf[section.id];
  const says = section.id === 'insurance' ? planOf(draft) : sectionSays(section, draft);
  return { title: section.title, says, by: key === undefined ? undefined : enteredBy[key] };
}

/** Element ids of the questions that the chart leaves open and a person has answered. */
export function answeredBefore(deps: Deps, asking: Asking): readonly string[] {
  const { sections, draft, launch } = asking;
  const { enteredBy = {}, answers } = draft.case;
  if (Object.keys(enteredBy).length === 0) return [];
  const { diagnoses, coverage, ...others } = answers;
  const isChosen = diagnoses !== undefined || coverage !== undefined;
  const { chartResult } = isChosen ? draftWith(deps, launch, draft, others) : draft;
  return openPointsBy(chartResult.gaps, sections)
    .questions.filter(isOpen)
    .map(({ anchor }) => anchor)
    .filter((anchor) => answeredAt(anchor, asking)?.by !== undefined);
}

/** The choice that answers the question of a section, by its name in `enteredBy`. */
const choiceOf: Readonly<Record<string, string>> = {
  diagnoses: 'diagnoses',
  insurance: 'coverage',
  evidence: 'evidence',
};

function planOf({ chart }: Draft): string[] {
  const choice = chart.choice('coverage');
  return (choice?.candidates ?? []).filter(({ reference }) => reference === choice?.chosen).map(({ label }) => label);
}
