import type { Communication, DocumentReference, Identifier, Task } from 'fhir/r4.js';
import { BridgeError } from '../../src/core/errors.ts';
import type { FhirApi } from '../../src/core/fhir/api.ts';
import { type DeliveryAttempt, holdUp } from '../../src/writeback/attempt.ts';
import { letterVersion } from '../../src/writeback/case-facts.ts';
import { createRefusals } from '../../src/writeback/create-refusals.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { type LedgerEntry, staleTask } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { type Behaviour, type FakeEhr, type FakeEhrOptions, fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';
import { aCase, approval, aRequest, at, caseId, denial, testClock } from './support.ts';

/**
 * Random lives of one case at an EHR that misbehaves, from a seed: writes that come late or whose answers are lost, a
 * search that lags, an EHR that is down or refuses, and a bridge that is killed between any two steps and starts again
 * from the rows that were stored.
 */

/** Numbers between 0 and 1, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What an EHR refuses for good in one life. */
export type Refusal = 'nothing' | 'Task.create' | 'Task.update' | 'Task.change' | 'DocumentReference.create';

export interface Life {
  readonly seed: number;
  readonly channels: readonly string[];
  readonly refusal: Refusal;
  readonly ehr: FakeEhr;
  readonly rows: readonly LedgerEntry[];
  readonly letters: readonly Uint8Array[];
  readonly last: DeliveryAttempt;
  readonly outstanding: readonly LedgerEntry[];
  readonly kills: number;
  readonly lost: number;
  /** POSTs that followed an unclear POST of the same type and identifier within one delivery. */
  readonly rash: readonly string[];
  /** Of the summary that should be there at the end. */
  readonly version: string;
  /** The status that the Task should end with. */
  readonly status: string;
}

class Killed extends Error {}

const chaosSeconds = 2 * 3600;
const longestSeconds = 5 * 24 * 3600;
const refusals: readonly Refusal[] = ['Task.create', 'Task.update', 'Task.change', 'DocumentReference.create'];

export const usualChannels: readonly string[] = ['task+document', 'document', 'worklist'];

/**
 * With channels of its own a life also lacks a token now and then, until somebody opens the chart, and its EHR may
 * refuse only what these channels write.
 */
