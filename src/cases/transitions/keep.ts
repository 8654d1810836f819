import { BridgeError } from '../../core/errors.ts';
import { askedAgain, type LedgerEntry, letterInChart } from '../../writeback/ledger.ts';
import { appealNote, isDenied } from '../appeal.ts';
import { isApproved } from '../approved.ts';
import { type Current, entriesIn, present, priorAuthIn } from '../assemble.ts';
import type { Actor, Entries } from '../case.ts';
import type { CaseChange, Changed } from '../change.ts';
import { job } from '../jobs.ts';
import { letterIsDue, letterStanding } from '../letter-state.ts';
import { type ApprovedTerms, approvedNote, approvedTerms, letterFacts } from '../letter-terms.ts';
import type { DraftEdits, DraftRevision } from '../requests.ts';
import { letterEntry } from '../service-record.ts';
import { signatureAfter } from './sign-off.ts';

/**
 * Changes of the data that is stored with a case: the entries of its draft, the payer's letter, the write-back ledger.
 */

export function edited(
  { stored, head }: Current,
  { edits }: { readonly edits: DraftEdits | DraftRevision },
): CaseChange {
  const entries = entriesIn(stored);
  const given = typeof edits === 'function' ? edits(entries) : edits;
  const { coverage, prescriber, title, payer, prescriberName, memberId, needed, drugNames, digest, ...changed } = given;
  const after = withEntries(entries, changed);
  return {
    entries: after,
    head: {
      ...signatureAfter(head, digest, [entries, after]),
      ...present({ coverage, prescriber, title, payer, prescriberName, memberId, needed, drugNames }),
    },
  };
}

/** A draft whose order is active again becomes open work again, even if it was marked as done. */
export function orderNoted({ head }: Current, { isEnded }: { readonly isEnded: boolean }): Changed {
  if (isEnded === (head.orderEnded === true)) return undefined;
  return { head: isEnded ? { orderEnded: true } : { orderEnded: undefined, done: undefined } };
}
type HeadKey = 'coverage' | 'prescriber' | 'title' | 'payer' | 'prescriberName' | 'memberId' | 'needed' | 'drugNames';

function withEntries(before: Entries, changed: Omit<DraftEdits, HeadKey | 'digest'>): Entries {
  const { consent: _, consentEntry: __, ...rest } = before;
  // A new consent replaces the earlier consent, even while the new one is incomplete.
  const isConsentNew = changed.consent !== undefined || changed.consentEntry !== undefined;
  const { attach, detach, ...replaced } = changed;
  const entries = { ...(isConsentNew ? rest : before), ...replaced };
  if (attach === undefined && detach === undefined) return entries;
  const kept = (before.attached ?? []).filter(({ id }) => id !== detach);
  return { ...entries, attached: attach === undefined ? kept : [...kept, attach] };
}

/** The letter's bytes are already stored. This queues writing the letter to the chart. */
export function letterKept({ stored }: Current, { letter }: { readonly letter: string }): Changed {
  const { site, id, events } = stored;
  if (events.some(({ type, facts }) => type === 'letter_kept' && facts.letter === letter)) return undefined;
  return {
    columns: { unwritten: true },
    says: [{ type: 'letter_kept', facts: { letter }, by: 'bridge' }],
    jobs: [job('deliver', site, { case: id })],
  };
}

export interface Missing {
  readonly letter: string;
  readonly code: string;
  /** The number of days during which the bridge tries to fetch the letter. */
  readonly days: number;
}

/**
 * The missing letter is reported once, and once more after `days`. After that, each request for the letter causes one
 * attempt.
 */
export function letterMissing({ stored }: Current, { letter, code, days }: Missing, at: string): Changed {
  const own = stored.events.filter(({ facts }) => facts.letter === letter);
  const first = own.find(({ type }) => type === 'letter_missing');
  const wasGivenUp = own.some(({ type }) => type === 'letter_given_up');
  const isOver = first !== undefined && Date.parse(at) - Date.parse(first.at) >= days * dayMs;
  if (wasGivenUp || isOver)
    return {
      says: [{ type: 'letter_given_up', facts: { letter, code }, by: 'bridge' }],
      // The delivery checks whether anything else is left to write.
      jobs: [job('deliver', stored.site, { case: stored.id })],
    };
  return first === undefined
    ? { says: [{ type: 'letter_missing', facts: { letter, code }, by: 'bridge' }] }
    : undefined;
}

