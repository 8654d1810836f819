import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { openPglite } from '../../src/store/pglite.ts';
import { tempFolder } from './temp.ts';

/**
 * A data folder whose embedded database stands already with the tables of the queue library, as the first start leaves
 * it but for the bridge's own tables, which are sealed by a key of each test.
 */
export async function storeFolder(name: string): Promise<ReturnType<typeof tempFolder>> {
  const folder = tempFolder(name);
  await putDatabase(folder.path);
  return folder;
}

/**
 * Puts such a database where a store in `dataDir` looks for it: to make one takes longer than most tests. It is made
 * once in a run, by the first who asks.
 */
export async function putDatabase(dataDir: string): Promise<void> {
  const template = join(inject('shared'), 'embedded');
  if (!existsSync(template)) await makeTemplate(template);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  cpSync(template, dataDir, { recursive: true });
}

/** One process makes it, the others wait: several at once would each do the whole work. */
async function makeTemplate(template: string): Promise<void> {
  const making = `${template}-making`;
  while (!existsSync(template)) {
    if (!claim(making)) {
      await pause(100);
      continue;
    }
    try {
      // Made while this process was on its way here.
      if (existsSync(template)) return;
      const made = mkdtempSync(`${template}-`);
      const { boss, release } = await openPglite(made, 'bridge');
      await boss.start();
      await boss.stop({ graceful: false });
      await release();
      renameSync(made, template);
    } finally {
      rmdirSync(making);
    }
  }
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}
