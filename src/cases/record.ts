import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import { PriorAuthorization } from '../service/contract.ts';
import { statusRow } from '../service/status.ts';
import type { Case } from './case.ts';

// Of an unfinished record only what the interface names is kept: a field that it does not name could tell the outcome
// early.
const unfinishedKeys = new Set(
  Object.keys(PriorAuthorization.shape).filter((key) => key !== 'outcome' && key !== 'denial_reason_analysis'),
);

/**
 * The record as it may be stored and shown: whole once it has finished, before that without outcome, denial analysis,
 * unnamed fields, and the content of received faxes (they are the payer's answer).
 */
export function visible(record: PriorAuthorization): PriorAuthorization {
  if (statusRow(record.status).shows !== 'none') return record;
  const named = Object.fromEntries(Object.entries(record).filter(([key]) => unfinishedKeys.has(key)));
  const { activity_log } = record;
  const log = activity_log?.map((entry) =>
    entry.type === 'sent_fax'
      ? entry
      : { id: entry.id, created_at: entry.created_at, ...(entry.type === undefined ? {} : { type: entry.type }) },
  );
  return { ...named, id: record.id, status: record.status, ...(log === undefined ? {} : { activity_log: log }) };
}

const Submitted = z.object({
  patient: z.object({ internal_id: z.string() }).optional(),
  prescription: z.object({ extra: z.record(z.string(), z.unknown()).optional() }).optional(),
});

/** Throws `service_contract` with the fact `mismatch` when a record cannot be the one of this case. */
export function believable(current: Case, record: PriorAuthorization): void {
  const wrong = mismatch(current, record);
  if (wrong !== undefined) throw new BridgeError('service_contract', { case: current.id, mismatch: wrong });
}

function mismatch(current: Case, record: PriorAuthorization): string | undefined {
  if (current.serviceId !== undefined && current.serviceId !== record.id) return 'id';
  const submission = submissionId(record);
  if (submission !== undefined && submission !== current.id) return 'submission_id';
  const sent = Submitted.safeParse(current.body).data?.patient?.internal_id;
  const read = record.patient?.internal_id;
  return sent !== undefined && read !== undefined && sent !== read ? 'patient.internal_id' : undefined;
}

/** Our id as the service gives it back. */
export function submissionId(record: PriorAuthorization): string | undefined {
  const id = record.prescription?.extra?.submission_id;
  return typeof id === 'string' ? id : undefined;
}
