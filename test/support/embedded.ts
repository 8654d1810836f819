import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { startPglite } from '../../src/store/pglite.ts';
import { tempFolder } from './temp.ts';

/** A data folder whose embedded database stands already, as the first start leaves it but for the bridge's tables. */
export async function storeFolder(name: string): Promise<ReturnType<typeof tempFolder>> {
  const folder = tempFolder(name);
  await putDatabase(folder.path);
  return folder;
}

/**
 * Puts an empty embedded database where a store in `dataDir` looks for it: to make one takes longer than most tests. It
 * is made once in a run, by the first who asks.
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
      await (await startPglite(made)).close();
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
