import { expect } from 'vitest';
import { roundsOf } from '../../../src/cases/case.ts';
import { type Round, roundSeen, roundStanding } from '../../../src/cases/rounds/round.ts';
import { BridgeError } from '../../../src/core/errors.ts';
import type { StoredCase } from '../../../src/store/types.ts';
import { createRandom, type Random } from '../../torture/random.ts';
import { type MemoryClinic, outreach } from './memory.ts';

// Random lives of an open case that is asked back: events in any order and number, replies of two people, faults.

const people = [{ fhirUser: 'Practitioner/d1' }, { fhirUser: 'Practitioner/n1' }];
type Event = ReturnType<typeof outreach>;

/** A clinic with one open case, whose clock and jobs a life moves on. */
export type LivedClinic = Omit<MemoryClinic, 'stored'> & { stored(): StoredCase | Promise<StoredCase> };

interface Life {
  readonly clinic: LivedClinic;
  readonly random: Random;
  /** What was emitted and may still come. */
  readonly pool: Event[];
  readonly sequences: { readonly id: string; attempts: number; over: boolean }[];
  /** Replies that a person called not arrived. */
  readonly resent: Set<string>;
  /** Rounds that were ended by a person, by number. */
  readonly closed: Set<number>;
}

const rounds = async ({ clinic }: Life): Promise<readonly Round[]> => roundsOf(await clinic.one());
let events = 0;

function emit(life: Life, sequence: Life['sequences'][number], attempt: number, more: object): void {
  events += 1;
  life.pool.push(
    outreach(life.clinic.service.id(1), {
      event: `e${events}`,
      id: `${sequence.id}-a${attempt}`,
      outreach_sequence_id: sequence.id,
      purpose: 'request_information',
      at: new Date(life.clinic.now).toISOString(),
      ...more,
    }),
  );
}

async function deliver({ clinic, pool, random }: Life): Promise<void> {
  const event = pool.length === 0 ? undefined : random.pick(pool);
  if (event === undefined) return;
  if (random.chance(0.7)) pool.splice(pool.indexOf(event), 1);
  await clinic.cases.receiveWebhook(clinic.site, event, { isSigned: true });
}

const acts: Readonly<Record<string, (life: Life) => Promise<void> | void>> = {
  ask(life) {
    const sequence = { id: `s${life.sequences.length + 1}`, attempts: 1, over: false };
    life.sequences.push(sequence);
    emit(life, sequence, 1, {
      state: 'sent',
      channel: 'fax',
      transmission: { message: `Question of ${sequence.id}?` },
    });
    if (life.random.chance(0.3)) {
      sequence.attempts += 1;
      emit(life, sequence, 2, {
        state: 'sent',
        channel: 'direct',
        transmission: { message: `Question of ${sequence.id}?` },
      });
    }
    if (life.random.chance(0.7))
      life.clinic.service.move(life.clinic.service.id(1), { status: 'awaiting_provider_response' });
  },
  retry(life) {
    const sequence = life.sequences.at(-1);
    if (sequence === undefined || sequence.over) return;
    emit(life, sequence, sequence.attempts, { state: 'expired' });
    sequence.attempts += 1;
    emit(life, sequence, sequence.attempts, {
      state: 'sent',
      transmission: { message: `Question of ${sequence.id}?` },
    });
  },
  close(life) {
    const sequence = life.sequences.find(({ over }) => !over);
    if (sequence === undefined) return;
    sequence.over = true;
    emit(life, sequence, sequence.attempts, { state: 'expired', sequenceState: 'ended' });
  },
  deliver,
  again: deliver,
  more: deliver,
  async read({ clinic }) {
    await clinic.cases.refresh(clinic.id).catch(() => undefined);
  },
  move({ clinic }) {
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_outcome' });
  },
  async reply(life) {
    const { clinic, random } = life;
    const round = (await rounds(life)).find((one) => roundStanding(one) === 'open');
    if (round === undefined) return;
    const request = { round: round.number, seen: roundSeen(round), documents: [], completes: random.chance(0.5) };
    const texts = random.chance(0.3) ? ['One answer.', 'Another answer.'] : ['One answer.', 'One answer.'];
    await Promise.allSettled(
      texts.map((text, index) => clinic.cases.reply(clinic.id, { ...request, text, by: people[index]! })),
    );
  },
  fault({ clinic, random }) {
    const { amend, read } = clinic.service.next;
    const faults = [
      'lost-before',
      'lost-after',
      new BridgeError('service_rate_limited', { retry_after_seconds: 60 }),
    ] as const;
    amend.push(
      random.pick([
        ...faults,
        new BridgeError('service_rate_limited'),
        new BridgeError('service_error', { http: 503 }),
      ]),
    );
    if (random.chance(0.3)) read.push(new BridgeError('service_unreachable'));
  },
  async kill({ clinic }) {
    const queued = roundsOf(await clinic.one())
      .flatMap(({ replies }) => replies)
      .find(({ state }) => state === 'queued');
    // As a process that was stopped after the mark, before or after the request.
    if (queued !== undefined) await clinic.context.change(clinic.id, 'leave-reply', { key: queued.key });
  },
  async look(life) {
    const { clinic } = life;
    const unclear = (await rounds(life)).flatMap(({ replies }) => replies).find(({ state }) => state === 'unclear');
    if (unclear === undefined || life.random.chance(0.5)) return;
    const arrived = accepted(clinic, unclear.title) > 0;
    if (!arrived) life.resent.add(unclear.title);
    await clinic.cases.settleReply(clinic.id, { key: unclear.key, arrived, by: people[0]! });
  },
  async wait({ clinic, random }) {
    await clinic.pass(random.between(1, 400));
  },
  async work({ clinic }) {
    await clinic.work();
  },
};

