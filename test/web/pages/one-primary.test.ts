import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { iconNames } from '../../../src/web/ui/icon-names.ts';
import { type AnyCase, openScene, type Scene } from '../support.ts';

// A page has one way on: at most one button or link that looks like it.

const id = '11111111-2222-4333-8444-555555555555';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

/** The elements of the page that are drawn as its way on. */
async function waysOn(path: string): Promise<readonly string[]> {
  const { status, body } = await scene.get(path);
  expect([path, status]).toEqual([path, 200]);
  return [...body.matchAll(/<(?:a|button)[^>]*class="([^"]*)"[^>]*>/g)]
    .filter(([, classes = '']) => classes.split(' ').includes('go') && !classes.split(' ').includes('secondary'))
    .map(([tag]) => tag);
}

const url = 'https://platform.example/pa_77';
const denied = { result: 'Denied', detail: 'No trial of methotrexate.', detail_code: 'unknown' };
const record = (more: object) => ({ id: 'pa_77', url, ...more });
const deniedRecord = record({ status: 'completed', outcome: denied });
const failed = [{ what: 'document', version: 'v1', state: 'failed', attempts: 3, at: '2026-11-21T14:40:00.000Z' }];

const round = {
  ...{ number: 1, from: 'service', openedAt: '2026-11-21T14:10:00.000Z', openedBy: 'bridge', replies: [] },
  asked: [{ id: 'p1', seenAt: '2026-11-21T14:10:00.000Z', fields: [{ name: 'message', text: 'When?' }], files: [] }],
};
const replied = (state: string) => ({
  ...round,
  replies: [
    {
      ...{ key: 'k', state, at: '2026-11-21T14:20:00.000Z', by: { name: 'Nurse Noor' }, text: 'May.', documents: [] },
      ...{ title: 'Reply', date: '2026-11-21T14:20:00.000000', completes: false },
    },
  ],
});
const askedWith = (...rounds: readonly object[]) => ({
  ...{ state: 'open', status: 'awaiting_provider_response' },
  record: record({ status: 'awaiting_provider_response' }),
  rounds,
});

const states: readonly (readonly [string, object])[] = [
  ['open', { state: 'open', record: record({ status: 'awaiting_outcome' }) }],
  ['asked in the service', { state: 'open', record: record({ status: 'awaiting_review' }) }],
  ['asked by the payer', askedWith(round)],
  ['asked in the service alone, with a reply form', askedWith({ ...round, asked: [] })],
  ['asked in the service alone, with a reply to print', askedWith({ ...replied('printed'), asked: [] })],
  ['asked twice', askedWith(round, { ...round, number: 2 })],
  ['asked, with a reply to print', askedWith(replied('printed'))],
  ['asked, with a reply that waits for a signature', askedWith(replied('unsigned'))],
  ['replied to', askedWith(replied('accepted'))],
  ['of unknown arrival', { state: 'unknown' }],
  ['refused', { state: 'refused' }],
  ['denied', { state: 'ended', record: deniedRecord }],
  ['denied and not saved', { state: 'ended', record: deniedRecord, writes: failed }],
];

test.each(states)('a request that is %s', async (_, state) => {
  scene.cases.put({
    ...{ id, site: 'valley', patient: `Patient/${scene.smart.launch.patient}`, serviceId: 'pa_77' },
    ...{ order: `MedicationRequest/${scene.order}`, sentAt: '2026-11-21T14:00:00.000Z' },
    ...{ endedAt: '2026-11-21T14:40:00.000Z', ...state },
  } as Partial<AnyCase> & { id: string });
  expect((await waysOn(`${scene.home}/cases/${id}`)).length).toBeLessThanOrEqual(1);
});

test.each(['orders', 'order', 'order/confirm'])('%s', async (page) => {
  const path = `${scene.home}/${page.replace(/^order(?!s)/, `orders/${scene.order}`)}`;
  expect((await waysOn(path)).length).toBeLessThanOrEqual(1);
});

test('the build took every icon of the pages and no other', () => {
  const built = JSON.parse(readFileSync(join(import.meta.dirname, '../../../dist/assets/icons.json'), 'utf8'));
  expect(Object.keys(built)).toEqual([...iconNames]);
});
