import { createHash } from 'node:crypto';
import type { Case } from '../../../src/cases/case.ts';
import { type Cases, createCases } from '../../../src/cases/cases.ts';
import { type CaseContext, createContext } from '../../../src/cases/context.ts';
import { matchRecord, readAll } from '../../../src/cases/follow.ts';
import type { JobData } from '../../../src/cases/jobs.ts';
import { workOnRounds } from '../../../src/cases/rounds/work.ts';
import type { CaseWrite, Job, Sealed, Store, StoredCase } from '../../../src/store/types.ts';
import { record } from '../../../src/writeback/ledger.ts';
import { type FakeService, fakeService } from '../../support/fake-service.ts';
import { testSite } from '../../support/site.ts';

/** Cases without a database: what the jobs of rounds need of a store, with a clock and jobs that a test moves on. */
export interface MemoryClinic {
  readonly cases: Cases;
  readonly context: CaseContext;
  readonly service: FakeService;
  readonly logged: string[];
  readonly site: string;
  /** The case of `send`. */
  readonly id: string;
  now: number;
  /** Jobs that wait. */
  readonly jobs: { readonly job: Job; readonly due: number }[];
  one(): Promise<Case>;
  stored(): StoredCase;
  /** Does what is due, and what follows from it at the same time. */
  work(): Promise<void>;
  /** Lets time pass, job by job. */
  pass(seconds: number): Promise<void>;
}

const id = '11111111-2222-4333-8444-555555555555';
const start = Date.parse('2026-11-21T10:00:00.000Z');

function sealed<T>(content: T): Sealed<T> {
  const text = JSON.stringify(content);
  return { hash: text, value: () => JSON.parse(text) as T };
}

/** A clinic with one open case. */
export function memoryClinic(profile: 'current' | 'documented' = 'current', outreachEndField?: string): MemoryClinic {
  const site = testSite({
    service: {
      url: 'https://service.example',
      tokenEnv: 'SERVICE_TOKEN',
      profile,
      ...(outreachEndField === undefined ? {} : { outreachEndField }),
    },
  });
  const service = fakeService();
  const logged: string[] = [];
  const log = (facts: object, message: string) => void logged.push(JSON.stringify([facts, message]));
  const table = new Map<string, StoredCase>();
  const files = new Map<string, Uint8Array>();
  const claims = new Map<string, { readonly serviceId: string; readonly eventType: string; readonly claim: string }>();
  const held = new Map<string, number>();
  const need = () => table.get(id)!;
  const clinic = { now: start, jobs: [] as MemoryClinic['jobs'] };
  const enqueue = async (jobs: readonly Job[]) => {
    for (const job of jobs) {
      const due = clinic.now + (job.afterSeconds ?? 0) * 1000;
      const same = clinic.jobs.findIndex((one) => one.job.queue === job.queue && one.due === due);
      if (same < 0) clinic.jobs.push({ job, due });
    }
  };
  const cases: Partial<Store['cases']> = {
    find: async (name) => table.get(name),
    columns: async (name) => table.get(name),
    byServiceId: async (_, serviceId) => [...table.values()].find((one) => one.serviceId === serviceId),
    ids: async () => [],
    hashOf: (content) => JSON.stringify(content),
    touchRecord: async (name, hash) => {
      const one = table.get(name);
      return one?.record?.hash === hash && one.problem === undefined;
    },
    change: async (name, transition) => {
      const current = table.get(name)!;
      const at = new Date(clinic.now).toISOString();
      const write = transition(current, at);
      if (write === undefined) return current;
      const next = applied(current, write, at);
      table.set(name, next);
      await enqueue(write.jobs ?? []);
      return next;
    },
    putFile: async (_, name, bytes) => void files.set(name, bytes),
    file: async (_, name) => files.get(name),
  };
  const store = {
    cases,
    webhooks: {
      receive: async (event: { key: string; serviceId: string; eventType: string; claim: unknown }, jobs: Job[]) => {
        if (claims.has(event.key)) return 'duplicate';
        claims.set(event.key, { ...event, claim: JSON.stringify(event.claim) });
        await enqueue(jobs);
        return 'accepted';
      },
      claims: async (_: string, serviceId: string, eventType: string) =>
        [...claims.values()]
          .filter((one) => one.serviceId === serviceId && one.eventType === eventType)
          .map(({ claim }) => JSON.parse(claim)),
      lastClaim: async () => undefined,
    },
    allowance: {
      hold: async (name: string, seconds: number) => void held.set(name, clinic.now + seconds * 1000),
      heldSeconds: async (name: string) => Math.max(0, ((held.get(name) ?? 0) - clinic.now) / 1000),
    },
    exclusively: async <T>(_: string, work: (lock: { assert(): void }) => Promise<T>) => work({ assert: () => {} }),
    mark: (text: string) => createHash('sha256').update(text).digest('base64url'),
    clock: () => new Date(clinic.now),
    enqueue,
  } as unknown as Store; // what the jobs of rounds use of it
  const context = createContext({
    store,
    config: { url: 'https://bridge.example', sites: [site], pollSeconds: 30, letterDays: 30 },
    services: () => service,
    access: async () => ({ waiting: 'next-launch' }),
    mappings: {} as CaseContext['mappings'], // nothing is written to a chart here
    clock: () => new Date(clinic.now),
    log: { debug: log, info: log, warn: log, error: log },
  });
  table.set(id, openCase(site.id, service.id(1)));
  service.records.set(service.id(1), { id: service.id(1), status: 'awaiting_outcome' });
  return Object.assign(clinic, {
    cases: createCases(context),
    context,
    service,
    logged,
    site: site.id,
    id,
    one: () => context.get(id),
    stored: need,
    ...moved(clinic, runIn(context), (text) => void logged.push(text)),
  });
}

