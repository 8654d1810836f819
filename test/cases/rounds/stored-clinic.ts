import { createCases } from '../../../src/cases/cases.ts';
import { type CaseContext, createContext } from '../../../src/cases/context.ts';
import type { Job, Store } from '../../../src/store/types.ts';
import { currentBody } from '../../service/sample.ts';
import { fakeService } from '../../support/fake-service.ts';
import { testSite } from '../../support/site.ts';
import { aRequest, busy, mappedBy } from '../clinic.ts';
import type { LivedClinic } from './lives.ts';
import { moved, runIn } from './memory.ts';

/** How far the clock of a store is ahead; the store is opened with it. */
export interface Ahead {
  ms: number;
}

/** A clinic with one open case on a real store, whose jobs and clock a test moves on as those of `memoryClinic`. */
export async function storedClinic(store: Store, ahead: Ahead): Promise<LivedClinic> {
  const site = testSite({ service: { ...busy, profile: 'current', outreachEndField: 'outreach_complete' } });
  const service = fakeService();
  const logged: string[] = [];
  const log = (facts: object, message: string) => void logged.push(JSON.stringify([facts, message]));
  const clinic = {
    jobs: [] as { job: Job; due: number }[],
    get now() {
      return store.clock().getTime();
    },
    set now(to: number) {
      ahead.ms += Math.max(0, to - store.clock().getTime());
    },
  };
  const enqueue = async (jobs: readonly Job[]) => {
    for (const job of jobs) clinic.jobs.push({ job, due: clinic.now + (job.afterSeconds ?? 0) * 1000 });
  };
  const context = createContext({
    store: withJobs(store, enqueue),
    config: { url: 'https://bridge.example', sites: [site], pollSeconds: 30, letterDays: 30 },
    services: () => service,
    access: async () => ({ waiting: 'next-launch' }),
    mappings: {} as CaseContext['mappings'], // nothing is written to a chart here
    clock: store.clock,
    log: { debug: log, info: log, warn: log, error: log },
  });
  const cases = createCases(context);
  const { id } = await cases.openDraft(aRequest());
  const one = await cases.get(id);
  const expectedPatient = cases.patientMark(one.site, one.patient);
  const by = { fhirUser: 'Practitioner/d1' };
  await cases.send(id, { body: currentBody(), provenance: [], gaps: [], mappedBy, by, expectedPatient });
  const move = moved(clinic, runIn(context), (text) => void logged.push(text));
  return Object.defineProperties(
    { cases, context, service, logged, site: site.id, id, one: () => context.get(id), stored, ...move } as LivedClinic,
    Object.getOwnPropertyDescriptors(clinic),
  );

  async function stored() {
    const found = await store.cases.find(id);
    if (found === undefined) throw new Error('the case is gone');
    return found;
  }
}

/** The store, with jobs that go to `enqueue` and to no queue. */
export function withJobs(store: Store, enqueue: (jobs: readonly Job[]) => Promise<void>): Store {
  const cases: Partial<Store['cases']> = {
    async change(id, transition) {
      const due: Job[] = [];
      const changed = await store.cases.change(id, (current, at) => {
        const write = transition(current, at);
        due.splice(0, due.length, ...(write?.jobs ?? []));
        return write === undefined ? undefined : { ...write, jobs: [] };
      });
      await enqueue(due);
      return changed;
    },
  };
  const webhooks: Partial<Store['webhooks']> = {
    async receive(event, jobs) {
      const received = await store.webhooks.receive(event, []);
      if (received === 'accepted') await enqueue(jobs);
      return received;
    },
  };
  return over(store, { cases: over(store.cases, cases), webhooks: over(store.webhooks, webhooks), enqueue });
}

function over<T extends object>(base: T, changes: Partial<T>): T {
  return { ...base, ...changes };
}
