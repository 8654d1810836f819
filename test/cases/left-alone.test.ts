import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queues } from '../../src/cases/work/queues.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, sqlOf } from '../store/backends.ts';
import { aClinic, aSentCase, type Clinic } from './clinic.ts';

describe('an EHR that asks to be left alone for a while (Retry-After)', () => {
  let backend: Backend;
  let store: Store;
  let ahead = 0;
  beforeAll(async () => {
    backend = await pgliteBackend();
    store = await backend.open({ queues, aheadMs: () => ahead });
  });
  beforeEach(() => {
    // What an earlier test asked for is over.
    ahead += 3 * 3_600_000;
  });
  afterAll(async () => {
    await store?.close();
    await backend?.close();
  });

  const busyFor = (seconds: number) => new BridgeError('ehr_error', { http: 429, retry_after_seconds: seconds });

  /** A clinic whose EHR has just asked, when it was to make the Task of a case. */
  async function askedFor(seconds: number): Promise<Clinic> {
    const clinic = aClinic(store);
    const first = await aSentCase(clinic);
    clinic.ehr.next.set('create Task', [busyFor(seconds)]);
    const { writes } = await clinic.cases.retryWriteback(first.id, 'bridge');
    expect(writes).toMatchObject([{ what: 'task', state: 'planned' }]);
    clinic.ehr.calls.length = 0;
    return clinic;
  }

  async function secondsToDelivery(id: string): Promise<number> {
    const rows = await sqlOf(store)(
      `select extract(epoch from start_after - now())::int as seconds from "${backend.schema}_jobs".job
      where name = 'deliver' and state = 'created' and data ->> 'case' = $1 order by start_after desc`,
      [id],
    );
    return Number(rows[0]?.seconds);
  }

  test('is asked nothing by the deliveries of other cases either, until then', async () => {
    const clinic = await askedFor(600);
    const other = await aSentCase(clinic);
    const held = await clinic.cases.retryWriteback(other.id, 'bridge');
    expect(clinic.ehr.calls).toEqual([]);
    expect(held.writes).toMatchObject([
      { what: 'task', state: 'planned', reason: 'the EHR asked to be left alone for a while' },
    ]);
    expect(held.unwritten).toBe(true);
    const seconds = await secondsToDelivery(other.id);
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    ahead += 601_000;
    expect((await clinic.cases.retryWriteback(other.id, 'bridge')).writes).toMatchObject([{ state: 'done' }]);
  });

  test('nor by another process', async () => {
    const { ehr, service } = await askedFor(600);
    const elsewhere = aClinic(store, { ehr, service });
    const other = await aSentCase(elsewhere);
    await elsewhere.cases.retryWriteback(other.id, 'bridge');
    expect(ehr.calls).toEqual([]);
  });

  test('for two hours at most', async () => {
    const clinic = await askedFor(86_400);
    const other = await aSentCase(clinic);
    ahead += 2 * 3_600_000 + 1000;
    expect((await clinic.cases.retryWriteback(other.id, 'bridge')).writes).toMatchObject([{ state: 'done' }]);
  });

  test('keeps no other site back', async () => {
    const clinic = await askedFor(600);
    const other = await aSentCase(clinic, { site: 'hill' });
    expect((await clinic.cases.retryWriteback(other.id, 'bridge')).writes).toMatchObject([{ state: 'done' }]);
  });

  test('by its token endpoint, or where it says what it offers, is left alone too', async () => {
    for (const refuse of [
      (clinic: Clinic) => {
        clinic.access = () => {
          throw new BridgeError('token_failed', { http: 503, retry_after_seconds: 600 });
        };
      },
      (clinic: Clinic) => {
        const api = { ...clinic.ehr, capabilities: async () => Promise.reject(busyFor(600)) };
        clinic.access = () => ({ api, by: 'refresh' });
      },
    ]) {
      ahead += 3 * 3_600_000;
      const clinic = aClinic(store);
      const first = await aSentCase(clinic);
      refuse(clinic);
      await clinic.cases.retryWriteback(first.id, 'bridge');
      clinic.access = () => ({ api: clinic.ehr, by: 'refresh' });
      const other = await aSentCase(clinic);
      await clinic.cases.retryWriteback(other.id, 'bridge');
      expect(clinic.ehr.calls).toEqual([]);
    }
  });

  test('of what may have arrived already nothing is forgotten', async () => {
    const clinic = await askedFor(600);
    const other = await aSentCase(clinic);
    ahead += 601_000;
    clinic.ehr.next.set('create Task', ['lost-before']);
    await clinic.cases.retryWriteback(other.id, 'bridge');
    const third = await aSentCase(clinic);
    clinic.ehr.next.set('create Task', [busyFor(600)]);
    await clinic.cases.retryWriteback(third.id, 'bridge');
    ahead += 31_000;
    expect((await clinic.cases.retryWriteback(other.id, 'bridge')).writes).toMatchObject([
      { state: 'unknown', reason: 'the answer was lost' },
    ]);
  });
});
