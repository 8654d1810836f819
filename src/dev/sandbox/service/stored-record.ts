import type { MockResult } from './requests/body-parts.ts';
import type { EnrollmentBody } from './requests/enrollment-body.ts';
import type { CreateBody } from './requests.ts';
import { isTerminal, type Status } from './statuses.ts';

/** The statuses after `processing`, up to a terminal one. */
export type StatusPath = readonly Status[];

/** One prior authorization as the sandbox stores it. `toRecord` returns it in the service's form. */
export interface StoredPriorAuthorization {
  readonly id: string;
  readonly site: string;
  readonly createdAt: string;
  readonly request: CreateBody;
  readonly status: Status;
  /** What a switch shows in place of the status. */
  readonly shownAs?: string;
  readonly statusSince: string;
  /** Milliseconds since 1970 when the next state follows by itself; absent if it waits for a person, or has ended. */
  readonly dueAt?: number;
  /** Name of a row of `decisions`. */
  readonly decision: string;
  /** The statuses after `processing`. `reached`: how many of them the record has reached. */
  readonly path: StatusPath;
  readonly reached: number;
  readonly activity: readonly Activity[];
  readonly outcome: SandboxOutcome;
  readonly analysis?: DenialAnalysis;
  readonly answers?: readonly { readonly question: string; readonly answer: string }[];
  readonly answeredAt?: string;
  readonly submitted?: boolean;
  readonly governmentPlan?: boolean;
  readonly mock?: MockResult;
  readonly cancellationReason?: string;
  /** The record is completed, and validation will reject it at `dueAt`. */
  readonly turnBack?: 'open' | 'Approved' | 'Denied' | 'Other';
  /** Validation has rejected the record, which happens only once. */
  readonly wasTurnedBack?: true;
  /** The payer's questions. `askedTimes`: how often it has asked. */
  readonly asks?: Asks;
  readonly askedTimes?: number;
  readonly outreach?: readonly StoredOutreach[];
  /** The amounts that the payer approves in place of the requested ones. */
  readonly approved?: { readonly quantity?: number; readonly days_supply?: number };
  /** Evidence that was added after the request was sent. */
  readonly added?: readonly unknown[];
}

/** How a payer asks, from a switch or a row of `decisions`. */
export interface Asks {
  readonly text: string;
  /** The question that follows the first answer. */
  readonly second?: string | undefined;
  /** There is one attempt on each channel, all at once. */
  readonly channels: readonly string[];
  /** The last attempt expires at once, and another is made with a new id. */
  readonly retried: boolean;
  /** `early`: reported before the response to the create. `never`: only the record's status shows the question. */
  readonly event: 'usual' | 'early' | 'never';
  /** Whether there is a file behind a link. */
  readonly file: boolean;
  /** Seconds until the deadline closes the question. */
  readonly closesAfter?: number | undefined;
}

export interface StoredOutreach {
  readonly id: string;
  readonly sequence: string;
  readonly state: string;
  readonly channel: string;
  readonly text: string;
  readonly file: boolean;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly respondBy?: string;
  /** Whether the whole sequence has ended. */
  readonly over: boolean;
}

export type Activity =
  | { readonly id: string; readonly createdAt: string; readonly type: 'sent_fax' }
  /** The payer's letter, with its original content even if validation rejected it later. */
  | {
      readonly id: string;
      readonly createdAt: string;
      readonly type: 'received_fax';
      readonly outcome: SandboxOutcome;
      /** Milliseconds since 1970 until which the letter is hidden. */
      readonly hiddenUntil?: number;
    }
  | { readonly id: string; readonly createdAt: string; readonly type: 'unknown'; readonly shownAs: string }
  | {
      readonly id: string;
      readonly createdAt: string;
      readonly type: 'follow_up_call';
      readonly notes: string;
      readonly transcript: string;
    };

export interface SandboxOutcome {
  /** `Approved`, `Denied`, `Other`, `Pending`, `Not Submitted`, or what a switch shows. */
  readonly result: string;
  readonly detail: string | null;
  readonly detail_code: string | null;
}

export interface DenialAnalysis {
  readonly categories: readonly string[];
  readonly explanation: string;
  readonly next_steps: string;
  readonly next_steps_explanation: string;
}

