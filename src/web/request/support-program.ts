import type { CaseKind } from '../../cases/case.ts';
import type { Site } from '../../config/config.ts';
import type { Edits } from '../../core/mapping/result.ts';
import type { Answers, Chart } from '../../core/roles/chart.ts';
import { consent as words } from '../pages/case/words.ts';
import { kindPages } from './kind-pages.ts';
import type { SectionSpec } from './labels.ts';

type Program = Site['enrollment']['programs'][number];

/** The program that a person chose, else the site's only program; undefined while neither exists. */
export function programOf({ enrollment }: Pick<Site, 'enrollment'>, edits: Edits): Program | undefined {
  const { programs } = enrollment;
  const id = edits.programId ?? (programs.length === 1 ? programs[0]?.programId : undefined);
  return programs.find(({ programId }) => programId === id);
}

/** true if a request of this kind may have clinical evidence. An enrollment may if its program needs it. */
export function takesEvidence(kind: CaseKind, site: Pick<Site, 'enrollment'>, edits: Edits): boolean {
  const { evidence } = kindPages[kind];
  return evidence === 'always' || (evidence === 'by program' && programOf(site, edits)?.evidence === true);
}

/** The answers; without evidence if none may be sent, even if a person chose some earlier. */
export function answersFor(kind: CaseKind, site: Pick<Site, 'enrollment'>, edits: Edits, answers: Answers): Answers {
  return takesEvidence(kind, site, edits) ? answers : { ...answers, evidence: [] };
}

/** The chart; without its choice of evidence if none may be sent. */
export function chartFor(kind: CaseKind, site: Pick<Site, 'enrollment'>, edits: Edits, chart: Chart): Chart {
  if (takesEvidence(kind, site, edits)) return chart;
  return Object.create(chart, {
    choices: { get: () => chart.choices.filter(({ role }) => role !== 'evidence') },
    choice: { value: (role: string) => (role === 'evidence' ? undefined : chart.choice(role)) },
  }) as Chart; // the prototype has everything else
}

/** The sections of a draft; without the evidence section if none may be sent. */
export function sectionsFor(
  sections: readonly SectionSpec[],
  site: Pick<Site, 'enrollment'>,
  { kind, case: { edits } }: { readonly kind: CaseKind; readonly case: { readonly edits: Edits } },
): readonly SectionSpec[] {
  return takesEvidence(kind, site, edits) ? sections : sections.filter(({ id }) => id !== 'evidence');
}

/**
 * The text that the patient agrees to: the wording on the program's form, else a standard sentence; '' until a program
 * is chosen.
 */
export function consentWording(site: Pick<Site, 'enrollment' | 'name'>, edits: Edits): string {
  const program = programOf(site, edits);
  return program === undefined ? '' : (program.consent ?? words.standard(site.name, program.name));
}
