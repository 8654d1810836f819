import type { Observation, Resource } from 'fhir/r4.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createVault } from '../../../src/base/vault.ts';
import type { FhirApi } from '../../../src/core/fhir/api.ts';
import type { EhrChart } from '../../../src/ehr/chart/read-chart.ts';
import type { Launch, Turn } from '../../../src/ehr/smart/types.ts';
import { createPulls } from '../../../src/web/http/chart-reading.ts';

const vault = createVault(['00'.repeat(32)]);
const launch = (id: string, patient = 'p1') => ({ id, patient }) as Launch; // pulls read no more of it
const patient = (id: string): Resource => ({ resourceType: 'Patient', id });
const lab: Observation = { resourceType: 'Observation', id: 'o1', status: 'final', code: { text: 'TSH' } };

function chart(resources: readonly Resource[], late?: EhrChart['late']): EhrChart {
  const entries = resources.map((resource) => ({ resource }));
  return { entries, rounds: 1, warnings: [], forbidden: [], unread: [], ...(late === undefined ? {} : { late }) };
}

/** Charts as tests give them, at a time that they move. */
function pullsOf(read: (patient: string) => EhrChart, bytes?: number) {
  const time = { now: Date.parse('2026-11-21T15:00:00Z') };
  const asked: string[] = [];
  const pulls = createPulls({
    smart: { api: () => ({}) as FhirApi },
    vault,
    clock: () => new Date(time.now),
    read: async (_api, focus) => {
      asked.push(focus.patient);
      return read(focus.patient);
    },
    ...(bytes === undefined ? {} : { bytes }),
  });
  return { pulls, asked, time };
}

describe('what the EHR answers late [S24]', () => {
  const names = (entries: readonly { readonly resource: Resource }[]) => entries.map(({ resource }) => resource.id);

  function lateChart() {
    const answers = Promise.withResolvers<EhrChart>();
    const made = pullsOf((id) => chart([patient(id)], { types: ['Observation'], whole: answers.promise }));
    return { ...made, answers };
  }

  test('is told first, and there the next time', async () => {
    const { pulls, asked, answers } = lateChart();
    const first = await pulls.of(launch('l1'), { order: 'm1' });
    expect(first.warnings).toEqual([
      'The EHR has not answered the search for Observation yet. Reload this page in a moment.',
    ]);
    answers.resolve(chart([patient('p1'), lab]));
    await vi.waitUntil(async () => (await pulls.of(launch('l1'), { order: 'm1' })).warnings.length === 0);
    expect(names((await pulls.of(launch('l1'), { order: 'm1' })).entries)).toEqual(['p1', 'o1']);
    expect(asked).toEqual(['p1']);
  });

  test('comes too late for a launch that has ended', async () => {
    const { pulls, answers } = lateChart();
    await pulls.of(launch('l1'), { order: 'm1' });
    pulls.drop('l1');
    answers.resolve(chart([patient('p1'), lab]));
    await answers.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulls.size()).toEqual({ count: 0, bytes: 0 });
  });

  test('may fail: the chart stays as it is', async () => {
    const { pulls, answers } = lateChart();
    await pulls.of(launch('l1'), { order: 'm1' });
    answers.reject(new Error('the session ended'));
    await answers.promise.catch(() => undefined);
    expect(names((await pulls.of(launch('l1'), { order: 'm1' })).entries)).toEqual(['p1']);
  });
});

