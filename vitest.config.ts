import { defineConfig } from 'vitest/config';

// A busy machine makes a test slow, not wrong: the limits end only what hangs.
const common = { setupFiles: ['test/setup.ts'], testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: ['bin/generate-fhir-model.mjs', 'test/shared-folder.ts'],
    // Vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
          // One process loads the sources once for all of its files: half of the time went there.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
