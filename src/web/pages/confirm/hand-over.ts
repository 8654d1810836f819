import type { Case } from '../../../cases/case.ts';
import type { ShownToSign } from '../../../cases/sign.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { userOf } from '../../http/user.ts';
import { codeTitles } from '../../request/code-titles.ts';
import type { Draft } from '../../request/draft.ts';
import { gapText } from '../../request/field-words.ts';
import { sectionsOf } from '../../request/fitted-sections.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { notTakenIn, proposedIn } from '../../request/not-taken.ts';
import type { OrderDeps } from '../../request/order-request.ts';
import { gapsOutsideBody } from '../../request/outside-body.ts';
import { goingAnswersOf } from '../../request/payer-answers.ts';
import { cautionsOf } from '../review/notices.tsx';
import { linesOf } from './going-lines.ts';
import { type Confirmed, checkedSubmission, chosenOf, type Untaken } from './submission.ts';

/** Submits the confirmed request for signature. Throws case_changed if the chart belongs to another patient. */
export async function handOver(
  { deps }: OrderDeps,
  launch: Launch,
  draft: Draft,
  confirmed: Confirmed,
): Promise<Case | { readonly untaken: Untaken }> {
  const checked = checkedSubmission(draft, launch, confirmed, goingAnswersOf(deps, launch, draft));
  if ('untaken' in checked) return checked;
  const { body, provenance, gaps } = checked;
  const open = [...gaps, ...gapsOutsideBody(draft, deps.clock())];
  const { prescriber, ...chosen } = chosenOf(draft);
  await deps.cases.saveDraft(draft.case.id, chosen);
  return await deps.cases.askSignature(draft.case.id, {
    shown: { ...shownOf(launch, draft, open), body, provenance },
    by: userOf(launch),
    expectedPatient: confirmed.patient,
    ...(prescriber === undefined ? {} : { prescriber }),
  });
}

function shownOf(launch: Launch, draft: Draft, gaps: readonly Gap[]): Omit<ShownToSign, 'body' | 'provenance'> {
  const sections = sectionsOf(kindPages[draft.kind].sections, draft.schema);
  return {
    title: draft.title,
    lines: linesOf({ draft, launch, sections }).map(({ id, title, says }) => ({ id, title, says })),
    warnings: [...gaps.map(gapText), ...cautionsOf(draft, { earlier: [], repeats: [] }).warnings],
    enteredBy: draft.case.enteredBy ?? {},
    notTaken: notTakenIn(draft),
    proposed: proposedIn(draft),
    codeTitles: codeTitles(draft),
  };
}
