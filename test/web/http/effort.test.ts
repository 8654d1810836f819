import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Metrics } from '../../../src/base/metrics.ts';
import type { EffortTable, SentSummary } from '../../../src/store/types.ts';
import { sentLatelyText, workText } from '../../../src/web/pages/case/work-words.ts';
import { formOf, openScene, type Scene } from '../support.ts';

let scene: Scene;
let noted: string[];
let sent: Parameters<Metrics['requestSent']>[0][];

let opened: (boolean | undefined)[];

const effort: EffortTable = {
  note: async (id, how) => {
    noted.push(id);
    opened.push(how?.opens);
  },
  of: async () => ({ touches: 2, seconds: 190 }),
  sent: async () => ({ requests: 0, chart: 0, typed: 0, changed: 0, seconds: 0, touches: 0 }),
};

beforeEach(async () => {
  noted = [];
  opened = [];
  sent = [];
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    effort,
    metrics: { requestEnded: () => {}, failed: () => {}, requestSent: (one) => void sent.push(one) },
  }));
});
afterEach(() => scene.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;
const drafted = () => [...scene.cases.all.values()][0]!;

describe('the work on a case', () => {
  test('opening its review and saving it count, each once', async () => {
    const { body } = await scene.get(review());
    await scene.post(review(), { ...formOf(body, 'review') });
    const { id } = drafted();
    await vi.waitFor(() => expect(noted).toEqual([id]));
    await scene.app.close();
    expect(noted).toEqual([id, id]);
    expect(opened).toEqual([true, false]);
  });

  test('pages that are opened one after the other are one write more, once the app closes', async () => {
    for (let time = 0; time < 5; time += 1) await scene.get(review());
    const { id } = drafted();
    await scene.app.close();
    expect(noted).toEqual([id, id]);
  });

  test('a page that looks by itself whether something changed does not', async () => {
    const { body } = await scene.get(review());
    const [, seen = ''] = /seen=([^&"]+)/.exec(body) ?? [];
    const { id } = drafted();
    await vi.waitFor(() => expect(noted).toEqual([id]));
    const since = encodeURIComponent(new Date().toISOString());
    await scene.get(`${review()}/changes?case=${id}&seen=other-than-${seen}&since=${since}`);
    await scene.get(`${scene.home}/cases/${id}/status`);
    expect(noted).toEqual([id]);
  });

  test('a note that fails changes no answer', async () => {
    await scene.app.close();
    const failing = async () => {
      throw new Error('CANARY the database is away');
    };
    scene = await openScene('story-complete', (deps) => ({ ...deps, effort: { ...effort, note: failing } }));
    expect((await scene.get(review())).status).toBe(200);
    await vi.waitFor(() => expect(scene.log.lines.join()).toContain('the work on a case was not noted'));
    expect(scene.log.lines.join()).not.toContain('CANARY');
  });

  test('sending tells the metrics where its values came from, without a name', async () => {
    const confirm = await scene.get(`${review()}/confirm`);
    await scene.post(`${review()}/confirm`, { ...formOf(confirm.body), action: 'send' });
    expect(sent).toEqual([
      {
        site: 'valley',
        kind: 'prior-auth',
        values: { chart: expect.any(Number), typed: 0, changed: 0 },
        seconds: 190,
        touches: 2,
      },
    ]);
    expect(sent[0]?.values.chart).toBeGreaterThan(15);
  });

  test('the page of a case says it', async () => {
    const one = scene.cases.put({
      site: 'valley',
      patient: `Patient/${scene.smart.launch.patient}`,
      state: 'open',
      status: 'awaiting_outcome',
      events: [
        {
          id: 1,
          at: '2026-11-21T10:00:00Z',
          type: 'sent',
          actor: 'Practitioner/prac-1',
          facts: { attempt: 1, chart: 22, typed: 2, changed: 1 },
        },
      ],
    });
    const { body } = await scene.get(`${scene.home}/cases/${one.id}`);
    expect(body).toContain('22 values from the chart, 2 typed, 1 changed; 3 minutes in 2 visits');
  });
});

describe('its words', () => {
  const summary: SentSummary = { requests: 12, chart: 280, typed: 15, changed: 5, seconds: 200, touches: 1 };

  test('the worklist tells what came from the chart and how long half of the requests took', () => {
    const sent = 'Last 30 days: 12 prior authorizations sent, 93% of the values came from the chart,';
    expect(sentLatelyText(summary, 30)).toBe(`${sent} half took 3 minutes or less in 1 visit.`);
  });

  test('less than a minute is not said to be a minute or less', () => {
    expect(sentLatelyText({ ...summary, seconds: 20 }, 30)).toContain('half took under a minute in 1 visit.');
  });

  test('a practice that sent nothing is told nothing', () => {
    expect(sentLatelyText({ ...summary, requests: 0 }, 30)).toBe('');
  });

  test('only what is known is said', () => {
    expect(workText(undefined, { touches: 1, seconds: 20 })).toBe('under a minute in 1 visit');
    expect(workText({ chart: 1, typed: 0, changed: 0 }, undefined)).toBe('1 value from the chart');
  });
});
