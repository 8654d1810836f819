import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Site } from '../../../../src/config/config.ts';
import { type AnyCase, formOf, now, openScene, type Scene } from '../../support.ts';

// What the page of a case leads with: what to do next and by when.

const id = '11111111-2222-4333-8444-555555555555';
const url = 'https://platform.example/pa_77';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

function put(change: Partial<AnyCase> = {}): string {
  scene.cases.put({
    id,
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    serviceId: 'pa_77',
    sentAt: '2026-11-21T14:00:00.000Z',
    ...change,
  });
  return `${scene.home}/cases/${id}`;
}

function withSite(change: Partial<Site>): void {
  scene.smart.launch = { ...scene.smart.launch, site: { ...scene.smart.launch.site, ...change } };
}

/** The page's first card, without markup. */
async function lead(path: string): Promise<string> {
  const { body } = await scene.get(path);
  const card = /<div class="headline[\s\S]*?(?=<ol class="steps"|<\/section>)/.exec(body)?.[0] ?? '';
  return card
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

async function act(path: string, fields: Record<string, string>) {
  const page = await scene.get(path);
  return scene.post(path, { token: formOf(page.body).token ?? '', ...fields });
}

const ended = (outcome: Record<string, string>, more: object = {}): Partial<AnyCase> => ({
  state: 'ended',
  endedAt: '2026-11-21T14:40:00.000Z',
  record: { id: 'pa_77', url, status: 'completed', outcome, ...more },
});
const approved = (until?: string) =>
  ended({
    result: 'Approved',
    detail_code: 'approval',
    ...(until === undefined ? {} : { authorization_expiration: until }),
  });
const denied = ended(
  { result: 'Denied', detail: 'No trial of methotrexate.', detail_code: 'step_therapy_criteria_not_met' },
  { denial_reason_analysis: { explanation: 'CANARY-WHY', next_steps: 'Send the dates.' } },
);

describe('an approval', () => {
  test('says until when in the headline, and when to renew', async () => {
    const path = put(approved('2027-11-21'));
    expect(await lead(path)).toBe(
      'Approved through Nov 21, 2027 The pharmacy can fill it. ' +
        'The renewal can be sent from Oct 22, 2027 until Nov 21, 2027.',
    );
    expect((await scene.get(path)).body).toContain('<div class="headline tone-good">');
  });

  test('can be renewed from the day of the site’s table for its payer', async () => {
    withSite({ renewals: [{ payer: 'harborlight health plan', days: 60, source: 'Provider manual' }] });
    const body = { insurance_content: { payer_name: 'Harborlight Health Plan' } };
    expect(await lead(put({ ...approved('2027-03-01'), body }))).toContain('from Dec 31, 2026 until Mar 1, 2027.');
    expect(await lead(put({ ...approved('2026-12-31'), body }))).toContain('The renewal can be sent now, until Dec 31');
  });

  test.each([
    ['while it can be renewed', '2026-12-21'],
    ['after its end', '2026-11-20'],
  ])('an approval leads to its filled renewal %s', async (_, until) => {
    const here = put(approved(until));
    const { body } = await scene.get(here);
    expect(body).toContain(`href="${scene.home}/orders/${scene.order}?anew=1" class="button go">Start the renewal</a>`);
    expect(body).not.toContain('New request for this drug');
    expect(await lead(put(approved('2026-12-22')))).not.toContain('Start the renewal');
  });

  test('one that a newer request follows leads there, and offers nothing to send again', async () => {
    const newer = '22222222-2222-4333-8444-555555555555';
    put({ id: newer });
    const here = put({ ...denied, followed: { case: newer, at: '2026-11-21T14:00:00.000Z' } });
    expect(await lead(here)).toMatch(/A new request was sent in its place\..*Followed by a new request , sent/);
    const { body } = await scene.get(here);
    expect(body).toContain(`href="${scene.home}/cases/${newer}" class="button go">Open the new request</a>`);
    expect((await scene.get(`${here}/again`)).headers.location).toBe(here);
    expect((await scene.get(`${scene.home}/cases/${newer}`)).body).toContain(
      `href="${here}">Follows an earlier request`,
    );
  });

  test('without an end says that none was given, and gives none', async () => {
    expect(await lead(put(approved()))).toBe(
      'Approved The pharmacy can fill it. The payer gave no end date. Look for one in the letter.',
    );
  });

  test('that has ended is no good news any more', async () => {
    const path = put(approved('2026-11-20'));
    expect(await lead(path)).toMatch(/^Approval ended Nov 20, 2026 Send a new request if the patient still takes/);
    expect((await scene.get(path)).body).not.toContain('tone-good');
  });

  test.each(['2026-11-21', '2026-11', '2026'])('until %s counts today, Nov 21, 2026', async (until) => {
    expect(await lead(put(approved(until)))).toMatch(/^Approved through/);
  });
});

test.each([
  ['completed', { result: 'Other', detail_code: 'prior_auth_not_required' }],
  ['completed', { result: 'Approved', detail_code: 'prior_auth_not_required' }],
  ['not_submitted', { result: 'Not Submitted', detail_code: 'benefit_verification_pa_not_required' }],
])('good news looks like it: no prior authorization needed, at %s', async (status, outcome) => {
  const path = put(ended(outcome, { status }));
  expect(await lead(path)).toMatch(/^No prior authorization needed The pharmacy can fill it now\./);
  const { body } = await scene.get(path);
  expect(body).toContain('<div class="headline tone-good">');
  // Nobody has to fax anything for it.
  expect(body).not.toMatch(/class="button go"/);
});

describe('what is asked', () => {
  const question = 'Please send the date of the last visit.';
  const calls = [
    { id: 'c1', type: 'follow_up_call', created_at: '2026-11-20T15:00:00', details: { notes: question } },
    { id: 'c2', type: 'follow_up_call', created_at: '2026-11-20T16:00:00', details: { notes: 'Denied. Appeal?' } },
  ];
  const at = (status: string, activity_log = calls) =>
    put({ status, changedAt: '2026-11-20T15:05:00.000Z', record: { id: 'pa_77', url, status, activity_log } });

  test.each([
    ['awaiting_review', 'Your review is needed', 'Review in the service'],
    ['awaiting_provider_response', 'The payer needs information', 'Answer in the service'],
  ])('is shown at %s with since when, for the office, and one way to answer', async (status, label, action) => {
    const path = at(status);
    const text = await lead(path);
    expect(text.startsWith(label)).toBe(true);
    expect(text).toContain(question);
    expect(text).toContain('For the office. Do not tell the patient: nothing is decided.');
    expect(text).toMatch(/Asked Nov 20, 2026/);
    expect(text).toContain(action);
    const { body } = await scene.get(path);
    expect(body).toContain(`<a href="${url}" class="button go" target="_blank" rel="noopener noreferrer">`);
    expect(text).not.toContain('Denied');
  });

  test('is told to stand in the service when its note may tell an outcome', async () => {
    const text = await lead(at('awaiting_provider_response', calls.slice(1)));
    expect(text).toContain('What is asked is shown in the service.');
    expect(text).not.toMatch(/Denied|Do not tell the patient/);
  });

  test.each(['processing', 'awaiting_outcome', 'validating_outcome', 'awaiting_moon_phase'])(
    'is not there at %s, whatever the record holds',
    async (status) => {
      expect(await lead(at(status))).not.toMatch(/last visit|What is asked|Denied/);
    },
  );

  test('calls the service by the name that the site gives', async () => {
    withSite({ service: { ...scene.smart.launch.site.service, name: 'Harbor PA' } });
    expect(await lead(at('awaiting_provider_response'))).toMatch(/Open Harbor PA to answer\..*Answer in Harbor PA/);
  });
});

describe('a denial', () => {
  test('says the payer’s reason, why, what can be done, and the one way on', async () => {
    const path = put(denied);
    const text = await lead(path);
    expect(text).toMatch(/^Denied: step therapy criteria not met/);
    expect(text).toContain('Payer’s reason No trial of methotrexate.');
    expect(text).toContain('CANARY-WHY Suggested: Send the dates.');
    expect((await scene.get(path)).body).toContain(`<a href="${path}/again" class="button go">`);
  });

  test('names no appeal deadline that nobody gave', async () => {
    expect(await lead(put(denied))).toContain('Appeal deadline See the letter for the deadline.');
  });

  test('has the deadline of the site’s table for this payer, with its source, from the decision', async () => {
    withSite({
      timeZone: 'America/Chicago',
      appeals: [
        { payer: 'Another Plan', days: 10, source: 'CANARY' },
        { payer: 'harborlight  health plan', days: 60, source: 'Provider manual 2026, p. 12' },
      ],
    });
    const path = put({ ...denied, body: { insurance_content: { payer_name: 'Harborlight Health Plan' } } });
    // Nov 21 and 60 days is Jan 20.
    expect(await lead(path)).toContain(
      'Appeal deadline Jan 20, 2027 60 days after the decision arrived here. Source: Provider manual 2026, p. 12 ' +
        'The letter counts',
    );
  });

  test('has the deadline that a person entered from the letter before any table, and who did', async () => {
    withSite({ appeals: [{ payer: 'Harborlight Health Plan', days: 60, source: 'CANARY-TABLE' }] });
    const path = put({ ...denied, body: { insurance_content: { payer_name: 'Harborlight Health Plan' } } });
    expect((await act(path, { action: 'appeal', on: '2026-12-31' })).status).toBe(303);
    const text = await lead(path);
    expect(text).toContain('Appeal deadline Dec 31, 2026 entered from the letter by Riley Okafor, MA');
    expect(text).not.toContain('CANARY-TABLE');
    await act(path, { action: 'appeal', on: '' });
    expect(await lead(path)).toContain('CANARY-TABLE');
  });

  test('says that a deadline has passed', async () => {
    const path = put(denied);
    await act(path, { action: 'appeal', on: '2026-11-20' });
    expect(await lead(path)).toContain('Nov 20, 2026 This day has passed.');
  });

  test.each(['31.12.2026', '2026-02-30', 'tomorrow'])('takes no deadline that is no day: %s', async (on) => {
    const path = put(denied);
    expect((await act(path, { action: 'appeal', on })).status).toBe(400);
    expect(scene.cases.all.get(id)?.events).toEqual([]);
  });
});

describe('what is not in the chart', () => {
  const at = '2026-11-21T14:05:00.000Z';
  const row = (state: 'failed' | 'waiting' | 'done') =>
    ({ what: 'task', version: '1', state, attempts: 1, at }) as const;

  test('is in sight on top, with the button to save it again', async () => {
    const { body } = await scene.get(put({ ...approved('2027-11-21'), writes: [row('failed')] }));
    const standing = body.slice(body.indexOf('aria-labelledby="standing"'), body.indexOf('aria-labelledby="written"'));
    expect(standing).toMatch(/role="alert"[\s\S]*Not saved to the chart: Task in the chart/);
    expect(standing).toMatch(/value="write">Save to the chart again/);
  });

  test('is no second copy: that is in the chart, and is to be marked there', async () => {
    const reference = 'DocumentReference/6';
    const copy = { what: 'double', version: reference, reference, state: 'failed', attempts: 1, at } as const;
    const { body } = await scene.get(put({ ...approved('2027-11-21'), writes: [copy] }));
    expect(body).toContain('A second copy is in the chart');
    expect(body).toContain('still in the chart');
    expect(body).not.toContain('Not saved to the chart');
  });

  test('keeps the page live, seldom while it waits for a launch', async () => {
    expect((await scene.get(put({ ...approved(), writes: [row('waiting')] }))).body).toContain(
      'hx-trigger="every 30s"',
    );
    expect((await scene.get(put({ ...approved(), writes: [row('done')] }))).body).not.toContain('hx-trigger');
  });
});

test('tabs are told apart by the drug, and never by the patient', async () => {
  const path = put({ title: 'Humira 40 mg pen', banner: { name: 'Canary Testperson' } });
  expect(/<title>([^<]*)</.exec((await scene.get(path)).body)?.[1]).toBe(
    'Humira 40 mg pen: prior authorization · Prior authorization',
  );
});

test('no machine word stands outside the part for IT support', async () => {
  const path = put({
    ...denied,
    writes: [
      {
        what: 'document',
        version: '1',
        state: 'done',
        reference: 'DocumentReference/5',
        attempts: 1,
        at: now.toISOString(),
      },
    ],
  });
  const { body } = await scene.get(path);
  const main = body.slice(body.indexOf('<main'), body.indexOf('id="what-was-sent"'));
  const shown = main.replaceAll(/<details class="for-it">[\s\S]*?<\/details>/g, '').replaceAll(/<[^>]*>/g, ' ');
  expect(shown).not.toMatch(/DocumentReference|step_therapy|MedicationRequest|Patient\//);
  expect(main).toContain('DocumentReference/5');
});