export async function live(seed: number, channels?: readonly string[]): Promise<Life> {
  const site = testSite({ writeback: { channels: channels ?? usualChannels } });
  const random = randomOf(seed);
  const chance = (probability: number) => random() < probability;
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const clock = testClock();
  const begun = clock().getTime();
  const elapsed = () => (clock().getTime() - begun) / 1000;
  const refusal = chance(channels === undefined ? 0.7 : 0.4) ? 'nothing' : one(refusals);
  const options: FakeEhrOptions = {
    clock,
    searchLag: one([0, 0, 5, 45, 300]),
    conditionalCreate: chance(0.3),
    withoutVersions: chance(0.2),
    offers: offersOf(refusal),
  };
  const ehr = fakeEhr(options);
  const letters = [Buffer.from('%PDF-1.4 first letter'), Buffer.from('%PDF-1.4 second letter')].slice(
    0,
    Math.floor(random() * 3),
  );
  const world = { dead: false, kills: 0, lost: 0, rash: [] as string[] };
  const lostByName = new Map<string, number>();
  let unclear = new Set<string>();

  const kill = (probability: number) => {
    if (world.dead) throw new Killed();
    if (elapsed() > chaosSeconds || !chance(probability)) return;
    world.dead = true;
    world.kills += 1;
    throw new Killed();
  };
  const stepwise = async <T>(step: () => Promise<T>): Promise<T> => {
    kill(0.02);
    const result = await step();
    kill(0.02);
    return result;
  };
  /** What the EHR does with this call. An answer is lost at most twice for one thing: then a person is asked. */
  const behave = (name: string, isWrite: boolean, thing: string) => {
    if (elapsed() > chaosSeconds || !chance(0.35)) return;
    const queue = (behaviour: Behaviour) => ehr.next.set(name, [behaviour]);
    if (!isWrite || chance(0.25)) return queue(one([new BridgeError('ehr_unreachable'), throttled]));
    const times = lostByName.get(thing) ?? 0;
    if (times >= 2) return;
    lostByName.set(thing, times + 1);
    world.lost += 1;
    const seconds = chance(0.25) ? 1 + random() * 100 : 600 + random() * 200;
    // An update whose answer comes is late as often as one whose answer does not.
    const isAnswered = name.startsWith('update') && chance(0.5);
    const late: Behaviour = isAnswered ? { shownAfter: seconds } : { lateBy: seconds };
    queue(chance(0.75) ? late : one(lostBehaviours));
  };
  const api: FhirApi = {
    ...ehr,
    capabilities: () => stepwise(() => ehr.capabilities()),
    read: (type, id) =>
      stepwise(() => {
        behave(`read ${type}`, false, '');
        return ehr.read(type, id);
      }),
    readVersion: (type, id) =>
      stepwise(() => {
        behave(`read ${type}`, false, '');
        return ehr.readVersion(type, id);
      }),
    search: (type, params) =>
      stepwise(() => {
        behave(`search ${type}`, false, '');
        return ehr.search(type, params);
      }),
    create: (resource, condition) =>
      stepwise(async () => {
        const thing = `create ${thingOf(resource as Task)}`;
        if (unclear.has(thing)) world.rash.push(thing);
        refuse(refusal === `${resource.resourceType}.create`, 422);
        behave(`create ${resource.resourceType}`, true, thing);
        try {
          return await ehr.create(resource, condition);
        } catch (error) {
          if (error instanceof BridgeError && error.code === 'ehr_write_unclear') unclear.add(thing);
          throw error;
        }
      }),
    update: (resource, condition) =>
      stepwise(async () => {
        const isInError = (resource as Task).status === 'entered-in-error';
        refuse(!isInError && refusal === 'Task.update' && resource.resourceType === 'Task', one([405, 403]));
        behave(`update ${resource.resourceType}`, true, `update ${resource.resourceType}/${resource.id}`);
        return await ehr.update(resource, condition);
      }),
    patch: (resource, operations, condition) =>
      stepwise(async () => {
        behave(`patch ${resource.resourceType}`, true, `update ${resource.resourceType}/${resource.id}`);
        return await ehr.patch(resource, operations, condition);
      }),
    delete: (resource) => stepwise(() => ehr.delete(resource)),
  };

  const facts = (writes: readonly LedgerEntry[]) => ({ ...aCase(timeline.at(elapsed())), writes });
  const timeline = aTimeline(random);
  const ehrRefusals = createRefusals(clock);
  let stored: readonly LedgerEntry[] = [];
  let last: DeliveryAttempt = { rows: [] };
  let due: number | undefined = 0;
  const changes = [...timeline.times];
  while (elapsed() < longestSeconds) {
    const next = nextTime(changes, due);
    if (next === undefined) break;
    clock.forward(Math.max(0, next - elapsed()));
    while (changes[0] !== undefined && changes[0] <= elapsed()) changes.shift();
    unclear = new Set();
    world.dead = false;
    const known = letters.slice(0, timeline.lettersAt(elapsed()));
    const request = aRequest(facts(stored), { site, clock, refusals: ehrRefusals, letters: known });
    const save: typeof request.save = (entry, before) =>
      stepwise(async () => {
        await request.save(entry, before);
        stored = request.ledger();
      });
    const hasToken = channels === undefined || elapsed() > chaosSeconds || !chance(0.2);
    try {
      const delivered = hasToken
        ? await deliver({ ...request, api, save })
        : await holdUp({ ...request, save }, { verdict: 'wait', reason: 'next launch' });
      if (world.dead) throw new Killed();
      last = delivered;
      due = delivered.again === undefined ? undefined : elapsed() + delivered.again.seconds;
      // The next launch of the patient.
      if (!hasToken) due = elapsed() + random() * 3000;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      due = elapsed() + 1 + random() * 120;
    }
  }
  clock.forward(1000);
  return {
    seed,
    channels: channels ?? usualChannels,
    refusal,
    ehr,
    rows: stored,
    letters,
    last,
    outstanding: outstanding(site, facts(stored), letters),
    version: letterVersion(facts(stored)),
    ...world,
    status: timeline.status,
  };
}

