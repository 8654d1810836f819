import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface LargeBundle {
  /** Bytes of the file, at the least. */
  readonly size: number;
  /** An empty folder. */
  readonly folder: string;
}

export interface LargeBundleFound {
  readonly bytes: number;
  /** Of `map --fast`: exit code, orders that became a draft, and peak memory in MiB. */
  readonly fast: { readonly code: number | null; readonly drafts: number; readonly peak: number };
  /** What `map` without it printed. */
  readonly refused: string;
}

const command = join(import.meta.dirname, '../../../bin/prior-auth-bridge.cjs');

/** One Bundle with the chart of one patient among claims that nobody reads, mapped with `--fast` and without. */
export function mapLargeBundle({ size, folder }: LargeBundle): LargeBundleFound {
  const path = join(folder, 'large.json');
  writeLarge(path, size);
  const out = join(folder, 'out');
  const fast = map(path, ['--out', out, '--format', 'ndjson', '--fast']);
  const drafts = readFileSync(join(out, 'drafts.ndjson'), 'utf8').split('\n').length - 1;
  const peak = Math.round(Number(fast.stderr.trim().split('\n').at(-1)) / 1024);
  const { stdout: refused } = map(path, ['--out', join(folder, 'none')]);
  return { bytes: statSync(path).size, fast: { code: fast.code, drafts, peak }, refused };
}

function map(path: string, options: readonly string[]) {
  const args = ['-q', '-f', '%M', process.execPath, command, 'map', path, ...options, '--now', '2026-11-21'];
  const { status, stdout, stderr } = spawnSync('time', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return { code: status, stdout, stderr };
}

function writeLarge(path: string, size: number): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const file = openSync(path, 'w');
  const subject = { reference: 'Patient/p1' };
  const chart = [
    { resourceType: 'Patient', id: 'p1', name: [{ family: 'Invented', given: ['Person'] }] },
    {
      resourceType: 'MedicationRequest',
      id: 'm1',
      status: 'active',
      intent: 'order',
      subject,
      medicationCodeableConcept: { text: 'examplumab 40 MG Injection' },
    },
  ];
  const text = (resource: object) => JSON.stringify({ resource });
  writeSync(file, `{"resourceType":"Bundle","type":"collection","entry":[${chart.map(text).join(',')}`);
  const claim = (id: number) => ({ resourceType: 'Claim', id: `c${id}`, patient: subject, item: [{ text: 'é{"[' }] });
  for (let [at, written] = [0, 0]; written < size; at += 1000) {
    const claims = Array.from({ length: 1000 }, (_, index) => `,${text(claim(at + index))}`).join('');
    written += writeSync(file, claims);
  }
  writeSync(file, ']}');
  closeSync(file);
}