function accepted({ service }: LivedClinic, title: string): number {
  return service.amendments.filter(({ amendment }) => amendment.evidence[0]?.title === title).length;
}

async function check(life: Life, seed: number): Promise<void> {
  const { clinic, closed } = life;
  const all = await rounds(life);
  for (const { number, ended, replies } of all) {
    for (const { title } of replies)
      expect(accepted(clinic, title), `seed ${seed}: a reply was accepted twice`).toBeLessThanOrEqual(
        life.resent.has(title) ? 2 : 1,
      );
    if (ended?.how === 'all') closed.add(number);
    if (closed.has(number)) expect(ended, `seed ${seed}: a round that a person closed is open`).toBeDefined();
    if (ended?.how === 'all')
      expect(
        replies.some(({ completes, state }) => completes && state === 'accepted'),
        `seed ${seed}`,
      ).toBe(true);
  }
  const ofSequence = (id: string) => all.filter(({ sequence }) => sequence === id);
  for (const { id, over } of life.sequences)
    for (const { ended, from } of ofSequence(id))
      if (ended?.how === 'service' && from === 'service')
        expect(over || wasStatus(all, id), `seed ${seed}: a round was closed that nobody closed`).toBe(true);
}

// The record had said alone that the practice is asked, and then that it is not.
function wasStatus(all: readonly Round[], sequence: string): boolean {
  const round = all.find((one) => one.sequence === sequence);
  return (
    round !== undefined && round.ended !== undefined && round.asked.some(({ seenAt }) => seenAt >= round.ended!.at)
  );
}

/** One life of a case; whatever is wrong names its seed. */
export async function live(seed: number, clinic: LivedClinic): Promise<void> {
  const random = createRandom(seed);
  const life: Life = {
    clinic,
    random,
    pool: [],
    sequences: [],
    resent: new Set(),
    closed: new Set(),
  };
  for (let step = 0; step < 40; step += 1) {
    await acts[random.pick(Object.keys(acts))]!(life);
    if (random.chance(0.5)) await life.clinic.work();
    await check(life, seed);
  }
  // Everything comes in the end, and every question has its round.
  while (life.pool.length > 0) await deliver(life);
  life.clinic.service.next.amend.length = 0;
  life.clinic.service.next.read.length = 0;
  await life.clinic.pass(4 * 3600);
  await check(life, seed);
  const all = await rounds(life);
  for (const { id, over } of life.sequences) {
    const own = all.filter(({ sequence }) => sequence === id);
    expect(own, `seed ${seed}: ${id} has one round`).toHaveLength(1);
    if (over) expect(own[0]?.ended, `seed ${seed}: the service closed ${id}`).toBeDefined();
  }
  const left = all.flatMap(({ replies }) => replies).filter(({ state }) => state === 'queued' || state === 'leaving');
  expect(left, `seed ${seed}: ${life.clinic.logged.slice(-8).join(' ')}`).toEqual([]);
  expect((await life.clinic.stored()).work, `seed ${seed}`).toBeUndefined();
}
