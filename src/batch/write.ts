import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../errors.ts';
import { makeFolder } from './folder.ts';
import type { OrderOutcome } from './outcome.ts';
import type { Report } from './report.ts';

/** Where the files of a run go. They hold patient data: only their owner can read them. */
export interface OutputFolder {
  /**
   * Writes the files of one order; the path of its request or draft below the folder, or undefined when there is
   * nothing to write.
   */
  order(outcome: OrderOutcome): Promise<string | undefined>;
  report(report: Report): Promise<void>;
}

const parts = ['requests', 'drafts', 'sources'] as const;
const reportName = 'report.json';

/**
 * `requests/` holds bodies that can be sent as they are, `drafts/` those with gaps and the gaps, `sources/` where each
 * value came from, `report.json` the account. A folder with other content is refused; an earlier run's output is
 * replaced only with `overwrite`, so that a request of an earlier run is never taken for one of this run.
 */
export async function openOutput(
  folder: string,
  { overwrite }: { readonly overwrite: boolean },
): Promise<OutputFolder> {
  await prepare(folder, overwrite);
  const save = (path: string, value: unknown) =>
    writeFile(join(folder, path), `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  return {
    async order(outcome) {
      if (!('result' in outcome)) return undefined;
      const { result, order, patient, choices, warnings } = outcome;
      const name = `${nameOf(outcome)}.json`;
      const path = result.status === 'complete' ? `requests/${name}` : `drafts/${name}`;
      await save(
        path,
        result.status === 'complete' ? result.body : { order, patient, gaps: result.gaps, draft: result.draft },
      );
      await save(`sources/${name}`, {
        order,
        patient,
        provenance: result.provenance,
        ...(result.status === 'complete' ? { gaps: result.gaps } : {}),
        choices,
        warnings,
      });
      return path;
    },
    report: (report) => save(reportName, report),
  };
}

async function prepare(folder: string, overwrite: boolean): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    const names = await readdir(folder);
    if (names.length > 0 && !(await isOurs(folder, names))) {
      throw new BridgeError(
        'output_unusable',
        { folder },
        { next: 'The output folder holds other files. Name an empty or new folder with --out.' },
      );
    }
    if (names.length > 0 && !overwrite) {
      throw new BridgeError(
        'output_unusable',
        { folder },
        {
          next:
            'The output folder holds an earlier run. Name another folder with --out, or add --overwrite to ' +
            'replace it.',
        },
      );
    }
    for (const part of [...parts, reportName]) await rm(join(folder, part), { recursive: true, force: true });
    for (const part of parts) await mkdir(join(folder, part), { mode: 0o700 });
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    throw new BridgeError(
      'output_unusable',
      { folder },
      { cause, next: 'The output folder cannot be written. Name another one with --out.' },
    );
  }
}

/** An earlier run that was stopped has no report yet, but only our folders. */
async function isOurs(folder: string, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => name !== reportName && !(parts as readonly string[]).includes(name))) return false;
  if (!names.includes(reportName)) return true;
  const report: unknown = JSON.parse(await readFile(join(folder, reportName), 'utf8'));
  return typeof report === 'object' && report !== null && 'totals' in report;
}

/** The order's id, and a few characters of where it stood: ids repeat between exports. */
function nameOf({ order, patient, place }: OrderOutcome): string {
  const id = (order.split(/[/:]/).at(-1) ?? order).replaceAll(/[^A-Za-z0-9.-]/g, '').slice(0, 64);
  return `${id}-${createHash('sha256')
    .update(JSON.stringify([place.file, order, patient]))
    .digest('hex')
    .slice(0, 8)}`;
}
