import { isEditable, isSent, type ListedCase, type ListedEnded } from '../../src/cases/case.ts';
import type { JobData, QueueName } from '../../src/cases/jobs.ts';
import { handlers } from '../../src/cases/work/handlers.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Job, Store } from '../../src/store/types.ts';
import type { Random } from '../torture/random.ts';
import { aClinic, aRequest, aSubmission, body, type Clinic } from './clinic.ts';
import { withJobs } from './rounds/stored-clinic.ts';

// Random lives of one patient's requests: sent, lost, found late, called not arrived, decided, canceled, in any order,
// with jobs that are done late, twice or in another order.

interface Life {
  readonly clinic: Clinic;
  readonly random: Random;
  readonly patient: string;
  readonly jobs: Job[];
  /** Sends whose answers are still under way. */
  readonly under: { readonly answer: () => void; readonly done: Promise<unknown> }[];
  /** What happened, for a life that fails. */
  readonly log: string[];
}

/** The orders of the patient with their drugs. */
const drugs: Readonly<Record<string, string>> = { m1: 'adalimumab', m2: 'adalimumab', m3: 'etanercept' };
const by = { fhirUser: 'Practitioner/d1' };
const denied = { status: 'completed', outcome: { result: 'Denied', detail_code: 'unknown' } };
const approved = { status: 'completed', outcome: { result: 'Approved', detail_code: 'approval' } };
const decisions = [denied, denied, approved, { status: 'cancelled' }];
const ways = ['answered', 'answered', 'late', 'lost-after', 'lost-after', 'lost-before', 'refused'] as const;

export interface Lived {
  readonly ended: readonly { readonly one: ListedEnded; readonly order: string; readonly drug: string }[];
  readonly atService: readonly {
    readonly one: Extract<ListedCase, { readonly sentAt: string }>;
    readonly order: string;
    readonly drug: string;
  }[];
  readonly life: readonly string[];
}

/** One life to its end, when every answer has come and no job is left. */
export async function liveOn(store: Store, random: Random): Promise<Lived> {
  const life = begun(store, random);
  for (let acts = 0; acts < 80; acts += 1) {
    const name = random.pick(Object.keys(often));
    life.log.push(name);
    await often[name]!(life);
  }
  await settled(life);
  const all = (await casesOf(life)).map((one) => ({ one, order: one.order, drug: drugs[one.order.slice(-2)]! }));
  const isCancelled = (one: object) => 'status' in one && one.status === 'cancelled';
  return {
    ended: all.flatMap(({ one, ...rest }) => (one.state === 'ended' ? [{ one, ...rest }] : [])),
    atService: all.flatMap(({ one, ...rest }) =>
      (one.state === 'open' || one.state === 'ended') && !isCancelled(one) ? [{ one, ...rest }] : [],
    ),
    life: life.log,
  };
}

function begun(store: Store, random: Random): Life {
  const jobs: Job[] = [];
  const clinic = aClinic(withJobs(store, async (due) => void jobs.push(...due)));
  const { patient } = aRequest();
  return { clinic, random, patient, jobs, under: [], log: [] };
}

const casesOf = ({ clinic, patient }: Life) => clinic.cases.forPatient('valley', patient);

const acts = {
  /** A new request, or one that did not arrive, was refused or never left, once more. */
  async send(life: Life) {
    const { clinic, random, patient } = life;
    const order = random.pick(Object.keys(drugs));
    const request = aRequest({ patient, order: `MedicationRequest/${patient.slice(8)}-${order}`, anew: true });
    const draft = await clinic.cases.openDraft(request);
    if (!isEditable(draft)) return;
    const way = random.pick(ways);
    const answer = Promise.withResolvers<void>();
    if (way === 'lost-after' || way === 'lost-before') clinic.service.next.create.push(way);
    if (way === 'refused') clinic.service.next.create.push(new BridgeError('service_refused'));
    if (way === 'late') clinic.service.next.create.push({ until: answer.promise });
    const sent = { ...body, prescription: { ...body.prescription, drug_name: drugs[order]! } };
    const duplicatesSeen = (await casesOf(life)).map(({ id }) => id);
    const before = clinic.service.creates.length;
    const done = clinic.cases.send(draft.id, aSubmission(clinic, draft, { body: sent, duplicatesSeen }));
    if (way !== 'late') return void (await done);
    life.under.push({ answer: answer.resolve, done });
    while (clinic.service.creates.length === before) await new Promise((next) => setTimeout(next, 1));
  },
  async answer({ under }: Life) {
    const [first] = under.splice(0, 1);
    first?.answer();
    await first?.done;
  },
  async job(life: Life) {
    await doJob(life, life.random.between(0, life.jobs.length - 1));
  },
  async jobsAtOnce(life: Life) {
    const { random, jobs } = life;
    await Promise.all([1, 2, 3].map(() => doJob(life, random.between(0, jobs.length - 1))));
  },
  async event({ clinic, random }: Life) {
    const ids = [...clinic.service.records.keys()];
    if (ids.length === 0) return;
    const data = { id: random.pick(ids) };
    const event = { event_type: 'prior_authorization.status_change', event_id: `e${random.next()}`, data };
    await clinic.cases.receiveWebhook('valley', event, { isSigned: true });
  },
  async decide(life: Life) {
    const { clinic, random } = life;
    const running = [...clinic.service.records.values()].filter(({ status }) => status === 'processing');
    if (running.length === 0) return;
    const { id } = random.pick(running);
    clinic.service.move(id, random.pick(decisions));
    const one = (await casesOf(life)).find((each) => 'serviceId' in each && each.serviceId === id);
    if (one !== undefined && random.chance(0.7)) await clinic.cases.refresh(one.id);
  },
  async read(life: Life) {
    const sent = (await casesOf(life)).filter(isSent);
    if (sent.length > 0) await life.clinic.cases.refresh(life.random.pick(sent).id);
  },
  async notArrived(life: Life) {
    const [lost] = (await casesOf(life)).filter(({ state }) => state === 'unknown');
    if (lost !== undefined) await life.clinic.cases.markNotArrived(lost.id, by);
  },
  async close(life: Life) {
    const ended = (await casesOf(life)).filter(({ state }) => state === 'ended');
    if (ended.length > 0) await life.clinic.cases.markDone(life.random.pick(ended).id, by);
  },
} satisfies Record<string, (life: Life) => Promise<void>>;

/** What happens more often stands here more than once. */
const often: Readonly<Record<string, (life: Life) => Promise<void>>> = {
  ...acts,
  sendAgain: acts.send,
  sendMore: acts.send,
  decideAgain: acts.decide,
  jobAgain: acts.job,
};

/** Does a job; some stay, and are done once more. */
async function doJob({ clinic, random, jobs }: Life, place: number): Promise<void> {
  const job = jobs[place];
  if (job === undefined) return;
  if (random.chance(0.8)) jobs.splice(place, 1);
  // Nothing is written to a chart here, and no record is read that no event told of.
  if (job.queue === 'deliver' || job.queue === 'poll') return;
  const handler = handlers[job.queue as QueueName] as (context: unknown, data: JobData[QueueName]) => Promise<unknown>;
  await handler(clinic.context, job.data as JobData[QueueName]);
}

async function settled(life: Life): Promise<void> {
  while (life.under.length > 0) await acts.answer(life);
  while (life.jobs.length > 0) await doJob(life, life.random.between(0, life.jobs.length - 1));
}
