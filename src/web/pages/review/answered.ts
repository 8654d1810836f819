import type { Entered } from '../../../cases/case.ts';
import type { Provenance } from '../../../core/mapping/result.ts';
import type { Draft } from '../../request/draft.ts';
import { shown } from '../../request/form.ts';
import { fieldId, leafLabel, withOptions } from '../../request/labels.ts';
import { sectionSays } from './section-says.ts';
import type { ReviewView } from './view.ts';

/** An answered question in one line: what was asked, the answer, and where it is from. */
export interface Answered {
  readonly title: string;
  readonly says: readonly string[];
  /** Who answered and when; absent where the chart did. */
  readonly by?: Entered | undefined;
  readonly provenance?: Provenance | undefined;
}

/** What answered the question at an anchor; undefined where the page has no such place. */
export function answeredAt(anchor: string, { sections, draft, launch }: ReviewView): Answered | undefined {
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

/** The choice that answers at a section itself, by its name in `enteredBy`. */
const choiceOf: Readonly<Record<string, string>> = {
  diagnoses: 'diagnoses',
  insurance: 'coverage',
  evidence: 'evidence',
};

function planOf({ chart }: Draft): string[] {
  const choice = chart.choice('coverage');
  return (choice?.candidates ?? []).filter(({ reference }) => reference === choice?.chosen).map(({ label }) => label);
}
