import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { mappingKinds } from '../../../src/core/contract/kinds.ts';
import { diffJson } from '../../../src/core/mapping/diff.ts';
import {
  type CaseOutcome,
  diffsOf,
  type Fixture,
  listFixtures,
  loadFixture,
  runFixture,
} from '../../../src/dev/kit/fixture.ts';
import type { Recording } from '../../../src/dev/kit/recorded.ts';

const folders = listFixtures(join(import.meta.dirname, '../../../fixtures/charts'));
const cases = folders.map(loadFixture);
const rare = ({ expected }: Fixture) => expected['benefit-verification'] ?? expected.chart ?? expected.candidates;
const few = cases.filter((fixture, index) => index % 40 === 0 || rare(fixture) !== undefined);

/** The paths of all leaves; of a list or an object without any, the path of its first. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[...path, Array.isArray(value) ? '0' : 'more']];
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const more = { target: 'more', severity: 'warns', reason: 'missing', message: 'One more.' };

function withOther<T>(value: T, path: readonly string[]): T {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(at as object, key), copy) as object;
  const last = path.at(-1) ?? '';
  Reflect.set(holder, last, Object.hasOwn(holder, last) ? 'something else' : more);
  return copy;
}

/** The outcome with one leaf changed that people see: in the recording, and where it came from. */
function otherwise(actual: CaseOutcome, recorded: Recording, path: readonly string[]): CaseOutcome {
  const [first = ''] = path;
  const changed = { ...actual, recorded: withOther(recorded, path) };
  if (first === 'warnings') return withOther(changed, ['chart', ...path]);
  const isCompared = mappingKinds.some((kind) => kind === first) && path[1] !== 'status';
  return isCompared ? withOther(changed, path) : changed;
}

test('nothing that people see can come out otherwise without a difference', async () => {
  let count = 0;
  const unseen: string[] = [];
  for (const fixture of few) {
    const { actual } = await runFixture(fixture, mappings);
    const { recorded } = actual;
    for (const path of recorded === undefined ? [] : leavesOf(recorded)) {
      count += 1;
      if (diffsOf(fixture, otherwise(actual, recorded!, path)).length === 0)
        unseen.push(`${fixture.name} ${path.join('.')}`);
    }
  }
  expect(unseen).toEqual([]);
  expect(count).toBeGreaterThan(3000);
});

test('no leaf of an expectation or a recording can be changed without a difference at its place', async () => {
  const unseen: string[] = [];
  for (const fixture of few) {
    const { actual } = await runFixture(fixture, mappings);
    for (const file of ['expected', 'recorded'] as const)
      for (const path of fixture[file] === undefined ? [] : leavesOf(fixture[file])) {
        const changed: Fixture = { ...fixture, [file]: withOther(fixture[file], path) };
        if (diffsOf(changed, actual).every((diff) => diff.file !== `${file}.json`))
          unseen.push(`${fixture.name} ${file} ${path.join('.')}`);
      }
  }
  expect(unseen).toEqual([]);
});

test('a recording that repeats what is stated differs from what has to be recorded', async () => {
  const fixture = cases.find(({ name }) => name === 'everything-in-the-chart-is-complete')!;
  const { actual } = await runFixture(fixture, mappings);
  const { body } = fixture.expected['prior-auth'] ?? {};
  const recorded = fixture.recorded as Readonly<Record<string, object>>;
  const repeating = { ...recorded, 'prior-auth': { ...recorded['prior-auth'], body } };
  expect(diffJson(actual['prior-auth']?.body, body)).toEqual([]);
  expect(diffsOf({ ...fixture, recorded: repeating }, actual)).toEqual([
    { file: 'recorded.json', path: 'prior-auth.body', kind: 'missing', expected: body },
  ]);
});
