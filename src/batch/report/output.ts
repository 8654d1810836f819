import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeAll, writeWhole } from '../../base/writing.ts';
import { BridgeError } from '../../core/errors.ts';
import { readHead } from '../files.ts';
import { type Layout, type LineFile, lineFiles } from './mapped-part.ts';
import { type Checkpoint, checkpointAt, recordedDigests } from './run-record.ts';

const runFolder = '.run';
const digestFile = 'digests.txt';
const ours = new Set([
  ...lineFiles,
  ...lineFiles.map((name) => `${name}.ndjson`),
  'report.json',
  digestFile,
  runFolder,
]);

export function recordPath(folder: string): string {
  return join(folder, runFolder, 'record.db');
}

/** Returns the path of the digests of a completed run. Throws `output_unusable` for any other folder. */
export function digestsOf(folder: string): string {
  const path = join(folder, digestFile);
  if (existsSync(path)) return path;
  throw unusable(folder, `It holds no ${digestFile} of a run that came to its end. Name the folder that --out named.`);
}

/** Returns the checkpoint of a stopped run in a folder; undefined if there is none. */
export function stoppedRun(folder: string): Checkpoint | undefined {
  return checkpointAt(recordPath(folder));
}

/** Completes a run. Its digests are kept for `--changed-since`. */
export async function endRun(folder: string): Promise<void> {
  const record = recordPath(folder);
  writeAll(join(folder, digestFile), recordedDigests(record));
  await rm(record); // until then, the run can be resumed
  await rm(join(folder, runFolder), { recursive: true, force: true });
}

export interface OutputOptions extends Pick<Layout, 'format' | 'sources'> {
  readonly overwrite: boolean;
  readonly resume: boolean;
}

/**
 * Prepares the output folder. It has patient data, so only its owner can read it. A folder with other content is
 * refused. An earlier run's output is replaced only with `overwrite`, so that its requests are never taken for those of
 * this run. A stopped run continues only with `resume`. Throws `output_unusable`.
 */
export async function prepareOutput(folder: string, options: OutputOptions): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    const names = await readdir(folder);
    if (names.length > 0) checkEarlier(folder, names, options);
    const isGoingOn = options.resume && stoppedRun(folder) !== undefined;
    if (!isGoingOn) for (const name of ours) await rm(join(folder, name), { recursive: true, force: true });
    const folders = options.format === 'files' ? lineFilesOf(options) : [];
    for (const name of [...folders, runFolder]) await mkdir(join(folder, name), { mode: 0o700, recursive: true });
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    throw unusable(folder, 'The output folder cannot be written. Name another one with --out.', cause);
  }
}

function checkEarlier(folder: string, names: readonly string[], options: OutputOptions): void {
  if (!isOurs(folder, names))
    throw unusable(folder, 'The output folder holds other files. Name an empty or new folder with --out.');
  // A run that stopped before its first checkpoint starts again.
  const isStopped = existsSync(recordPath(folder)) || (names.includes(runFolder) && !names.includes(digestFile));
  if (options.resume && !isStopped)
    throw unusable(folder, 'The output folder holds no run that was stopped. Leave out --resume.');
  if (options.overwrite || options.resume) return;
  throw unusable(
    folder,
    isStopped
      ? 'The output folder holds a run that was stopped. Add --resume to go on with it, or --overwrite to begin again.'
      : 'The output folder holds an earlier run. Name another folder with --out, or add --overwrite to replace it.',
  );
}

/** A stopped run has no report, or a truncated one, and no files but those of a run. */
function isOurs(folder: string, names: readonly string[]): boolean {
  if (names.some((name) => !ours.has(name))) return false;
  if (!names.includes('report.json') || names.includes(runFolder)) return true;
  const [head = ''] = readHead(join(folder, 'report.json')).toString().split('\n', 1);
  return head.includes('"totals"');
}

function lineFilesOf({ sources }: Pick<Layout, 'sources'>): readonly LineFile[] {
  return lineFiles.filter((name) => name !== 'sources' || sources);
}

function unusable(folder: string, next: string, cause?: unknown): BridgeError {
  return new BridgeError('output_unusable', { folder }, cause === undefined ? { next } : { cause, next });
}

/** The files to which a run appends line by line. Only their owner can read them. */
export class LineFiles {
  private readonly files: readonly { readonly name: LineFile; readonly file: number; length: number }[];

  constructor({ folder, ...layout }: Layout, before: Checkpoint | undefined) {
    const names = folder === undefined || layout.format === 'files' ? [] : lineFilesOf(layout);
    this.files = names.map((name) => {
      const length = before?.lengths[name] ?? 0;
      return { name, file: openAt(join(folder ?? '', `${name}.ndjson`), length), length };
    });
  }

  append(texts: Readonly<Record<LineFile, string>>): void {
    for (const file of this.files) {
      const bytes = Buffer.from(texts[file.name]);
      writeWhole(file.file, bytes);
      file.length += bytes.length;
    }
  }

  /** Flushes everything to the disk; returns the lengths of the files. */
  sync(): Checkpoint['lengths'] {
    for (const { file } of this.files) fdatasyncSync(file);
    return Object.fromEntries(this.files.map(({ name, length }) => [name, length]));
  }

  close(): void {
    for (const { file } of this.files) closeSync(file);
  }
}

/** Opens a file and cuts it off after its first `length` bytes. */
function openAt(path: string, length: number): number {
  const file = openSync(path, 'a+', 0o600);
  if (fstatSync(file).size < length) throw unusable(path, 'A file of the stopped run is cut off. Add --overwrite.');
  ftruncateSync(file, length);
  return file;
}

/** Deletes the files of an order, if the order has files of its own. */
export function removeWritten(folder: string | undefined, written: string | undefined): void {
  if (folder === undefined || written === undefined || written.endsWith('.ndjson')) return;
  rmSync(join(folder, written), { force: true });
  rmSync(join(folder, 'sources', written.split('/').at(-1) ?? ''), { force: true });
}
