import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presets } from '../../src/config/presets/presets.ts';
import { productIds } from '../../src/dev/sandbox/ehr/products.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';
import { behaviours, type Count, live, type World, worldOf } from './lives.ts';

// Every EHR that the sandbox can be, with every way in which one may misbehave besides: `npm run proof -- ehrs`.

const counts: Count[] = [];

describe.each(productIds)('%s', (product) => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(product);
  });
  afterAll(() => world.close());

  test.each(Object.keys(behaviours))('%s', async (behaviour) => {
    const count = await live(world, behaviour, randomUUID());
    counts.push(count);
    expect(count).toMatchObject({ invalid: [], doubled: [], lost: [], stale: [] });
  });
});

// `npm run proof -- ehrs -u` writes the table anew.
test('docs/sites/ehrs.md has what was counted', async () => {
  const path = join(import.meta.dirname, '../../docs/sites/ehrs.md');
  const rows = presets.map(({ id, name }) => {
    const own = counts.filter(({ product }) => product === id);
    const sum = (of: (count: Count) => number) => String(own.reduce((total, count) => total + of(count), 0));
    return [
      name,
      String(own.length),
      sum(({ written }) => written),
      sum(({ invalid }) => invalid.length),
      sum(({ doubled }) => doubled.length),
      sum(({ lost }) => lost.length),
      sum(({ stale }) => stale.length),
      [...new Set(own.flatMap(({ left }) => left.map(kindOf)))].sort().join(', ') || 'nothing',
    ];
  });
  const head = ['EHR', 'lives', 'written', 'not FHIR R4', 'doubled', 'lost', 'stale', 'left, each with its reason'];
  await expect(withTables(readFileSync(path, 'utf8'), { counted: markdownTable(head, rows) })).toMatchFileSnapshot(
    path,
  );
});

const kinds: Readonly<Record<string, string>> = {
  task: 'Task',
  document: 'summary',
  determination: 'payer’s letter',
  double: 'a closing Task of an earlier end',
  provenance: 'Provenance',
  everything: 'everything',
};

function kindOf(left: string): string {
  const what = left.split(':')[0] ?? '';
  return kinds[what] ?? what;
}
