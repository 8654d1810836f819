import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import { lineOf, type OrderLine } from '../../src/batch/report/order-line.ts';
import { Reporter, type RunReport } from '../../src/batch/report/report.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';

const data = publicData();

async function* nothing(): AsyncGenerator<Buffer> {}

async function mapAll(folder: string): Promise<RunReport & { readonly orders: readonly OrderLine[] }> {
  const now = new Date('2026-11-21T12:00:00');
  const priorAuth = mappings['prior-auth']['prior-auth']!;
  const reporter = new Reporter({ mapping: priorAuth.name, now });
  const orders: OrderLine[] = [];
  for await (const event of mapInputs({
    inputs: await listInputs([folder]),
    map: (charts) => runMappings(priorAuth, charts),
    roles: mappings.roles,
    site: { country: 'USA' },
    now,
    stdin: nothing(),
  })) {
    if (event.kind === 'order') orders.push(lineOf(event.outcome, undefined));
    else if (event.kind === 'file') reporter.file(event.outcome);
    else reporter.patients(event.count);
  }
  for (const line of orders) reporter.order(line, null);
  return { ...reporter.report(), orders };
}

describe.runIf(hasPublicData)('over public FHIR data', () => {
  test('every file gets its line, every medication order its outcome, and nothing fails', async () => {
    const report = await mapAll(data);
    const files = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => relative(data, join(entry.parentPath, entry.name)));
    expect(new Set(report.files.map(({ file }) => relative(data, file)))).toEqual(new Set(files));
    expect(report.files.every(({ note }) => note !== '')).toBe(true);
    const met = report.files.reduce((sum, { resources }) => sum + (resources.MedicationRequest ?? 0), 0);
    expect(report.totals.orders).toBe(met);
    expect(report.orders.filter(({ reason }) => reason?.includes('report it'))).toEqual([]);
  });

  test('every active order of the Synthea sets yields a draft or a request, every other one says why not', async () => {
    for (const set of ['synthea-smart-r4', 'synthea-intersystems', 'synthea-bulk-10-patients']) {
      const { totals, notEligible } = await mapAll(join(data, set));
      expect({ set, lost: totals.cannot_map + totals.duplicate + totals.unreadable }).toEqual({ set, lost: 0 });
      expect(totals.incomplete + totals.ready).toBeGreaterThan(0);
      expect(notEligible.map(({ reason }) => reason).filter((reason) => reason === '')).toEqual([]);
    }
  });
});
