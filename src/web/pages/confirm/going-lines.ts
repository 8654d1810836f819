import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Draft } from '../../request/draft.ts';
import { fieldId, type SectionSpec, withSiteOptions } from '../../request/labels.ts';
import { cardImagesIn } from '../../request/leaves.ts';
import { summaryOf } from '../../request/section-summary.ts';
import { documentCounts } from '../documents/documents-list.tsx';
import { diagnosisLabels } from '../review/diagnosis-choice.tsx';
import type { ConfirmView } from './view.ts';
import { confirm } from './words.ts';

export interface Line {
  readonly id: string;
  readonly title: string;
  readonly says: readonly string[];
  /** The id of the element on the review page where the section is edited. */
  readonly anchor: string;
}

/** Only sections with content have a line. */
export function linesOf({ draft, launch, sections }: Pick<ConfirmView, 'draft' | 'launch' | 'sections'>): Line[] {
  const lines = sections.map((plain): Line => {
    const section = withSiteOptions(plain, launch.site, draft.values);
    const [first] = section.fields;
    const anchor = first === undefined ? `section-${section.id}` : fieldId(first.target);
    return { id: section.id, title: section.title, says: saysOf(section, draft), anchor };
  });
  const hasCard = cardImagesIn(draft.values).length > 0;
  return lines
    .map((line) => (line.id === 'insurance' && hasCard ? { ...line, says: [...line.says, confirm.card] } : line))
    .filter(({ says }) => says.length > 0);
}

function saysOf(section: SectionSpec, draft: Draft): string[] {
  if (section.id === 'diagnoses') return diagnosisLabels(draft);
  if (section.id === 'evidence') return documentsSay(draft);
  if (section.id !== 'consent') return summaryOf(section, draft.values);
  const { consent, attached = [] } = draft.case;
  if (consent === undefined) return [];
  const scans = attached.filter(({ kind }) => kind === 'consent').length;
  return [
    confirm.consent(consent.by, dayText(consent.on), consent.how.toLowerCase()),
    ...(scans === 0 ? [] : [confirm.scans(scans)]),
  ];
}

function documentsSay({ chart, kind }: Draft): string[] {
  const choice = chart.choice('evidence');
  const { attached, open } = documentCounts(choice);
  if (kind === 'enrollment' && attached === 0) return [];
  if (attached === 0) return [confirm.noDocuments(open)];
  const taken = (choice?.candidates ?? []).filter((candidate) => candidate.fits && candidate.taken === true);
  return taken.map(({ label }) => label);
}