/** Does jobs in the order in which they are due, with a clock that jumps from one to the next. */
export function moved(
  clinic: Pick<MemoryClinic, 'jobs'> & { now: number },
  run: (job: Job) => Promise<void>,
  failed: (text: string) => void,
): Pick<MemoryClinic, 'work' | 'pass'> {
  const work = async () => {
    for (let next = dueJob(clinic); next !== undefined; next = dueJob(clinic))
      await run(next).catch((error: unknown) => failed(String(error)));
  };
  return {
    work,
    async pass(seconds) {
      const end = clinic.now + seconds * 1000;
      for (;;) {
        await work();
        const next = Math.min(...clinic.jobs.map(({ due }) => due));
        if (next > end) break;
        clinic.now = Math.max(clinic.now, next);
      }
      clinic.now = Math.max(clinic.now, end);
    },
  };
}

/** Does a job of rounds. */
export function runIn(context: CaseContext): (job: Job) => Promise<void> {
  return async ({ queue, data }) => {
    if (queue === 'round') await workOnRounds(context, data as JobData['round']);
    if (queue === 'look') await readAll(context, (data as JobData['look']).case);
    if (queue === 'match') await matchRecord(context, data as unknown as JobData['match']);
  };
}

function dueJob(clinic: Pick<MemoryClinic, 'jobs' | 'now'>): Job | undefined {
  const index = clinic.jobs.findIndex(({ due }) => due <= clinic.now);
  return index < 0 ? undefined : clinic.jobs.splice(index, 1)[0]?.job;
}

function openCase(site: string, serviceId: string): StoredCase {
  const at = new Date(start).toISOString();
  const content = {
    body: { patient: { internal_id: 'MRN-1' } },
    provenance: [],
    gaps: [],
    mappedBy: { mapping: 'prior-auth', version: '1' },
    by: 'bridge',
    launch: 'l1',
    title: 'adalimumab',
    draft: { edits: {}, answers: {} },
  };
  return {
    id,
    site,
    kind: 'prior-auth',
    state: 'open',
    status: 'awaiting_outcome',
    serviceId,
    attempt: 1,
    version: 1,
    unwritten: false,
    waiting: false,
    sentAt: at,
    changedAt: at,
    createdAt: at,
    updatedAt: at,
    head: sealed({
      ...{ patient: 'Patient/p1', order: 'MedicationRequest/m1', launch: 'l1', banner: { name: 'Canary Testperson' } },
      ...{ title: 'adalimumab', users: {} },
    }),
    record: sealed({ id: serviceId, status: 'awaiting_outcome' }),
    submissions: [{ attempt: 1, state: 'accepted', serviceId, sentAt: at, sealed: sealed(content) }],
    events: [],
    writes: [],
  };
}

/** A case after a write, as the store leaves it. */
function applied(current: StoredCase, write: CaseWrite, at: string): StoredCase {
  const part = (name: 'draft' | 'record' | 'rounds' | 'work') => {
    const content = write[name] === undefined ? current[name] : write[name] === null ? undefined : sealed(write[name]);
    return content === undefined ? {} : { [name]: content };
  };
  const { id: name, site, kind, createdAt, version } = current;
  return {
    ...{ id: name, site, kind, createdAt, updatedAt: at, version: write.visible === false ? version : version + 1 },
    ...write.columns,
    head: sealed(write.head),
    ...part('draft'),
    ...part('record'),
    ...part('rounds'),
    ...part('work'),
    submissions: current.submissions,
    events: [
      ...current.events,
      ...(write.events ?? []).map((event, index) => ({ ...event, id: current.events.length + index + 1, at })),
    ],
    writes: (write.writes ?? []).reduce(record, current.writes),
  };
}

/** An event of the service about one attempt to reach the practice. */
export function outreach(
  serviceId: string,
  {
    event,
    at,
    transmission,
    sequenceState,
    ...data
  }: {
    readonly event: string;
    readonly id: string;
    readonly outreach_sequence_id?: string;
    readonly state?: string;
    readonly channel?: string;
    readonly purpose?: string;
    readonly at?: string;
    readonly transmission?: unknown;
    readonly sequenceState?: string;
    readonly respond_by?: string;
  },
) {
  return {
    event_id: `wh_evt_${event}`,
    ...(at === undefined ? {} : { occurred_at: at }),
    title: 'Provider outreach changed',
    event_type: 'prior_authorization.provider_outreach_change',
    data: {
      object: 'provider_outreach',
      prior_authorization_id: serviceId,
      ...data,
      ...(transmission === undefined ? {} : { transmission }),
      ...(sequenceState === undefined ? {} : { outreach_sequence_state: sequenceState }),
    },
  };
}
