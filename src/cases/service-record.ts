import { z } from 'zod';
import type { KindRecord, ServiceRecord } from '../core/contract/kinds.ts';
import { type ActivityEntry, PriorAuthorization } from '../core/contract/prior-authorization.ts';
import { BridgeError } from '../core/errors.ts';
import { statusRule } from '../service/statuses.ts';
import { answersBenefits, visibleBenefits } from './benefit-record.ts';
import { questionIn } from './question.ts';

// For an unfinished record, only fields of the interface document are stored: an unknown field could reveal the outcome
// early.
const unfinishedKeys = new Set(
  Object.keys(PriorAuthorization.shape).filter((key) => key !== 'outcome' && key !== 'denial_reason_analysis'),
);

/**
 * The record as it may be stored and shown: the whole record once it has finished. Before that, the outcome, the denial
 * analysis, unknown fields, and the content of faxes, calls and other activities are removed, because they may be the
 * payer's answer. While the practice has a question to answer, notes of calls that only ask something are kept; see
 * `questionIn`. Signed links are always removed: they expire within the hour, and their renewal would make each reading
 * look like a change.
 */
export function visiblePriorAuth(answer: PriorAuthorization): PriorAuthorization {
  const record = withoutLinks(answer);
  const { shows } = statusRule('prior-auth', record.status);
  if (shows === 'payer' || shows === 'reason') return record;
  const named = Object.fromEntries(Object.entries(record).filter(([key]) => unfinishedKeys.has(key)));
  const log = record.activity_log?.map((entry) => closed(entry, shows === 'asked' ? questionIn(entry) : undefined));
  return { ...named, id: record.id, status: record.status, ...(log === undefined ? {} : { activity_log: log }) };
}

/** As `visiblePriorAuth`, for records of any kind. */
export function visible(one: KindRecord): ServiceRecord {
  return one.kind === 'benefit-verification' ? visibleBenefits(one.record) : visiblePriorAuth(one.record);
}

function closed({ id, created_at, type }: ActivityEntry, notes: string | undefined): ActivityEntry {
  return {
    id,
    created_at,
    ...(type === undefined ? {} : { type }),
    ...(notes === undefined ? {} : { details: { notes } }),
  };
}

function withoutLinks({ activity_log, insurance, ...record }: PriorAuthorization): PriorAuthorization {
  return {
    ...record,
    ...(insurance === undefined ? {} : { insurance: insurance.map(({ url: _, ...one }) => one) }),
    ...(activity_log === undefined ? {} : { activity_log: activity_log.map(withoutLink) }),
  };
}

function withoutLink({ details, ...entry }: ActivityEntry): ActivityEntry {
  if (details === undefined) return entry;
  const { url: _, recording_url: __, ...rest } = details;
  return { ...entry, details: rest };
}

const Submitted = z.object({ patient: z.object({ internal_id: z.string() }).optional() });

/** The request to which a record must belong. */
export interface ExpectedRecord {
  /** The case id. */
  readonly id: string;
  readonly serviceId: string | undefined;
  /** `submissionIdOf` the request. */
  readonly submissionId: string;
  readonly body: unknown;
}

export function believable(expected: ExpectedRecord, one: KindRecord): void {
  const wrong = mismatch(expected, one);
  if (wrong !== undefined) throw new BridgeError('service_contract', { case: expected.id, mismatch: wrong });
}

function mismatch({ serviceId, submissionId, body }: ExpectedRecord, one: KindRecord): string | undefined {
  const { record } = one;
  if (serviceId !== undefined && serviceId !== record.id) return 'id';
  const submission = one.kind === 'prior-auth' ? submissionIdIn(one.record) : undefined;
  if (submission !== undefined && submission !== submissionId) return 'submission_id';
  const sent = Submitted.safeParse(body).data?.patient?.internal_id;
  const read = record.patient?.internal_id;
  return sent !== undefined && read !== undefined && sent !== read ? 'patient.internal_id' : undefined;
}

/** Our id for one request, in `prescription.extra.submission_id`: the case id for the first request. */
export function submissionIdOf(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}/${attempt}`;
}

/** Whether a record answers this request of a case, by our own id or, for a benefit verification, by its content. */
export function answersRequest(one: KindRecord, { id, attempt, body }: Request): boolean {
  if (one.kind === 'benefit-verification') return answersBenefits(one.record, body);
  return submissionIdOf(id, attempt) === submissionIdIn(one.record);
}

interface Request {
  /** The case id. */
  readonly id: string;
  readonly attempt: number;
  readonly body: unknown;
}

/** Our submission id in a record; undefined if the service returned none. */
export function submissionIdIn(record: Pick<PriorAuthorization, 'prescription'>): string | undefined {
  const id = record.prescription?.extra?.submission_id;
  return typeof id === 'string' ? id : undefined;
}

export function caseNamed(submissionId: string): string {
  return submissionId.split('/')[0] ?? '';
}

/** The payer's letter in the record's activities; undefined before the payer's outcome may be shown. */
export function letterEntry(record: PriorAuthorization | undefined): ActivityEntry | undefined {
  if (record === undefined || statusRule('prior-auth', record.status).shows !== 'payer') return undefined;
  return record.activity_log?.findLast((entry) => entry.type === 'received_fax');
}
