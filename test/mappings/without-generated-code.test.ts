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

// Every fourth: test/oracle holds all of them against the generated code, in a process that really forbids it.
const folders = listFixtures(root).filter((_, at) => at % 4 === 0);

describe('a chart becomes the same where a host forbids generated code', () => {
  test.each(folders.map((folder) => [folder.slice(root.length + 1), folder] as const))('%s', async (_name, folder) => {
    const { diffs } = await runFixture(loadFixture(folder), mappings);
    expect(diffs.map((diff) => `${diff.file}\n${formatDiff([diff])}`).join('\n')).toBe('');
  });
});
