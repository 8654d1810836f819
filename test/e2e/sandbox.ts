import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/dev/sandbox/index.ts';
import { putDatabase } from '../support/embedded.ts';
import { tempFolder } from '../support/temp.ts';
import { closePages, openBrowser } from './browser.ts';

/** What the tests of one file share: a sandbox of their own and the browser. Both stand once the tests begin. */
export interface SandboxInBrowser {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  /** The data folder of the sandbox. */
  readonly folder: string;
}

/**
 * Starts them before the tests of the file that calls it and ends them after. The service moves only when a test says
 * so: each state can be looked at.
 */
export function useSandbox(
  name: string,
  options: Pick<SandboxOptions, 'service' | 'signatures'> = {},
): SandboxInBrowser {
  const folder = tempFolder(name);
  let sandbox: Sandbox;
  let browser: Browser;
  beforeAll(async () => {
    await putDatabase(`${folder.path}/bridge`);
    const clock = () => new Date();
    sandbox = await startSandbox({ ...options, dataDir: folder.path, port: 0, speed: 0, clock, log: silentLog });
    browser = await openBrowser();
  });
  afterEach(closePages);
  afterAll(async () => {
    await sandbox?.close();
    folder.remove();
  });
  return {
    get sandbox() {
      return sandbox;
    },
    get browser() {
      return browser;
    },
    folder: folder.path,
  };
}
