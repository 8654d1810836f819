import { runInThisContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { changed } from './mutant.ts';
import { mutationsOf } from './mutations.ts';
import { withSwitches } from './switched.ts';

afterEach(() => {
  globalThis.mutant = undefined;
});

const source = `
  const isSmall = (size) => size < 4;
  function kindOf(size) {
    const list = [1, 2, 9].filter((one) => one > size);
    if (isSmall(size)) return 'small ' + list.length;
    return list.some((one) => one === 9) ? 'large ' : 'huge ';
  }
  [0, 3, 4, 8, 9, 10].map(kindOf).join();
`;

const inFunctions = mutationsOf(source)
  .filter(({ body }) => body !== undefined)
  .map((mutation, id) => ({ ...mutation, id }));

test('a source with switches does what it does without, and under each switch what it does with that change', () => {
  const all = inFunctions.flatMap(({ body, ...one }) => (body === undefined ? [] : [{ ...one, body }]));
  const switched = withSwitches(source, all);
  const under = (id: number | undefined) => {
    globalThis.mutant = id;
    return runInThisContext(`{ ${switched} }`);
  };

  expect(all.length).toBeGreaterThan(12);
  expect(under(undefined)).toBe(runInThisContext(`{ ${source} }`));
  for (const one of all) expect(under(one.id), one.text).toBe(runInThisContext(`{ ${changed(source, one)} }`));
});
