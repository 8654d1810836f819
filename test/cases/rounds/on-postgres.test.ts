import { describe, expect, test } from 'vitest';
import { queues } from '../../../src/cases/work/queues.ts';
import { postgres, postgresBackend } from '../../store/backends.ts';
import { live } from './lives.ts';
import { describeRounds } from './on-store.ts';
import { storedClinic } from './stored-clinic.ts';

if ('missing' in postgres) test.skip(`rounds on PostgreSQL: ${postgres.missing}`, () => {});
else {
  describeRounds(`rounds on ${postgres.title}`, postgresBackend);

  describe(`random lives on ${postgres.title}`, () => {
    test('in many lives a reply is accepted at most once, and rounds end only when somebody ends them', async () => {
      const backend = await postgresBackend();
      const ahead = { ms: 0 };
      const store = await backend.open({ queues, aheadMs: () => ahead.ms });
      try {
        for (let seed = 1; seed <= 25; seed += 1) await live(seed, await storedClinic(store, ahead));
      } finally {
        await store.close();
        await backend.close();
      }
      expect(ahead.ms).toBeGreaterThan(0);
    }, 240_000);
  });
}