describe('charts in memory [S14]', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('are bounded by their bytes: the oldest goes first', async () => {
    const large = (id: string): Resource =>
      ({ ...patient(id), text: { status: 'generated', div: 'x'.repeat(30_000) } }) as Resource;
    const { pulls, asked } = pullsOf((id) => chart([large(id)]), 100_000);
    for (const id of ['a', 'b', 'c', 'd']) await pulls.of(launch(id, id));
    const { count, bytes } = pulls.size();
    expect({ count, isBounded: bytes <= 100_000 }).toEqual({ count: 2, isBounded: true });
    await pulls.of(launch('d', 'd'));
    await pulls.of(launch('a', 'a'));
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'a']);
  });

  test('go when their time is over, also when nobody asks for any again', async () => {
    const { pulls, time } = pullsOf((id) => chart([patient(id)]));
    await pulls.of(launch('l1'));
    time.now += 5 * 60_000 + 1;
    vi.advanceTimersByTime(5 * 60_000 + 1);
    expect(pulls.size()).toEqual({ count: 0, bytes: 0 });
  });

  test('are opened once in a minute, and never again once they were dropped', async () => {
    const { pulls, time } = pullsOf((id) => chart([patient(id)]));
    await pulls.of(launch('l1'));
    const first = await pulls.of(launch('l1'));
    expect(await pulls.of(launch('l1'))).toBe(first);
    time.now += 60_001;
    const later = await pulls.of(launch('l1'));
    expect(later).not.toBe(first);
    expect(later).toEqual(first);
    pulls.drop('l1');
    expect(pulls.has(launch('l1'))).toBe(false);
    expect((await pulls.of(launch('l1'))).at).not.toBe(first.at);
  });

  test('that are read again are not told from before', async () => {
    let name = 'p1';
    const { pulls } = pullsOf(() => chart([patient(name)]));
    await pulls.of(launch('l1'));
    await pulls.of(launch('l1'));
    name = 'p2';
    await pulls.of(launch('l1'), { again: true });
    expect((await pulls.of(launch('l1'))).entries).toMatchObject([{ resource: { id: 'p2' } }]);
  });

  test('that were read later stay for their own time', async () => {
    const { pulls, time } = pullsOf((id) => chart([patient(id)]));
    await pulls.of(launch('l1'));
    time.now += 3 * 60_000;
    vi.advanceTimersByTime(3 * 60_000);
    await pulls.of(launch('l2'));
    time.now += 2 * 60_000 + 1;
    vi.advanceTimersByTime(2 * 60_000 + 1);
    expect(pulls.size().count).toBe(1);
    time.now += 5 * 60_000 + 1;
    vi.advanceTimersByTime(5 * 60_000 + 1);
    expect(pulls.size().count).toBe(0);
  });
});

describe('charts with large documents [E8]', () => {
  type Reading = ReturnType<typeof Promise.withResolvers<EhrChart>>;

  /** Each chart takes a turn, and is read when the test says so. */
  function turnsOf() {
    const readings = new Map<string, Reading>();
    const log: string[] = [];
    const api = (launched: Launch, turn?: Turn) =>
      ({ base: 'https://ehr.example.org/fhir', take: () => turn?.take(), of: launched.patient }) as unknown as FhirApi;
    const pulls = createPulls({
      smart: { api },
      vault,
      clock: () => new Date('2026-11-21T15:00:00Z'),
      read: async (own, focus) => {
        const came = await (own as unknown as { take(): Promise<boolean> }).take();
        log.push(`${focus.patient} ${came}`);
        const reading = Promise.withResolvers<EhrChart>();
        readings.set(focus.patient, reading);
        return reading.promise;
      },
    });
    return { pulls, log, of: (id: string) => readings.get(id) as Reading };
  }

  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  test('are read one after the other, also when one fails or comes late', async () => {
    const { pulls, log, of } = turnsOf();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => pulls.of(launch(id, id)));
    await settled();
    expect(log).toEqual(['a true']);
    of('a').reject(new Error('the EHR is away'));
    await expect(a).rejects.toThrow('the EHR is away');
    await settled();
    expect(log).toEqual(['a true', 'b true']);
    const whole = Promise.withResolvers<EhrChart>();
    of('b').resolve(chart([patient('b')], { types: ['Observation'], whole: whole.promise }));
    await b;
    await settled();
    // it still reads
    expect(log).toHaveLength(2);
    whole.resolve(chart([patient('b'), lab]));
    await settled();
    expect(log).toEqual(['a true', 'b true', 'c true']);
    of('c').resolve(chart([patient('c')]));
    expect((await c)?.entries).toHaveLength(1);
  });
});
