import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { openStore } from '../../src/store/open.ts';
import { installedPostgres, startCluster } from '../support/postgres.ts';
import { tempFolder } from '../support/temp.ts';
import { queues } from './backends.ts';
import { changed, newKeys, openDraft } from './requests.ts';

const bin = installedPostgres();

// As docs/operate/running.md tells it, word for word but for the names.
test.skipIf(bin === undefined)('pg_dump of a store that is in use, restored, has everything', async () => {
  const folder = tempFolder('dump');
  const [cluster, other] = [await startCluster(), await startCluster()];
  const key = newKey();
  const open = (databaseUrl: string) =>
    openStore({ config: { keys: [key], dataDir: '', databaseUrl }, log: silentLog, queues });
  const store = await open(cluster.url);
  const file = join(folder.path, 'bridge.dump');
  try {
    const keys = newKeys();
    const { id } = await openDraft(store.cases, keys);
    await changed(store.cases, id, keys, {
      submissions: [{ attempt: 1, state: 'sending', sentAt: '2026-11-20T09:00:00.000Z', content: { body: 1 } }],
      jobs: [{ queue: 'look', site: 'clinic', key: id, data: { case: id } }],
      events: [{ type: 'sent', actor: 'Practitioner/12', facts: { attempt: 1 } }],
    });
    execFileSync(join(bin ?? '', 'pg_dump'), ['--format=custom', `--file=${file}`, cluster.url]);
    execFileSync(join(bin ?? '', 'pg_restore'), ['--no-owner', `--dbname=${other.url}`, file]);
    const restored = await open(other.url);
    try {
      const found = await restored.cases.find(id);
      expect(found?.submissions[0]?.sealed.value()).toEqual({ body: 1 });
      expect(found?.events.map(({ type }) => type)).toEqual(['draft_opened', 'sent']);
      expect(await restored.boss.findJobs('look', { key: id })).toHaveLength(1);
      expect((await restored.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
      // What is written afterwards goes on from where the dump stopped.
      const after = await changed(restored.cases, id, keys, {
        events: [{ type: 'accepted', actor: 'bridge', facts: { attempt: 1 } }],
      });
      expect(after.events.map(({ type }) => type)).toEqual(['draft_opened', 'sent', 'accepted']);
    } finally {
      await restored.close();
    }
  } finally {
    await store.close();
    cluster.remove();
    other.remove();
    folder.remove();
  }
});
