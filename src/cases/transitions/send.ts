import { hasRecord } from '../../core/contract/kinds.ts';
import { BridgeError } from '../../core/errors.ts';
import { firstStatusOf } from '../../service/record-outcome.ts';
import { isAboutWritten, type LedgerEntry } from '../../writeback/ledger.ts';
import { termsIn } from '../approved.ts';
import { type Current, contentOf, entriesIn, submissionOf } from '../assemble.ts';
import type { Actor } from '../case.ts';
import type { CaseChange, Changed, SubmissionChange } from '../change.ts';
import { job } from '../jobs.ts';
import { pollDelay } from '../poll-delay.ts';
import { problemOf, problemOfOthers } from '../problem.ts';
import type { SubmissionContent } from '../sealed-parts.ts';
import { isSigned } from '../signature.ts';
import { valueCounts } from '../value-counts.ts';
import { ownedBy } from './people.ts';
import { type SignedForSending, signedForSending } from './sign-off.ts';

/** Transitions for sending: a request is sent, and its answer arrives or is lost. Every answer names its attempt. */

export interface SendFacts {
  readonly attempt: number;
  readonly content: Pick<SubmissionContent, 'body' | 'provenance' | 'gaps' | 'mappedBy' | 'codeTitles' | 'by'>;
  /** The launch that sends the request, if it differs from the last launch of the case. */
  readonly launch: string | undefined;
  /** Cases for the same drug that the person had seen. */
  readonly beside: readonly string[];
  readonly settleSeconds: number;
  readonly signed: SignedForSending;
}

export function sending(current: Current, event: SendFacts, at: string): CaseChange {
  const signature = signedForSending(current, event.signed, at);
  const { stored } = current;
  const head = { ...current.head, ...signature.head } as Current['head']; // a signature removes no part of the head
  const { attempt, content, beside } = event;
  const launch = event.launch ?? head.launch;
  const { title, prescriber, coverage, encounter } = head;
  const entries = entriesIn(stored);
  return {
    state: 'sending',
    columns: { attempt, sentAt: at, serviceId: undefined, status: undefined },
    head: {
      launch,
      sentBy: content.by,
      askedTerms: termsIn(content.body),
      problem: undefined,
      cancellation: undefined,
      done: undefined,
      ...signature.head,
      ...ownedBy(head, content.by),
    },
    submissions: [
      {
        attempt,
        state: 'sending',
        sentAt: at,
        content: {
          ...content,
          launch,
          title,
          ...(prescriber === undefined ? {} : { prescriber }),
          ...(coverage === undefined ? {} : { coverage }),
          ...(encounter === undefined ? {} : { encounter }),
          draft: entries,
          ...(isSigned(head.signature, event.signed.digest) ? { signature: head.signature } : {}),
        },
      },
    ],
    says: [
      ...(signature.says ?? []),
      {
        type: 'sent',
        facts: {
          attempt,
          ...(beside.length === 0 ? {} : { beside: beside.join(' ') }),
          ...valueCounts(content.provenance),
        },
        by: content.by,
      },
    ],
    jobs: [job('settle', stored.site, { case: stored.id, attempt }, event.settleSeconds)],
  };
}

export interface Accepted {
  readonly attempt: number;
  readonly serviceId?: string;
  readonly pollSeconds: number;
}

/** The service accepted the request. The case follows it from now on; an enrollment is finished. */
export function accepted(current: Current, { attempt, serviceId, pollSeconds }: Accepted, at: string): Changed {
  const { stored, one } = current;
  const counts = (one.state === 'sending' || one.state === 'unknown') && stored.attempt === attempt;
  if (!counts) return acceptedLate(current, { attempt, ...(serviceId === undefined ? {} : { serviceId }) }, at);
  const says = [{ type: 'accepted', facts: { attempt }, by: 'bridge' }] as const;
  return followed(current, { attempt, serviceId, pollSeconds, says }, at);
}

