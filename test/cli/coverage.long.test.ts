import { expect, test } from 'vitest';
import { cli } from './run-cli.ts';

// test/mappings/coverage.test.ts says it too, rule by rule; this is what the command says of it.
test('the cases of the project leave no hole', async () => {
  const { code, out } = await cli(['coverage']);
  expect(code).toBe(0);
  expect(out).toMatch(/\nTables:\n {2}patient\.gender: 4 of 4 values have a row; 4 of 4 rows used by a case\n/);
  expect(out).toMatch(/\nNot covered: \d+ rows of tables of \d+ that no case uses \(--rows names them\)\n/);
  expect(out).toMatch(/\n\nRoles: (\d+), \1 of them filled\n$/);
  expect(out).not.toContain('Rows that no case uses');
});
