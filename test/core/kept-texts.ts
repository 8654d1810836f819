import { createReadStream, readFileSync } from 'node:fs';
import { writeHeapSnapshot } from 'node:v8';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../src/core/roles/select.ts';
import { openTextCache } from '../../src/core/text-cache.ts';

/**
 * A process of its own: maps the chart of a file and prints which of the given texts, written backwards, its memory
 * still holds, while the cache of texts is open and once it is emptied.
 */
const [file = '', folder = '', ...backwards] = process.argv.slice(2);
const texts = openTextCache();

function mapChart(): number {
  const { entries } = readBundle(JSON.parse(readFileSync(file, 'utf8')));
  const asked = { roles: mappings.roles, now: new Date('2026-11-21T15:00:00Z'), site: { country: 'USA' } } as const;
  const orders = ordersIn(indexChart(entries), asked).filter(({ fits }) => fits);
  const results = orders.map(({ chart }) => JSON.stringify(runMapping(priorAuth, chart)));
  return results.length;
}

async function heldIn(name: string): Promise<string[]> {
  globalThis.gc?.();
  const path = writeHeapSnapshot(`${folder}/${name}.heapsnapshot`);
  const wanted = backwards.map((text) => [...text].reverse().join(''));
  const found = new Set<string>();
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    rest += chunk;
    for (const text of wanted) if (rest.includes(text)) found.add(text);
    rest = rest.slice(-200);
  }
  return [...found].map((text) => [...text].reverse().join(''));
}

const mapped = mapChart();
const held = await heldIn('open');
texts.clear();
const left = await heldIn('emptied');
process.stdout.write(JSON.stringify({ mapped, held, left }));
