import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { mappings } from '../../mappings/index.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import type { FileOutcome, OrderOutcome } from '../../src/batch/report/order-outcome.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import type { Chart } from '../../src/core/roles/chart.ts';

/** The folder that a test's files are written to; another one for each test. */
export let folder = mkdtempSync(join(tmpdir(), 'map-'));

/** After each test: every file that uses the folder has to ask for it. */
export function renewFolder(): void {
  rmSync(folder, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'map-'));
}

/** What the chart of an order holds, in place of a request: enough to see which resources came together. */
export function contents(chart: Chart): MappingResult<unknown> {
  const held = Object.fromEntries(
    mappings.roles.names.flatMap((role) => {
      const source = chart.root(role).nodes[0]?.source;
      return source === undefined ? [] : [[role, source.resource]];
    }),
  );
  return { status: 'complete', body: { order: chart.order, ...held }, provenance: [], gaps: [] };
}

/** Writes the files and maps them. */
export async function run(
  files: Readonly<Record<string, unknown>>,
  paths: readonly string[] = [''],
  map = contents,
): Promise<{ orders: OrderOutcome[]; files: FileOutcome[] }> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const found = { orders: [] as OrderOutcome[], files: [] as FileOutcome[] };
  const inputs = await listInputs(paths.map((path) => join(folder, path)));
  for await (const event of mapInputs({
    inputs,
    map: (charts) => charts.map(map),
    roles: mappings.roles,
    site: { country: 'USA' },
    now: new Date('2026-11-21T12:00:00'),
    stdin: nothing(),
  })) {
    if (event.kind === 'order') found.orders.push(event.outcome);
    if (event.kind === 'file') found.files.push({ ...event.outcome, file: relative(folder, event.outcome.file) });
  }
  return found;
}

export async function* nothing(): AsyncGenerator<Buffer> {}

export const patient = (id: string, more: object = {}) => ({
  resourceType: 'Patient',
  id,
  name: [{ family: 'Invented', given: ['Person'] }],
  ...more,
});
export const order = (id: string, subject: string, more: object = {}) => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  subject: { reference: subject },
  medicationCodeableConcept: { text: 'examplumab 40 MG Injection' },
  ...more,
});
export const coverage = (id: string, beneficiary: string) => ({
  resourceType: 'Coverage',
  id,
  status: 'active',
  beneficiary: { reference: beneficiary },
  payor: [{ display: 'Example Plan' }],
});
export const bundle = (type: string, ...resources: readonly object[]) => ({
  resourceType: 'Bundle',
  type,
  entry: resources.map((resource) => ({ resource })),
});
export const lines = (...resources: readonly object[]) =>
  `${resources.map((resource) => JSON.stringify(resource)).join('\n')}\n`;

/** Each order with what became of it. */
export function summary(orders: readonly OrderOutcome[]): string[] {
  return orders.map(
    (outcome) =>
      `${outcome.order} ` +
      `${outcome.state}${'reason' in outcome ? `: ${outcome.reason.replaceAll(`${folder}/`, '')}` : ''}`,
  );
}

export function bodies(orders: readonly OrderOutcome[]): unknown[] {
  return orders.map((outcome) =>
    'result' in outcome && outcome.result.status === 'complete' ? outcome.result.body : undefined,
  );
}
