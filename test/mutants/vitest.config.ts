import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { common, jsx, run } from '../../vitest.config.ts';
import { asked } from './asked.ts';
import { leftOut } from './folders.ts';
import { changed } from './mutant.ts';
import { withSwitches } from './switched.ts';

// The tests of one run, with one file changed as it is loaded: nothing is written, whatever ends the run.

const root = join(import.meta.dirname, '../..');
const { tests, change, switched, turns, isShort = change !== undefined || turns !== undefined } = asked();

function read(code: string, id: string): string | undefined {
  const file = id.slice(root.length + 1);
  if (change?.file === file) return changed(code, change);
  const here = switched?.filter((one) => one.file === file) ?? [];
  return here.length === 0 ? undefined : withSwitches(code, here);
}

const changing: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  configureVitest({ defineCacheKeyGenerator }) {
    // What is changed is not kept for the next run.
    defineCacheKeyGenerator(({ id }) => (isChanged(id) ? false : undefined));
  },
  transform(code, id) {
    const text = read(code, id);
    return text === undefined ? undefined : { code: text, map: null };
  },
};

function isChanged(id: string): boolean {
  const file = id.slice(root.length + 1);
  return change?.file === file || switched?.some((one) => one.file === file) === true;
}

/** The files in the order in which they are asked for; with turns a file comes as often as it has turns. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return tests.flatMap((test) => files.find(({ moduleId }) => moduleId === join(root, test)) ?? []);
  }
}

// What a change makes hang is to end soon.
const soon = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  bail: turns === undefined ? 1 : 0,
};

export default defineConfig({
  root,
  oxc: { jsx },
  plugins: [changing],
  test: {
    ...run,
    ...common,
    ...(isShort ? soon : {}),
    setupFiles: [...common.setupFiles, ...(turns === undefined ? [] : ['test/mutants/turn.ts'])],
    include: [...new Set(tests)],
    maxWorkers: 1,
    sequence: { sequencer: AsAsked },
    testNamePattern: new RegExp(`^(?!.*${leftOut.names})`),
  },
});
