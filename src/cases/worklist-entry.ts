import type { OutcomeView } from '../service/outcome-words.ts';
import { statusWords } from '../service/status-words.ts';
import { isKnownStatus, statusRule } from '../service/statuses.ts';
import type { ListedStoredCase, WorklistEntry, WorklistRules } from '../store/types.ts';
import { appealNote } from './appeal.ts';
import { approvedDifferences, differenceText } from './approved.ts';
import { headOf, listedOf, present } from './assemble.ts';
import { isEditable, kindRecordOf, type ListedCase, lacksOrder, outcomeOf, roundsOf } from './case.ts';
import { type ChartLack, chartLacks } from './chart-standing.ts';
import { askedStanding, askedUntil } from './rounds/case-asked.ts';
import type { CaseHead } from './sealed-parts.ts';
import { isAsked } from './signature.ts';

/** The worklist entry of a case. Increase the version when the entry of an unchanged case would change. */
export const worklistRules: WorklistRules = { version: 13, entryOf };

/** The same entries, which search also finds by other names of the drug. `namesOf` returns these names for a text. */
export function withOtherNames(
  { version, entryOf }: WorklistRules,
  namesOf: (text: string) => readonly string[],
): WorklistRules {
  return {
    version,
    entryOf(stored) {
      const { line, ...entry } = entryOf(stored);
      const { drug, drugNames = [] } = line;
      const others = [drug, ...drugNames].flatMap(namesOf);
      return { ...entry, line: { ...line, drugNames: [...new Set([...drugNames, ...others])] } };
    },
  };
}

function entryOf(stored: ListedStoredCase): WorklistEntry & { readonly patient: string } {
  const head = headOf(stored);
  const one = listedOf(stored);
  const { approvalEnd, until, ...standing } = worklistStanding(one);
  const { owner } = head;
  const all = chartLacks(one);
  const [lacks] = all;
  const unwritten = lacks === 'failed';
  const { followed } = head;
  const isOpen = standing.part === 'needs' && head.done !== true && followed === undefined;
  return {
    patient: head.patient,
    // A chart problem that only a person can fix puts the case in the section of cases that need action.
    part:
      isOpen || all.some((lack) => byHand.has(lack)) ? 'needs' : standing.part === 'needs' ? 'decided' : standing.part,
    waits: unwritten && !isOpen ? 'unwritten' : standing.waits,
    since: sinceOf(one),
    unwritten: lacks !== undefined,
    restricted: head.restricted === true,
    ...present({
      owner,
      assigned: head.assigned,
      prescriber: head.prescriber,
      told: head.told?.person,
      doneAt: doneAtOf(one, head),
    }),
    // A request that was followed by a newer request needs no renewal.
    ...(followed === undefined ? present({ approvalEnd }) : {}),
    line: {
      patient: head.banner.name,
      drug: head.title,
      people: peopleOf(head, owner),
      ...present({
        says: standing.says,
        differs: approvedDifferences(one).length > 0 ? true : undefined,
        lacks,
        payer: head.payer === '' ? undefined : head.payer,
        prescriberName: head.prescriberName,
        memberId: head.memberId,
        drugNames: head.drugNames,
        mrn: head.banner.mrn,
        requestIds: requestIdsOf(one),
        until,
        endedAt: 'endedAt' in one ? one.endedAt : undefined,
        needed: isEditable(one) ? head.needed : undefined,
        takenBy: head.told?.by,
        followed: followed === undefined ? undefined : { at: followed.at, ...present({ end: approvalEnd }) },
      }),
    },
  };
}

function doneAtOf({ events }: ListedCase, { done }: CaseHead): string | undefined {
  return done === true ? events.findLast(({ type }) => type === 'marked_done')?.at : undefined;
}

/** All ids that the service gave the case; undefined if there are none. */
function requestIdsOf({ requests, others }: ListedCase): readonly string[] | undefined {
  const ids = [...requests.map(({ serviceId }) => serviceId), ...others].filter((id) => id !== undefined);
  return ids.length === 0 ? undefined : [...new Set(ids)];
}

const byHand: ReadonlySet<ChartLack> = new Set(['failed', 'wrong-letter', 'file']);

interface Standing extends Pick<WorklistEntry, 'part' | 'waits' | 'approvalEnd'> {
  readonly says?: string;
  /** Until when the payer waits for an answer, or accepts an appeal. */
  readonly until?: string;
}

/**
 * The section of the worklist that a case belongs to, and what the case waits for. An order that has ended in the chart
 * takes precedence.
 */