const throttled = new BridgeError('ehr_error', { http: 503 });
const lostBehaviours: readonly Behaviour[] = ['lost-before', 'lost-after', 'lost-before', 'lost-after', 'no-id'];

function refuse(is: boolean, http: number): void {
  if (is) throw new BridgeError(http === 403 ? 'ehr_forbidden' : 'ehr_write_refused', { http });
}

function offersOf(refusal: Refusal): Readonly<Record<string, readonly string[]>> {
  const every = ['create', 'read', 'search-type', 'update', 'patch', 'delete'];
  const without = every.filter((code) => code !== 'update' && code !== 'patch');
  return { DocumentReference: every, Communication: every, Task: refusal === 'Task.change' ? without : every };
}

function nextTime(changes: readonly number[], due: number | undefined): number | undefined {
  const [change] = changes;
  if (change === undefined) return due;
  return due === undefined ? change : Math.min(change, due);
}

/** Statuses of one case, and when the payer's letters come: two hours at most until the end. */
function aTimeline(random: () => number) {
  const first = random() * 900;
  const end = first + random() * 3000;
  const isRevised = random() < 0.3;
  // Without a letter the life of a case is the Task’s alone, and the run is faster: no PDF is made.
  const isCancelled = random() < 0.5;
  const revised = end + random() * 3000;
  const lettersCome = [end + random() * 4000, end + random() * 4000].sort((left, right) => left - right);
  const ended = isCancelled ? at('cancelled') : at('completed', denial);
  return {
    times: [0, first, end, revised, ...lettersCome].sort((left, right) => left - right),
    status: isCancelled ? 'cancelled' : 'completed',
    at(seconds: number) {
      if (seconds < first) return at('processing');
      if (seconds < end) return at('awaiting_outcome');
      return isRevised && !isCancelled && seconds >= revised ? at('completed', approval) : ended;
    },
    lettersAt: (seconds: number) => lettersCome.filter((time) => time <= seconds).length,
  };
}

function thingOf(resource: {
  readonly resourceType: string;
  readonly identifier?: readonly Identifier[] | undefined;
}): string {
  return `${resource.resourceType} ${resource.identifier?.[0]?.value}`;
}

/** What is wrong at the end of a life, judged from the chart and the stored rows alone; empty when nothing is. */
export function judgeLife(life: Life): string[] {
  const { ehr, rows } = life;
  const all = [
    ...ehr.all<Task>('Task'),
    ...ehr.all<DocumentReference>('DocumentReference'),
    ...ehr.all<Communication>('Communication'),
  ];
  const inForce = all.filter(({ status }) => status !== 'entered-in-error');
  const strangers = all.filter(
    (each) => (each.resourceType === 'Task' ? each.for : each.subject)?.reference !== 'Patient/p1',
  );
  const retracted = new Set(
    rows.flatMap((row) => (row.what === 'double' && row.state === 'retracted' ? [row.version] : [])),
  );
  const things = Map.groupBy(inForce, (each) => thingOf(each));
  const complaints = [
    ...strangers.map((each) => `about another patient: ${each.id}`),
    ...life.rash.map((thing) => `written again within one delivery: ${thing}`),
    ...[...things]
      .filter(([, copies]) => copies.length > 1)
      .map(([thing, copies]) => `${copies.length} times: ${thing}`),
    ...all
      .filter((each) => each.status === 'entered-in-error' && !retracted.has(`${each.resourceType}/${each.id}`))
      .map((each) => `entered in error, and the ledger does not say so: ${each.id}`),
    ...rows.filter(({ state }) => !ends.has(state)).map(({ what, state }) => `left ${state}: ${what}`),
    ...life.outstanding.map(({ what }) => `outstanding: ${what}`),
    ...(life.last.again === undefined ? [] : ['another delivery is due']),
  ];
  const letters = life.channels.includes('communication') ? lackingLetters : lackingDocuments;
  return [...complaints, ...lackingTask(life, things), ...letters(life, things)];
}

