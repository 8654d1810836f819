import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../src/base/vault.ts';
import type { Store } from '../../src/store/types.ts';
import { type PostgresBackend, postgres, postgresBackend } from './backends.ts';
import { changed, newKeys, openDraft } from './requests.ts';

if ('missing' in postgres) test.skip(`rotation of keys by two processes: ${postgres.missing}`, () => {});
else describe(`rotation of keys by two processes on ${postgres.title} [S5]`, describeRotation);

/**
 * The order that docs/operate/running.md tells: every process learns the new key behind the old one; then each puts it
 * first; then rekey; then the old one goes. At each step one process is ahead of the other.
 */
function describeRotation(): void {
  let backend: PostgresBackend;
  const open: Store[] = [];
  const fresh = newKey();

  beforeAll(async () => {
    backend = await postgresBackend();
  });

  afterAll(async () => {
    for (const store of open) await store.close();
    await backend?.close();
  });

  const start = async (...keys: string[]) => {
    const store = await backend.open({ keys });
    open.push(store);
    return store;
  };

  /** Both open one order at once, both change it, both read what the other wrote. */
  async function work(one: Store, other: Store): Promise<void> {
    const keys = newKeys();
    const opened = await Promise.all([openDraft(one.cases, keys), openDraft(other.cases, keys)]);
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    const id = opened[0]?.id ?? '';
    await changed(one.cases, id, keys, { record: { by: 'one' } });
    expect((await other.cases.find(id))?.record?.value()).toEqual({ by: 'one' });
    await changed(other.cases, id, keys, { record: { by: 'other' } });
    expect((await one.cases.find(id))?.record?.value()).toEqual({ by: 'other' });
    expect(one.mark('a text')).toBe(other.mark('a text'));
    await changed(one.cases, id, keys, { columns: { state: 'ended' } });
  }

  test('at each step of the order no process meets what it cannot read, and no order has two live cases', async () => {
    const old = backend.key;
    const keys = newKeys();
    const before = await start(old);
    const { id } = await openDraft(before.cases, keys);
    const write = {
      what: 'task',
      version: 'v1',
      state: 'failed',
      attempts: 1,
      at: '2026-11-20T09:30:00.000Z',
    } as const;
    await changed(before.cases, id, keys, { writes: [{ ...write, says: 'the EHR’s words' }] });
    const learned = await start(old, fresh);
    await work(before, learned);
    const turned = await start(fresh, old);
    await work(learned, turned);
    await before.close();
    const both = await start(fresh, old);
    await learned.close();
    await Promise.all([work(turned, both), turned.maintenance.rekey(), work(both, turned)]);
    expect(await both.maintenance.rekey()).toMatchObject({ unreadable: 0 });
    const alone = await start(fresh);
    await work(both, alone);
    expect((await openDraft(alone.cases, keys)).id).toBe(id);
    expect((await alone.cases.find(id))?.writes).toMatchObject([{ says: 'the EHR’s words' }]);
  });
}
