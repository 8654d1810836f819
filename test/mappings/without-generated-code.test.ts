import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { formatDiff } from '../../src/core/mapping/diff.ts';
import { listFixtures, loadFixture, runFixture } from '../../src/dev/kit/fixture.ts';

// What a process under --disallow-code-generation-from-strings finds out about itself.
vi.mock('../../src/core/fhir/may-generate.ts', () => ({ mayGenerate: false }));
// A later file of this worker must not have what was loaded with the mock.
afterAll(() => {
  vi.doUnmock('../../src/core/fhir/may-generate.ts');
  vi.resetModules();
});

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

// test/oracle holds every case against the generated code, in a process that really forbids it: through the two base
// mappings. These are the cases of the other mappings.
const others = listFixtures(root)
  .map(loadFixture)
  .filter(
    ({ request, expected }) =>
      Object.keys(request.mapping).length > 0 ||
      expected.answers !== undefined ||
      expected['benefit-verification'] !== undefined,
  );

test('they are of overlays, of the profile current, of benefit verifications and of the sheet', () => {
  expect(others.length).toBeGreaterThanOrEqual(25);
});

describe('a chart becomes the same where a host forbids generated code', () => {
  test.each(others.map((fixture) => [fixture.name, fixture] as const))('%s', async (_name, fixture) => {
    const { diffs } = await runFixture(fixture, mappings);
    expect(diffs.map((diff) => `${diff.file}\n${formatDiff([diff])}`).join('\n')).toBe('');
  });
});