interface Followed {
  readonly attempt: number;
  readonly serviceId: string | undefined;
  readonly pollSeconds: number;
  readonly says: NonNullable<CaseChange['says']>;
}

/** The case follows the request, because the service certainly has it. */
export function followed({ stored, head, one }: Current, event: Followed, at: string): CaseChange {
  const { attempt, serviceId, pollSeconds, says } = event;
  const settled = settledAs({ attempt, state: 'accepted', serviceId }, at);
  const { site, id } = stored;
  const jobs = [job('deliver', site, { case: id }), job('follow', site, { case: id })];
  const common = {
    entries: null,
    submissions: [settled],
    head: { problem: problemOfOthers(head.others ?? [], head.problem, at) },
    says,
  } as const;
  if (!hasRecord(one.kind)) {
    return {
      ...common,
      state: 'ended',
      columns: { serviceId, changedAt: at, endedAt: at, unwritten: true },
      jobs,
    };
  }
  const status = firstStatusOf(one.kind);
  const sentAt = submissionOf({ ...stored, attempt })?.sentAt ?? at;
  const wait = pollDelay({ kind: one.kind, status, sentAt }, pollSeconds, new Date(at));
  return {
    ...common,
    state: 'open',
    columns: { serviceId, status, changedAt: at, unwritten: true },
    jobs: [...jobs, job('poll', site, { case: id }, wait)],
  };
}

/**
 * The answer to a request that the case no longer follows: a person reported that it did not arrive, or another request
 * was sent since. Its record is read and handled like a record that was found; an enrollment has no record to read.
 */
function acceptedLate(
  current: Current,
  late: { readonly attempt: number; readonly serviceId?: string },
  at: string,
): Changed {
  const { stored, head, one } = current;
  const { attempt, serviceId } = late;
  const submission = stored.submissions.find((each) => each.attempt === attempt);
  if (submission === undefined || submission.state === 'accepted') return undefined;
  const settled = settledAs({ attempt, state: 'accepted', serviceId }, at);
  if (hasRecord(one.kind)) {
    if (serviceId === undefined) return undefined;
    const { site, id } = stored;
    return { submissions: [settled], jobs: [job('match', site, { site, serviceId, kind: one.kind, case: id })] };
  }
  if (one.state === 'draft' || one.state === 'refused') {
    const says = [{ type: 'accepted', facts: { attempt }, by: 'bridge' }] as const;
    return withLeft(current, attempt, followed(current, { attempt, serviceId, pollSeconds: 0, says }, at));
  }
  // Two enrollments of one patient exist, so a person must notify the program.
  const others = [...(head.others ?? []), serviceId ?? `request ${attempt}`];
  return {
    submissions: [settled],
    head: { others, problem: problemOfOthers(others, head.problem, at) },
    says: [
      {
        type: 'second_found',
        facts: { service_id: serviceId ?? `request ${attempt}`, status: 'accepted' },
        by: 'bridge',
      },
    ],
  };
}

/** Adds the content of an earlier request to the change, so that the case returns to that request. */
export function withLeft({ stored }: Current, attempt: number, change: CaseChange): CaseChange {
  const submission = stored.submissions.find((each) => each.attempt === attempt);
  if (submission === undefined) return change;
  const { title, prescriber, coverage, encounter, launch, by, body, signature } = contentOf(submission);
  return {
    ...change,
    columns: { ...change.columns, attempt, sentAt: submission.sentAt },
    head: {
      title,
      prescriber,
      coverage,
      encounter,
      launch,
      signature,
      sentBy: by,
      askedTerms: termsIn(body),
      cancellation: undefined,
      problem: undefined,
      ...change.head,
    },
  };
}

export interface Answered {
  readonly attempt: number;
  readonly error: BridgeError;
}

/** The service refused the request. A person corrects the fields that the service listed and sends it again. */
export function refused(current: Current, { attempt, error }: Answered, at: string): Changed {
  if (current.stored.attempt !== attempt) return undefined;
  return {
    ...backToDraft(current, { attempt, state: 'refused' }, at),
    state: 'refused',
    head: { sentBy: undefined, problem: problemOf(error, at) },
    says: [{ type: 'refused', facts: { attempt, code: error.code }, by: 'bridge' }],
  };
}

