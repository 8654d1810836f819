import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollDelay } from '../../src/cases/poll-delay.ts';
import { queues } from '../../src/cases/work/queues.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { aClinic, aRequest } from './clinic.ts';

let backend: Backend;
let store: Store;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ queues });
});

afterAll(async () => {
  await store?.close();
  await backend?.close();
});

test('the pace slows with status, age and trouble, down to four hours', () => {
  const sentAt = '2026-11-21T10:00:00Z';
  const delay = (hours: number, status: string, problem = false) =>
    pollDelay(
      { kind: 'prior-auth', sentAt, status, ...(problem ? { problem: 'service_error' } : {}) },
      30,
      new Date(Date.parse(sentAt) + hours * 3_600_000),
    );
  expect([
    delay(0, 'processing'),
    delay(0, 'awaiting_outcome'),
    delay(2, 'awaiting_outcome'),
    delay(30, 'awaiting_outcome'),
    delay(200, 'awaiting_outcome'),
  ]).toEqual([30, 120, 480, 1200, 2400]);
  expect(delay(0, 'processing', true)).toBe(240);
  expect(delay(200, 'awaiting_outcome', true)).toBe(4 * 3600);
});

test('a store that is gone is store_unavailable, whatever is asked [H05]', async () => {
  const { cases } = aClinic(store);
  await store.close();
  await expect(cases.get('x')).rejects.toMatchObject({ code: 'store_unavailable', status: 503 });
  await expect(cases.openDraft(aRequest())).rejects.toMatchObject({ code: 'store_unavailable' });
});