export interface StoredEnrollment {
  readonly id: string;
  readonly site: string;
  readonly createdAt: string;
  readonly request: EnrollmentBody;
}

/** Makes the record's links. They expire soon, so every read makes new ones. */
export interface RecordLinks {
  readonly now: () => Date;
  readonly platform: (id: string) => string;
  readonly file: (id: string, name: string) => string;
}

/** Returns `data` of the retrieve response (section 2.1). */
export function toRecord(stored: StoredPriorAuthorization, links: RecordLinks): Record<string, unknown> {
  const { request } = stored;
  return {
    id: stored.id,
    object: 'prior_authorization',
    url: links.platform(stored.id),
    status: stored.shownAs ?? stored.status,
    diagnoses: request.diagnoses,
    evidence: [...(request.evidence ?? []), ...(stored.added ?? [])],
    patient: { phone: null, ...request.patient },
    insurance: insuranceOf(stored, links),
    prescription: isTerminal(stored.status) ? { ...request.prescription, ...stored.approved } : request.prescription,
    provider: { phone: null, ...request.provider },
    ...(request.pharmacy === undefined ? {} : { pharmacy: request.pharmacy }),
    questionnaires:
      stored.answers === undefined ? [] : [{ questions: stored.answers, date_created: stored.answeredAt }],
    visit_notes: [],
    activity_log: stored.activity
      .filter((entry) => isShown(entry, links.now()))
      .map((entry) => activityOf(stored.id, entry, links)),
    ...(stored.submitted ? { submitted_by: reviewer, reviewed_by: reviewer } : {}),
    ...(stored.governmentPlan
      ? {
          eligibility_check_response: [
            { health_plan_name: 'Government plan', plan_type: 'medicare', rx_bin: null, rx_pcn: null, rx_grp: null },
          ],
        }
      : {}),
    ...(stored.analysis === undefined ? {} : { denial_reason_analysis: stored.analysis }),
    outcome: outcomeOf(stored),
    ...(stored.mock?.result === 'Other' && stored.mock.trigger_message === true
      ? { message_thread: { is_resolved: false, messages: [{ content: 'The payer asks for a recent visit note.' }] } }
      : {}),
  };
}

/** Returns `2026-11-21T10:15:00`. The service writes its own times without a time zone. */
export function naive(now: Date): string {
  return now.toISOString().slice(0, 19);
}

const reviewer = { first_name: 'Robin', last_name: 'Sandbox', email: 'robin@service.example' };

function insuranceOf(
  { id, request }: StoredPriorAuthorization,
  links: RecordLinks,
): readonly Record<string, unknown>[] {
  const discrete = request.insurance_content ?? {};
  const cards = request.insurance ?? [];
  if (cards.length === 0)
    return request.insurance_content === undefined
      ? []
      : [{ scanned_content: {}, discrete_content: discrete, url: null }];
  return cards.map((_, index) => ({
    scanned_content: { error: 'The sandbox does not read card images' },
    discrete_content: index === 0 ? discrete : {},
    url: links.file(id, `card-${index}`),
  }));
}

function isShown(entry: Activity, now: Date): boolean {
  return entry.type !== 'received_fax' || (entry.hiddenUntil ?? 0) <= now.getTime();
}

function activityOf(id: string, entry: Activity, links: RecordLinks): Record<string, unknown> {
  const { type } = entry;
  if (type === 'unknown') return { id: entry.id, created_at: entry.createdAt, type: entry.shownAs, details: {} };
  const details =
    type === 'follow_up_call'
      ? { notes: entry.notes, recording_url: null, transcript: entry.transcript }
      : { url: links.file(id, entry.id) };
  return { id: entry.id, created_at: entry.createdAt, type, details };
}

function outcomeOf(stored: StoredPriorAuthorization): Record<string, unknown> {
  if (stored.outcome.result !== 'Approved') return { ...stored.outcome };
  const start = stored.statusSince.slice(0, 10);
  return {
    ...stored.outcome,
    authorization_start_date: start,
    authorization_expiration: `${Number(start.slice(0, 4)) + 1}${start.slice(4).replace('02-29', '02-28')}`,
  };
}
