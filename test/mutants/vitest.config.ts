import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { common, jsx, run } from '../../vitest.config.ts';
import { asked } from './asked.ts';
import { changed } from './mutant.ts';

// The tests of one run, with one file changed as it is loaded: nothing is written, whatever ends the run.

const root = join(import.meta.dirname, '../..');
const { tests, names, change, isShort = change !== undefined, places } = asked();

function read(code: string, id: string): string | undefined {
  const file = id.slice(root.length + 1);
  if (change?.file === file) return changed(code, change);
  const here = places?.filter((place) => place.file === file) ?? [];
  if (here.length === 0) return undefined;
  const edits = here.flatMap(({ id: place, body: { start, end, isBlock } }) => {
    const told = `globalThis.comesBy?.(${place})`;
    return isBlock
      ? [{ place: start + 1, text: `${told};` }]
      : [
          { place: start, text: `(${told}, ` },
          { place: end, text: ')' },
        ];
  });
  const fromTheEnd = edits.toSorted((one, other) => other.place - one.place);
  return fromTheEnd.reduce(
    (text, { place, text: added }) => changed(text, { start: place, end: place, text: added }),
    code,
  );
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
  return change?.file === file || places?.some((place) => place.file === file) === true;
}

/** The files in the order in which they are asked for. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => tests.findIndex((test) => moduleId === join(root, test));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

// What a change makes hang is to end soon.
const soon = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } }, bail: 1 };

export default defineConfig({
  root,
  oxc: { jsx },
  plugins: [changing],
  test: {
    ...run,
    ...common,
    ...(isShort ? soon : {}),
    setupFiles: [...common.setupFiles, ...(places === undefined ? [] : ['test/mutants/note.ts'])],
    include: [...tests],
    maxWorkers: 1,
    sequence: { sequencer: AsAsked },
    ...(names === undefined ? {} : { testNamePattern: new RegExp(names) }),
  },
});
