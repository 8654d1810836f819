import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { priorAuthContracts } from '../../src/core/contract/profiles.ts';
import { hasPlace, isRequiredAt, leavesOf } from '../../src/core/mapping/schema.ts';
import { parseTarget } from '../../src/core/mapping/target.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';

const path = join(import.meta.dirname, '../../docs/sites/service-profiles.md');
const schemas = priorAuthContracts.map(({ schema }) => schema);

// An address whose parts may all be missing is a field itself: something of it is required.
const fields = [...new Set([...schemas.flatMap((schema) => leavesOf(schema)), 'provider.address'])];

function needOf(field: string, schema: z.ZodType): string {
  const place = parseTarget(field.replaceAll('[]', '[0]'));
  if (!hasPlace(schema, place)) return 'not sent';
  return isRequiredAt(schema, place) ? 'blocks' : 'may be missing';
}

// `npx vitest run test/docs/service-profiles.test.ts -u` writes the table anew.
test('docs/sites/service-profiles.md has every field that blocks sending in one of the profiles', async () => {
  const rows = fields
    .map((field) => [`\`${field}\``, ...schemas.map((schema) => needOf(field, schema))])
    .filter((row) => row.includes('blocks'));
  const head = priorAuthContracts.map(({ profile, prescription }) =>
    profile === 'documented' ? profile : `${profile}, drug ${prescription}`,
  );
  const table = markdownTable(['field', ...head], rows);
  await expect(withTables(readFileSync(path, 'utf8'), { blocks: table })).toMatchFileSnapshot(path);
});
