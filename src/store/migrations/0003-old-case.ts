/** A case as it was sealed, whole, up to the tables of 0002. Frozen: what was stored then never changes. */
export interface OldCase {
  readonly id: string;
  readonly kind: string;
  readonly site: string;
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly launch: string;
  readonly state: string;
  readonly status?: string;
  readonly serviceId?: string;
  readonly banner: unknown;
  readonly title: string;
  readonly edits: unknown;
  readonly answers: unknown;
  readonly enteredFor?: unknown;
  readonly mappedBy?: unknown;
  readonly shown?: unknown;
  readonly consent?: unknown;
  readonly consentEntry?: unknown;
  readonly body?: unknown;
  readonly provenance?: unknown;
  readonly gaps?: unknown;
  readonly record?: { readonly status?: string };
  readonly problem?: { readonly code: string };
  readonly history: readonly OldEntry[];
  readonly writes: readonly OldWrite[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt?: string;
  readonly sentBy?: OldActor;
  readonly readAt?: string;
  readonly changedAt?: string;
  readonly endedAt?: string;
  readonly cancellation?: string;
  readonly notArrived?: { readonly at: string; readonly left: OldLeft };
  readonly others?: readonly string[];
}

/** The case as a request left it, of one that a person said had not arrived. */
export type OldLeft = Omit<OldCase, 'history' | 'writes' | 'problem' | 'notArrived' | 'others'>;

export type OldActor = 'bridge' | { readonly fhirUser?: string; readonly name?: string };

export interface OldEntry {
  readonly at: string;
  readonly what: string;
  readonly by: OldActor;
}

export interface OldWrite {
  readonly what: string;
  readonly version: string;
  readonly state: string;
  readonly reference?: string;
  readonly versionId?: string;
  readonly reason?: string;
  readonly token?: string;
  readonly attempts: number;
  readonly at: string;
}

export interface TypedEvent {
  readonly at: string;
  readonly type: string;
  readonly actor: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Who did what in a case, by the words that `TypedEvent.actor` uses, and the names that go with them. */
export interface Actors {
  readonly of: (actor: OldActor) => string;
  /** `{"Practitioner/12": "Jane Doe"}` */
  readonly users: Readonly<Record<string, string>>;
}

/** Users without a reference to the EHR get a number of their own in the case: `user-1`. */
export function actorsOf({ history, sentBy }: Pick<OldCase, 'history' | 'sentBy'>): Actors {
  const users: Record<string, string> = {};
  const unnamed: string[] = [];
  const of = (actor: OldActor): string => {
    if (actor === 'bridge') return 'bridge';
    const key = actor.fhirUser ?? numbered(unnamed, actor.name ?? '');
    if (actor.name !== undefined) users[key] = actor.name;
    return key;
  };
  for (const { by } of history) of(by);
  if (sentBy !== undefined) of(sentBy);
  return { of, users };
}

function numbered(unnamed: string[], name: string): string {
  if (!unnamed.includes(name)) unnamed.push(name);
  return `user-${unnamed.indexOf(name) + 1}`;
}

const fixed: Readonly<Record<string, string>> = {
  'Draft opened': 'draft_opened',
  Sent: 'sent',
  'Accepted by the support program': 'accepted',
  'Accepted by the service': 'accepted',
  'Refused by the service': 'refused',
  'Not sent': 'not_sent',
  'Sent; no certain answer came back': 'unclear',
  'Looked up: it did not arrive': 'not_arrived',
  'Found at the service': 'found',
  'Write-back asked for': 'writeback_asked',
};

const statuses: Readonly<Record<string, string>> = {
  Processing: 'processing',
  'Not submitted': 'not_submitted',
  'Awaiting review': 'awaiting_review',
  'Submitted to payer': 'awaiting_outcome',
  'Awaiting the prescriber': 'awaiting_provider_response',
  'Outcome being validated': 'validating_outcome',
  Completed: 'completed',
  Failed: 'failed',
  Cancelled: 'cancelled',
};

const patterns: readonly {
  readonly words: RegExp;
  readonly event: (...groups: string[]) => Pick<TypedEvent, 'type' | 'facts'>;
}[] = [
  { words: /^Cancellation asked for: /s, event: () => ({ type: 'cancel_asked', facts: {} }) },
  {
    words: /^The request had arrived \((.+)\) and was cancelled there$/,
    event: (service_id = '') => ({ type: 'arrived_cancelled', facts: { service_id } }),
  },
  {
    words: /^A second request of ours exists at the service \((.+)\): (.+)$/,
    event: (service_id = '', label = '') => ({
      type: 'second_found',
      facts: { service_id, status: statuses[label] ?? 'unknown' },
    }),
  },
  {
    words: /^Cancelled \((.*)\); the other request \((.+)\) is followed from here on$/,
    event: (from = '', to = '') => ({ type: 'followed_other', facts: { from, to } }),
  },
  {
    words: /^The service reports (\w+) for a finished request$/,
    event: (status = '') => ({ type: 'reported_after_end', facts: { status } }),
  },
];

/** The words of a history as typed events; words that are none of them are kept as `noted`, without their text. */
export function eventsOf(history: readonly OldEntry[], actors: Actors): TypedEvent[] {
  let attempt = 0;
  return history.map(({ at, what, by }) => {
    const { type, facts } = typed(what);
    if (type === 'sent') attempt += 1;
    return { at, actor: actors.of(by), type, facts: ofAttempt.has(type) ? { ...facts, attempt } : facts };
  });
}

const ofAttempt = new Set(['sent', 'accepted', 'refused', 'not_sent', 'unclear', 'found', 'not_arrived']);

function typed(what: string): Pick<TypedEvent, 'type' | 'facts'> {
  const type = fixed[what];
  if (type !== undefined) return { type, facts: {} };
  const status = statuses[what];
  if (status !== undefined) return { type: 'status', facts: { status } };
  for (const { words, event } of patterns) {
    const found = words.exec(what);
    if (found !== null) return event(...found.slice(1));
  }
  return { type: 'noted', facts: {} };
}

export interface OldSubmission {
  readonly attempt: number;
  readonly state: string;
  readonly serviceId?: string;
  readonly sentAt: string;
  readonly settledAt?: string;
  readonly content: unknown;
}

/**
 * The requests of a case that are known whole: the one it follows, and one that a person said had not arrived. They
 * are numbered as they left; of earlier ones only the events tell.
 */
export function submissionsOf(old: OldCase, events: readonly TypedEvent[]): OldSubmission[] {
  const sentTimes = events.filter(({ type }) => type === 'sent').map(({ at }) => at);
  const lastSent = sentTimes.at(-1);
  const { left } = old.notArrived ?? {};
  const currentSentAt = old.sentAt ?? lastSent;
  const current =
    old.body === undefined || currentSentAt === undefined
      ? undefined
      : submission(old, old, currentSentAt, stateOf(old, events), sentTimes, events);
  // A draft that a person took up again still has the body of the request that did not arrive.
  if (left?.sentAt === undefined || left.body === undefined) return current === undefined ? [] : [current];
  if (current !== undefined && old.sentAt === left.sentAt) return [current];
  const before = submission(old, left, left.sentAt, 'not_arrived', sentTimes, events);
  return current === undefined || currentSentAt === left.sentAt ? [before] : [before, current];
}

function submission(
  { title, launch, sentBy }: OldCase,
  left: OldLeft,
  sentAt: string,
  state: string,
  sentTimes: readonly string[],
  events: readonly TypedEvent[],
): OldSubmission {
  const settling = ['accepted', 'refused', 'not_sent', 'unclear', 'not_arrived'];
  const settledAt = events.find(({ at, type }) => at >= sentAt && settling.includes(type))?.at;
  return {
    attempt: Math.max(1, sentTimes.indexOf(sentAt) + 1),
    state,
    sentAt,
    ...(state === 'accepted' && left.serviceId !== undefined ? { serviceId: left.serviceId } : {}),
    ...(settledAt === undefined ? {} : { settledAt }),
    content: {
      body: left.body,
      provenance: left.provenance ?? [],
      gaps: left.gaps ?? [],
      mappedBy: left.mappedBy,
      by: left.sentBy ?? sentBy ?? 'bridge',
      launch: left.launch ?? launch,
      title: left.title ?? title,
      prescriber: left.prescriber,
      coverage: left.coverage,
      encounter: left.encounter,
      draft: draftOf(left),
    },
  };
}

function stateOf({ state }: OldCase, events: readonly TypedEvent[]): string {
  if (state === 'sending') return 'sending';
  if (state === 'unknown') return 'unclear';
  if (state === 'refused') return 'refused';
  if (state === 'open' || state === 'ended') return 'accepted';
  const last = events.findLast(({ type }) => ['refused', 'not_sent', 'not_arrived'].includes(type));
  return last?.type ?? 'not_sent';
}

export function draftOf(from: OldLeft): unknown {
  const { edits, answers, enteredFor, mappedBy, shown, consent, consentEntry } = from;
  return { edits, answers, enteredFor, mappedBy, shown, consent, consentEntry };
}

export function headOf(old: OldCase, users: Actors['users']): unknown {
  const { patient, order, encounter, prescriber, coverage, launch, banner, title } = old;
  const { cancellation, others, problem, sentBy } = old;
  return {
    ...{ patient, order, encounter, prescriber, coverage, launch, banner, title, users },
    ...{ cancellation, others, problem, sentBy },
  };
}
