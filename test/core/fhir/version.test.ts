import { expect, test } from 'vitest';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { currentVersion, isNewer } from '../../../src/core/fhir/version.ts';

test.each([
  ['a later instant', { lastUpdated: '2026-03-02T00:00:00Z' }, { lastUpdated: '2026-03-01T23:00:00-05:00' }, false],
  [
    'an instant of another zone',
    { lastUpdated: '2026-03-01T23:00:00-05:00' },
    { lastUpdated: '2026-03-02T00:00:00Z' },
    true,
  ],
  ['a larger number', { versionId: '10' }, { versionId: '9' }, true],
  ['a number beside none', { versionId: '10' }, {}, false],
  ['words', { versionId: 'b' }, { versionId: 'a' }, false],
  [
    'an instant that the number contradicts',
    { versionId: '1', lastUpdated: '2026-03-02T00:00:00Z' },
    { versionId: '2', lastUpdated: '2026-03-01T00:00:00Z' },
    false,
  ],
])('%s', (_, left, right, newer) => expect(isNewer(left, right)).toBe(newer));

const basic = (code: string, meta?: object) => ({
  resourceType: 'Basic',
  id: 'a',
  code: { text: code },
  ...(meta && { meta }),
});
const same = (one: ReturnType<typeof basic>) => one;

test('one that is newer than every other content counts, in any order', () => {
  const versions = [
    basic('old', { versionId: '1' }),
    basic('new', { versionId: '3' }),
    basic('mid', { versionId: '2' }),
  ];
  expect(currentVersion(versions, same)?.code.text).toBe('new');
  expect(currentVersion(versions.toReversed(), same)?.code.text).toBe('new');
});

test('none counts where one content states no version', () => {
  const versions = [basic('old', { versionId: '1' }), basic('new', { versionId: '3' }), basic('odd')];
  expect(currentVersion(versions, same)).toBeUndefined();
});

test('a resource of which nothing tells the newer version is found by no name, no type and no reference', () => {
  const graph = indexChart([basic('one'), basic('two'), { resourceType: 'Basic', id: 'b' }]);
  expect(graph.ofType('Basic').map(({ reference }) => reference)).toEqual(['Basic/b']);
  expect([graph.find('Basic/a'), graph.resolve({ reference: 'Basic/a' })]).toEqual([undefined, undefined]);
  expect(graph.warnings).toEqual([
    'Basic/a: it came more than once with different content, and nothing tells which is newer; none of it is used.',
  ]);
});

test('resources without id and address keep their names in any order', () => {
  const [one, two] = [
    { resourceType: 'Basic', code: { text: 'one' } },
    { resourceType: 'Basic', code: { text: 'two' } },
  ] as const;
  for (const given of [
    [one, two, one],
    [two, one, one],
  ])
    expect(indexChart(given).ofType('Basic')).toMatchObject([
      { reference: 'Basic 1', resource: one },
      { reference: 'Basic 2', resource: two },
    ]);
});
