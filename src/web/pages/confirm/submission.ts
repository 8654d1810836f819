import type { Case } from '../../../cases/case.ts';
import type { Submission } from '../../../cases/requests.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { auditAttested, auditSensitive } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { measureSent } from '../../http/effort.ts';
import { userOf } from '../../http/user.ts';
import { codeTitles } from '../../request/code-titles.ts';
import { type Draft, digestOf } from '../../request/draft.ts';
import { noteUsed } from '../../request/note-used.ts';
import { isReady } from '../../request/outside-body.ts';
import { goingAnswersOf, type PayerAnswers, sensitiveGoing, withPayerAnswers } from '../../request/payer-answers.ts';
import { isUnderRules } from '../../request/rules-change.ts';

/** The fields of the form that identify the request that the person saw. */
export interface Confirmed {
  /** Hashes: of the patient, of the content, and of the rules that produced the content. */
  readonly patient: string;
  readonly digest: string;
  readonly rules: string;
  readonly isAttested: boolean;
  /** Ids of requests for the same drug that the person has seen and accepts. */
  readonly duplicates: readonly string[];
  /** `ask`: submit for signature; `sign`: sign and send; `send`: send. */
  readonly action: 'ask' | 'sign' | 'send';
}

/** Why a confirmed request is refused: its rules or its content have changed, or the site's attestation is missing. */
export type Untaken = 'rules' | 'changed' | 'unattested';

/**
 * The request that the person confirmed, or the reason for refusing it. Throws case_not_ready if the request is
 * incomplete.
 */
export function checkedSubmission(
  draft: Draft,
  launch: Launch,
  confirmed: Confirmed,
  going: PayerAnswers | undefined,
): Submission | { readonly untaken: Untaken } {
  const { rules, digest, isAttested, duplicates, action, patient } = confirmed;
  const result = withPayerAnswers(draft, going);
  if (draft.rulesChange !== undefined || !isUnderRules(rules, draft)) return { untaken: 'rules' };
  if (result.status !== 'complete' || !isReady(draft)) throw new BridgeError('case_not_ready');
  if (digest !== digestOf(result)) return { untaken: 'changed' };
  if (action !== 'ask' && launch.site.attestation !== undefined && !isAttested) return { untaken: 'unattested' };
  const { body, gaps, provenance } = result;
  return {
    body,
    provenance,
    gaps,
    mappedBy: draft.mappedBy,
    codeTitles: codeTitles(draft),
    by: userOf(launch),
    expectedPatient: patient,
    launch: launch.id,
    duplicatesSeen: duplicates,
    ...(action === 'sign' ? { signs: true } : {}),
  };
}

/**
 * Sends the confirmed request and writes the audit rows for it. Returns the updated case, or the reason for refusing
 * it. Throws case_already_sent, case_changed, case_not_ready, case_duplicate, signature_required, sign_refused.
 */
export async function sendConfirmed(
  deps: Deps,
  launch: Launch,
  draft: Draft,
  confirmed: Confirmed,
): Promise<Case | { readonly untaken: Untaken }> {
  const going = goingAnswersOf(deps, launch, draft);
  const checked = checkedSubmission(draft, launch, confirmed, going);
  if ('untaken' in checked) return checked;
  await deps.cases.saveDraft(draft.case.id, chosenOf(draft));
  await auditAttested(deps, launch, draft.case.id);
  await auditSensitive(deps, launch, draft, sensitiveGoing(going));
  const sent = await deps.cases.send(draft.case.id, checked);
  if (sent.state === 'draft' || sent.state === 'refused') return sent;
  await noteUsed(deps, draft);
  await measureSent(deps, sent, [...draft.provenance.values()]);
  return sent;
}

/** The drug as text, and the coverage and prescriber as references, for the Task in the chart. */
export function chosenOf({ chart, title }: Draft): { title: string; coverage?: string; prescriber?: string } {
  const coverage = chart.choices.find((choice) => choice.role === 'coverage')?.chosen;
  const prescriber = chart.root('prescriber')?.nodes[0]?.source?.resource;
  return {
    title,
    ...(coverage === undefined ? {} : { coverage }),
    ...(prescriber === undefined ? {} : { prescriber }),
  };
}
