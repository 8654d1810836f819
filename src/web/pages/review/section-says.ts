import { userText } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Draft } from '../../request/draft.ts';
import type { SectionSpec } from '../../request/labels.ts';
import { summaryOf } from '../../request/section-summary.ts';
import { diagnosisLabels } from './diagnosis-choice.tsx';

/** The content of a section of the request, in parts of one line. */
export function sectionSays(section: SectionSpec, draft: Draft): string[] {
  if (section.id === 'diagnoses') return diagnosisLabels(draft);
  if (section.id !== 'consent') {
    const says = summaryOf(section, draft.values);
    return says.length === 0 && section.none !== undefined ? [section.none] : says;
  }
  const { consent } = draft.case;
  if (consent === undefined) return [];
  return [`Given by ${consent.by}, ${dayText(consent.on)}`, `recorded by ${userText(consent.recordedBy)}`];
}
