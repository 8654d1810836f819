import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** What every project has. */
export const common = {
  setupFiles: ['test/setup.ts'],
  // A busy machine makes a test slow, not wrong: the limits end only what hangs.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** What every run has, the one of `npm run proof -- mutants` too. */
export const run = {
  globalSetup: ['bin/generate-fhir-model.mjs', 'bin/generate-sandbox-definitions.mjs', 'test/shared-folder.ts'],
  // The processes that tests start load the same code again and again.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') },
  // One process loads the sources once for all of its files, and opens one browser: half of the time went there.
  isolate: false,
};

/**
 * Most code of a test runs a few times: what V8 would spend on optimizing it, beside the tests, is more than it saves.
 * With room for the young objects of a test, most of them are gone before V8 looks at them.
 */
const quickStart = ['--no-turbofan', '--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];

export const jsx = { runtime: 'automatic', importSource: 'preact' } as const;

/** What takes minutes by nature: `npm run test:long`. */
const long = 'test/**/*.long.test.ts';
/** What opens pages in a real browser: `npm run test:browser`. */
const browser = 'test/e2e/**/*.test.ts';

export default defineConfig({
  oxc: { jsx },
  test: {
    ...run,
    // One more than cores: jobs, browsers and databases are waited for.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'suite',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [long, browser],
          execArgv: quickStart,
        },
      },
      {
        extends: true,
        test: { ...common, name: 'browser', include: [browser], globalSetup: ['test/e2e/chromium.ts'] },
      },
      { extends: true, test: { ...common, name: 'long', include: [long] } },
    ],
  },
});
