import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for what several files need and is slow to make. */
    readonly shared: string;
  }
}

// One for all projects of the run: vitest loads this file once for each.
const shared = join(tmpdir(), `bridge-shared-${process.pid}-${Math.round(performance.timeOrigin)}`);

/** vitest calls it before the tests of each project, and what it answers with after them. */
export function setup(project: TestProject): () => void {
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  project.provide('shared', shared);
  return () => rmSync(shared, { recursive: true, force: true, maxRetries: 3 });
}