const dayMs = 24 * 3_600_000;

/** Throws case_not_ready when there is no letter to fetch, or it was fetched already. */
export function letterAsked({ stored }: Current, { by }: { readonly by: Actor }): Changed {
  const record = priorAuthIn(stored);
  const { is } = letterStanding(record, stored.events);
  const letter = letterEntry(record)?.id;
  if (is === 'due') return undefined;
  if (is !== 'given-up' || letter === undefined) throw new BridgeError('case_not_ready', { case: stored.id });
  return { columns: { unwritten: true }, says: [{ type: 'letter_asked', facts: { letter }, by }] };
}

/** Throws case_not_ready unless the request is denied. */
export function appealNoted({ one }: Current, { on, by }: { readonly on: string; readonly by: Actor }): Changed {
  if (!isDenied(one)) throw new BridgeError('case_not_ready', { case: one.id });
  return (appealNote(one.events)?.on ?? '') === on
    ? undefined
    : { says: [{ type: 'appeal_noted', facts: { on }, by }] };
}

/** A person enters the terms in a letter of approval; the Task states them. Throws case_not_ready unless approved. */
export function approvedNoted(
  { one, stored }: Current,
  { terms, by, launch }: { readonly terms: ApprovedTerms; readonly by: Actor; readonly launch?: string },
): Changed {
  if (!isApproved(one)) throw new BridgeError('case_not_ready', { case: one.id });
  const before = approvedNote(one.events);
  const isSame = [...approvedTerms, ...letterFacts].every((term) => (before?.[term] ?? '') === (terms[term] ?? ''));
  if (isSame) return undefined;
  return {
    columns: { unwritten: true },
    says: [{ type: 'approved_noted', facts: { ...terms }, by }],
    jobs: [job('deliver', stored.site, { case: stored.id, ...(launch === undefined ? {} : { launch }) })],
  };
}

export interface DeliveredRows {
  readonly rows: readonly LedgerEntry[];
  /** The end of a delivery; absent while it continues. */
  readonly delivered?: {
    /** The number of events that the case had when the delivery began. Later events are not in the chart. */
    readonly events: number;
    /** The next check or retry. */
    readonly again?: { readonly launch?: string; readonly author?: string; readonly afterSeconds: number };
  };
}

export function written({ stored }: Current, { rows, delivered }: DeliveredRows): Changed {
  const again = delivered?.again;
  const unwritten = delivered === undefined ? undefined : again !== undefined || isLeft(stored, delivered.events);
  const isSame = (unwritten ?? stored.unwritten) === stored.unwritten;
  if (rows.length === 0 && again === undefined && isSame) return undefined;
  const { afterSeconds, ...data } = again ?? { afterSeconds: 0 };
  return {
    writes: rows,
    columns: unwritten === undefined ? {} : { unwritten },
    jobs: again === undefined ? [] : [job('deliver', stored.site, { case: stored.id, ...data }, afterSeconds)],
    visible: rows.length > 0 || !isSame,
  };
}

// The job for a later event, or the job that fetches the letter, still has to write.
function isLeft(stored: Current['stored'], events: number): boolean {
  return letterIsDue(priorAuthIn(stored), stored.events) || (stored.unwritten && stored.events.length > events);
}

/** Everything that is not in the chart is retried. A write that may have arrived is searched for first. */
export function writeAsked({ one }: Current, { by }: { readonly by: Actor }, at: string): CaseChange {
  return {
    writes: askedAgain(one.writes, at).filter((row, index) => row !== one.writes[index]),
    columns: { unwritten: true },
    says: [{ type: 'writeback_asked', facts: {}, by }],
  };
}

export interface RetractAsked {
  readonly reference: string;
  readonly by: Actor;
  /** The launch whose token is used to update the chart. */
  readonly launch?: string;
}

/** A person reports that a letter in the chart is wrong. The Task that refers to it has to be written again. */
export function retractAsked({ one, stored }: Current, { reference, by, launch }: RetractAsked): CaseChange {
  if (letterInChart(one.writes, reference) === undefined) throw new BridgeError('bad_request', { case: stored.id });
  return {
    columns: { unwritten: true },
    says: [{ type: 'retract_asked', facts: { reference }, by }],
    jobs: [job('deliver', stored.site, { case: stored.id, ...(launch === undefined ? {} : { launch }) })],
  };
}