/** Nothing was sent, so the case is a draft again. */
export function notSent(current: Current, { attempt, error }: Answered, at: string): Changed {
  if (current.stored.attempt !== attempt) return undefined;
  return {
    ...backToDraft(current, { attempt, state: 'not_sent' }, at),
    head: { sentBy: undefined, problem: problemOf(error, at) },
    says: [{ type: 'not_sent', facts: { attempt, code: error.code }, by: 'bridge' }],
  };
}

/** The request was sent, and it is unknown whether it arrived. */
export function lost({ stored }: Current, { attempt }: { readonly attempt: number }, at: string): Changed {
  if (stored.attempt !== attempt) return undefined;
  return {
    state: 'unknown',
    columns: { changedAt: at, unwritten: true },
    head: { problem: problemOf(new BridgeError('service_unclear'), at) },
    submissions: [{ attempt, state: 'unclear' }],
    says: [{ type: 'unclear', facts: { attempt }, by: 'bridge' }],
    jobs: [job('deliver', stored.site, { case: stored.id })],
  };
}

/** The case is a draft again. The sent request is kept, because a late record may show that it did arrive. */
export function notArrived(current: Current, { by }: { readonly by: Actor }, at: string): CaseChange {
  const { attempt } = current.stored;
  const { columns, ...back } = backToDraft(current, { attempt, state: 'not_arrived' }, at);
  return {
    ...back,
    writes: untriedRows(current, at),
    columns: {
      ...columns,
      // The service reports nothing about an enrollment later.
      notArrivedAt: hasRecord(current.one.kind) ? at : undefined,
    },
    head: { sentBy: undefined, problem: undefined },
    says: [{ type: 'not_arrived', facts: { attempt }, by }],
  };
}

export function arrived(
  current: Current,
  { serviceId, by }: { readonly serviceId?: string; readonly by: Actor },
  at: string,
): CaseChange {
  const { attempt } = current.stored;
  const says = [{ type: 'found', facts: { attempt }, by }] as const;
  return followed(current, { attempt, serviceId, pollSeconds: 0, says }, at);
}

interface Settled {
  readonly attempt: number;
  readonly state: 'accepted' | 'refused' | 'not_sent' | 'not_arrived';
  readonly serviceId?: string | undefined;
}

function backToDraft({ stored, head, one }: Current, settled: Settled, at: string): CaseChange & { columns: object } {
  const { site, id } = stored;
  const { kind } = one;
  // A Task of this request is written only after the answer was lost.
  const mayBeWritten = one.state === 'unknown' && one.writes.some((row) => row.attempts > 0);
  return {
    state: 'draft',
    columns: { sentAt: undefined, changedAt: at, ...(mayBeWritten ? { unwritten: true } : {}) },
    submissions: [settledAs(settled, at)],
    jobs: [
      ...(mayBeWritten ? [job('deliver', site, { case: id })] : []),
      // If another request of the case is known to have arrived, the case follows that request.
      ...(hasRecord(kind)
        ? (head.others ?? []).map((serviceId) => job('match', site, { site, serviceId, kind, case: id }))
        : []),
    ],
  };
}

// Writes that were never tried are dropped, unless they belong to a resource in the chart: a Task in the chart is
// updated, and the update needs its Provenance.
function untriedRows({ one }: Current, at: string): LedgerEntry[] {
  return one.writes
    .filter((row) => row.attempts === 0 && row.state !== 'done' && !isAboutWritten(row))
    .map((row) => ({ ...row, state: 'skipped', reason: 'the request did not arrive', at }));
}

function settledAs({ attempt, state, serviceId }: Settled, at: string): SubmissionChange {
  return { attempt, state, settledAt: at, ...(serviceId === undefined ? {} : { serviceId }) };
}
