import type { Answers } from '../chart/chart.ts';
import type { ErrorCode } from '../errors.ts';
import type { Edits, Gap, Provenance } from '../mapping/result.ts';
import type { PriorAuthorization, Status } from '../service/contract.ts';

export type CaseKind = 'prior-auth' | 'enrollment';

/**
 * `draft`: being reviewed; `sending`: intent stored, request under way; `unknown`: sent, the answer was lost;
 * `refused`: the service said no, may be edited and sent again; `open`: the service works on it; `ended`: a terminal status.
 */
export type CaseState = 'draft' | 'sending' | 'unknown' | 'refused' | 'open' | 'ended';

/** Who did something: the fhirUser of the launch, or the bridge itself. */
export type Actor = { readonly fhirUser: string } | 'bridge';

/** One prior authorization or enrollment and its life. What is about the patient is sealed in the store. */
export interface Case {
  /** UUID; also our submission id in `prescription.extra.submission_id`. */
  readonly id: string;
  readonly kind: CaseKind;
  readonly site: string;
  /** `Patient/123`, `MedicationRequest/9`, ... at the site's EHR. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /** The launch it was sent from; its token may deliver the outcome. */
  readonly launch: string;
  readonly state: CaseState;
  /** Last status the service's record had. */
  readonly status?: Status;
  /** Id at the service. */
  readonly serviceId?: string;
  /** For the patient banner and lists. */
  readonly banner: { readonly name: string; readonly birthDate?: string; readonly mrn?: string };
  readonly title: string;
  /** What the person entered and chose; kept over a re-pull. */
  readonly edits: Edits;
  readonly answers: Answers;
  /** Enrollment: who consented, when and how it was recorded. */
  readonly consent?: { readonly by: string; readonly on: string; readonly how: string; readonly recordedBy: string };
  /** As sent. */
  readonly body?: unknown;
  readonly provenance?: readonly Provenance[];
  readonly gaps?: readonly Gap[];
  /** The last record read from the service. */
  readonly record?: PriorAuthorization;
  readonly problem?: { readonly code: ErrorCode; readonly text: string; readonly at: string };
  readonly history: readonly HistoryEntry[];
  readonly writes: readonly LedgerEntry[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt?: string;
  readonly endedAt?: string;
}

export interface HistoryEntry {
  readonly at: string;
  readonly what: string;
  readonly by: Actor;
}

/** One resource to write to the chart. A row exists before the first POST. */
export interface LedgerEntry {
  readonly what: 'task' | 'document' | 'communication';
  /** Changes whenever the content to deliver changes; one delivered row per version. */
  readonly version: string;
  readonly state: 'planned' | 'in_flight' | 'done' | 'unknown' | 'failed' | 'waiting' | 'skipped';
  /** `Task/77` once known. */
  readonly reference?: string;
  readonly versionId?: string;
  /** Why skipped, failed or waiting: `not-supported`, `no scope patient/Task.c`, `next launch`. */
  readonly reason?: string;
  readonly attempts: number;
  readonly at: string;
}