type Things = ReadonlyMap<string, readonly (Task | DocumentReference | Communication)[]>;

/** The summary as a document or as a message, never as both; the payer's letters as documents, or told. */
function lackingLetters({ rows, letters, status, channels, version: last }: Life, things: Things): string[] {
  if (status === 'cancelled') return [];
  const isThere = ({ what, version }: LedgerEntry) =>
    what === 'communication'
      ? things.has(`Communication ${caseId}-${version}`)
      : things.has(`DocumentReference ${caseId}-${what}-${version}`);
  const summaries = rows.filter(({ what }) => what === 'document' || what === 'communication');
  const payers = rows.filter(({ what }) => what === 'determination');
  const ofLast = summaries.filter(({ version }) => version === last);
  const written = ofLast.filter(isThere);
  const isTold = ofLast.some(({ state, reason }) => state === 'failed' && reason !== undefined);
  return [
    ...(written.length > 1 ? ['a summary both as a document and as a message'] : []),
    ...(written.length === 0 && !isTold ? ['no summary, unsaid'] : []),
    ...[...summaries, ...payers].flatMap((row) =>
      isThere(row) === (row.state === 'done' || row.state === 'stored') || row.reason !== undefined
        ? []
        : [`${row.what} ${row.state}, there: ${isThere(row)}`],
    ),
    ...(payers.length === letters.length ? [] : [`${payers.length} rows of ${letters.length} letters`]),
    ...(channels.some((channel) => channel.includes('document')) || payers.every(({ state }) => state === 'skipped')
      ? []
      : ['a letter where only messages are taken']),
  ];
}

// Its answer was lost again and again, by the EHR or because the bridge was killed: a person is told to look.
function isLeftToPerson(row: LedgerEntry | undefined): boolean {
  return row?.state === 'failed' && row.attempts >= 4 && row.reason?.includes('look for it in the chart') === true;
}

const ends = new Set(['done', 'skipped', 'failed', 'retracted', 'stored']);

function lackingTask({ rows, refusal, status, channels }: Life, things: Things): string[] {
  if (!channels.includes('task+document')) return things.has(`Task ${caseId}`) ? ['a Task that nobody asked for'] : [];
  const [task] = things.get(`Task ${caseId}`) ?? [];
  const row = rows.find(({ what }) => what === 'task');
  if (refusal === 'Task.create') return task === undefined && row?.state === 'failed' ? [] : ['a refused Task, unsaid'];
  if (task === undefined) return isLeftToPerson(row) ? [] : ['no Task'];
  if (task.status === status) return [];
  const isSaid = staleTask(rows)?.includes(`Task/${task.id} `) === true;
  const closing = [...things].some(([thing, [each]]) => thing.startsWith(`Task ${caseId}-`) && each?.status === status);
  const second = rows.find(({ what }) => what === 'closing-task');
  return isSaid && (closing || isLeftToPerson(second))
    ? []
    : [`the Task says ${task.status}, unsaid: ${row?.state} ${row?.reason}`];
}

function lackingDocuments({ rows, refusal, letters, status }: Life, things: Things): string[] {
  if (status === 'cancelled') return [];
  const documents = rows.filter(({ what }) => what === 'document' || what === 'determination');
  const expected = letters.length + 1;
  if (documents.length < expected) return [`${documents.length} rows of ${expected} documents`];
  return documents.flatMap((row) => {
    const { what, version, state, reason } = row;
    const isThere = things.has(`DocumentReference ${caseId}-${what}-${version}`);
    if (refusal === 'DocumentReference.create')
      return !isThere && ['failed', 'skipped'].includes(state) && reason !== undefined
        ? []
        : [`${what} refused, unsaid`];
    // A summary that was on its way when the outcome changed may be there or not; the ledger says which.
    if (state === 'skipped' && what === 'document' && reason?.includes('the outcome has changed since') === true)
      return isThere ? [`${what} skipped, and it is there`] : [];
    if (!isThere && isLeftToPerson(row)) return [];
    return isThere && (state === 'done' || state === 'stored')
      ? []
      : [`${what} ${state}, there: ${isThere}: ${reason}`];
  });
}