export function worklistStanding(one: ListedCase): Standing {
  if (lacksOrder(one)) return { part: 'needs', waits: 'order_ended' };
  const signature = signatureWaits(one);
  if (signature !== undefined) return { part: 'needs', waits: signature };
  if (one.state === 'draft') return { part: 'needs', waits: one.requests.length > 0 ? 'send_again' : 'draft' };
  if (one.state === 'refused') return { part: 'needs', waits: 'refused' };
  if (one.state === 'sending') return { part: 'payer', waits: 'sending' };
  if (one.state === 'unknown') return { part: 'needs', waits: 'unclear' };
  if (one.state === 'open') {
    // An unknown status gets a code of its own, because its text could equal one of our codes, such as `approved`.
    if (!isKnownStatus(one.kind, one.status))
      return { part: 'payer', waits: 'unknown_status', says: statusWords(one.kind, one.status).label };
    const asked = askedStanding(roundsOf(one), one.status);
    if (asked !== undefined) return askedLine(asked, askedUntil(roundsOf(one)));
    return { part: statusRule(one.kind, one.status).needsAction ? 'needs' : 'payer', waits: one.status };
  }
  return endedStanding(one);
}

/** The state of the signature of a draft; undefined when another state of the draft is more informative. */
function signatureWaits(one: ListedCase): string | undefined {
  const { signature, requests } = one;
  if (signature === undefined || !isEditable(one)) return undefined;
  if (isAsked(signature)) return 'signature';
  if (one.state !== 'draft' || requests.length > 0) return undefined;
  if (signature.isChanged) return signature.state === 'returned' ? undefined : 'sign_again';
  return signature.state === 'signed' ? 'signed' : 'sign_returned';
}

function askedLine(asked: NonNullable<ReturnType<typeof askedStanding>>, until: string | undefined): Standing {
  const waits = askedWaits[asked];
  if (asked === 'replying' || asked === 'answered') return { part: 'payer', waits };
  return { part: 'needs', waits, ...(until === undefined ? {} : { until }) };
}

const askedWaits = {
  asked: 'payer_asks',
  printed: 'reply_printed',
  unsigned: 'reply_signature',
  unclear: 'reply_unclear',
  replying: 'replying',
  answered: 'replied',
} as const;

function endedStanding(one: ListedCase): Standing {
  const outcome = outcomeOf(one);
  if (outcome === undefined) return { part: 'decided', waits: kindRecordOf(one)?.record.status ?? 'enrolled' };
  if (one.kind === 'benefit-verification') return benefitStanding(outcome);
  const isGood = outcome.kind === 'approved' || needsNone.has(outcome.detailCode ?? '');
  const end = /^\d{4}-\d{2}-\d{2}/.exec(outcome.authorizationExpiration ?? '')?.[0];
  return {
    part: isGood ? 'decided' : 'needs',
    waits: isGood ? 'approved' : outcome.kind,
    says: saysOf(one, outcome),
    ...present({ until: outcome.kind === 'denied' ? appealNote(one.events)?.on : undefined }),
    ...(end === undefined || Number.isNaN(Date.parse(end)) ? {} : { approvalEnd: end }),
  };
}

function saysOf(one: ListedCase, { label }: OutcomeView): string {
  const differs = approvedDifferences(one).map(differenceText);
  return differs.length === 0 ? label : `${label}, not as ordered: ${differs.join('; ')}`;
}

function benefitStanding({ kind, label, isGood }: OutcomeView): Standing {
  return { part: isGood === true ? 'decided' : 'needs', waits: kind, says: label };
}

/** Statuses that mean that the drug needs no prior authorization. */
const needsNone: ReadonlySet<string> = new Set(['prior_auth_not_required', 'benefit_verification_pa_not_required']);

// The time of the status, the question or the signature that the case waits for. Entries in a draft do not change this
// time.
function sinceOf(one: ListedCase): string {
  if (one.signature !== undefined && signatureWaits(one) !== undefined)
    return one.signature.settledAt ?? one.signature.askedAt ?? one.createdAt;
  if (one.state === 'draft') return one.requests.at(-1)?.settledAt ?? one.createdAt;
  const asked = roundsOf(one).findLast(({ ended }) => ended === undefined)?.openedAt;
  if (one.state === 'open' && asked !== undefined) return asked;
  return one.changedAt ?? ('sentAt' in one ? one.sentAt : one.createdAt);
}

function peopleOf({ users, assigned, told }: CaseHead, owner: string | undefined): Record<string, string> {
  const keys = new Set([owner, assigned, told?.by].filter((key) => key !== undefined));
  return Object.fromEntries(Object.entries(users).filter(([key]) => keys.has(key)));
}
