import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, type RunnerTask } from 'vitest';
import { asked, type PassedBy } from './asked.ts';

// Notes which test comes by which place, for the runs with nothing changed.

declare global {
  var comesBy: ((id: number) => void) | undefined;
}

const { passedBy } = asked();
const noted = new Map<string, PassedBy>();
const test = expect.getState().testPath ?? '';
let name: string | undefined;

globalThis.comesBy = (id) => {
  const key = `${id} ${name}`;
  if (!noted.has(key)) noted.set(key, { id, test, ...(name === undefined ? {} : { name }) });
};

beforeEach(({ task }) => {
  name = fullNameOf(task);
});

afterEach(() => {
  name = undefined;
});

afterAll(() => {
  appendFileSync(passedBy, [...noted.values()].map((one) => `${JSON.stringify(one)}\n`).join(''));
});

/** As the report has it, and as a test is asked for by name. */
function fullNameOf({ name: own, suite }: RunnerTask): string {
  return suite === undefined ? own : `${fullNameOf(suite)} > ${own}`;
}
