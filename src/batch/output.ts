import { closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BridgeError } from '../core/errors.ts';
import { fileLines } from './file-lines.ts';
import { makeFolder } from './folder.ts';
import { type Layout, lineFiles } from './layout.ts';
import type { TextPieces } from './text-pieces.ts';
import { writeWhole } from './write-whole.ts';

/** How far a run came: what is before this in its files is whole. */
export interface Checkpoint {
  readonly fingerprint: string;
  /** The time that the run judges by. */
  readonly now: string;
  readonly folder: number;
  readonly part: number;
  readonly lengths: Readonly<Record<string, number>>;
}

const runFolder = '.run';
const statePath = (folder: string) => join(folder, runFolder, 'state.json');
const digestFile = 'digests.txt';
const ours = new Set([
  ...lineFiles,
  ...lineFiles.map((name) => `${name}.ndjson`),
  'report.json',
  digestFile,
  runFolder,
]);

/** A run that came to its end, and the digests of what it made. */
export interface EarlierRun {
  /** As the command line named it. */
  readonly folder: string;
  readonly path: string;
}

/** Throws `output_unusable` for a folder that is not the output of a run that came to its end. */
export function earlierRun(folder: string): EarlierRun {
  const path = join(folder, digestFile);
  if (existsSync(path)) return { folder, path };
  throw unusable(folder, `It holds no ${digestFile} of a run that came to its end. Name the folder that --out named.`);
}

/** What a run that was stopped left in a folder; undefined where there is none. */
export function stoppedRun(folder: string): Checkpoint | undefined {
  // written by an earlier run of this command
  return existsSync(statePath(folder))
    ? (JSON.parse(readFileSync(statePath(folder), 'utf8')) as Checkpoint)
    : undefined;
}

/** A file that only grows. Only its owner can read it. */
export class GrowingFile {
  private readonly file: number;
  length: number;

  constructor(
    readonly path: string,
    length = 0,
  ) {
    this.file = openSync(path, 'a+', 0o600);
    if (fstatSync(this.file).size < length)
      throw unusable(path, 'A file of the stopped run is cut off. Add --overwrite.');
    ftruncateSync(this.file, length);
    this.length = length;
  }

  append(text: string): void {
    if (text !== '') this.appendBytes(Buffer.from(text));
  }

  appendBytes(bytes: Uint8Array): void {
    writeWhole(this.file, bytes);
    this.length += bytes.length;
  }

  /** Resolves when everything that was appended until now is on the disk. */
  sync(): Promise<void> {
    return syncData(this.file);
  }

  close(): void {
    closeSync(this.file);
  }
}

const syncData = promisify(fdatasync);

/** The file holds the old text or the new one, whatever happens. */
async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

export interface OutputOptions extends Pick<Layout, 'format' | 'sources'> {
  readonly overwrite: boolean;
  readonly resume: boolean;
}

/**
 * Makes the folder ready. It holds patient data: only its owner can read it. A folder with other content is refused; an
 * earlier run's output is replaced only with `overwrite`, so that a request of an earlier run is never taken for one of
 * this run, and a run that was stopped goes on only with `resume`. Throws `output_unusable`.
 */
export async function prepareOutput(folder: string, options: OutputOptions): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    const names = await readdir(folder);
    if (names.length > 0) await checkEarlier(folder, names, options);
    const isGoingOn = options.resume && existsSync(statePath(folder));
    if (!isGoingOn) for (const name of ours) await rm(join(folder, name), { recursive: true, force: true });
    const folders = options.format === 'files' ? lineFiles.filter((name) => name !== 'sources' || options.sources) : [];
    for (const name of [...folders, runFolder]) await mkdir(join(folder, name), { mode: 0o700, recursive: true });
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    throw unusable(folder, 'The output folder cannot be written. Name another one with --out.', cause);
  }
}

async function checkEarlier(folder: string, names: readonly string[], options: OutputOptions): Promise<void> {
  if (!(await isOurs(folder, names)))
    throw unusable(folder, 'The output folder holds other files. Name an empty or new folder with --out.');
  // One that was stopped before it could keep how far it came begins again.
  const isStopped = existsSync(statePath(folder)) || (names.includes(runFolder) && !names.includes(digestFile));
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

function unusable(folder: string, next: string, cause?: unknown): BridgeError {
  return new BridgeError('output_unusable', { folder }, cause === undefined ? { next } : { cause, next });
}

/** An earlier run that was stopped has no report yet, or one that is cut off, but only our folders. */
async function isOurs(folder: string, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => !ours.has(name))) return false;
  if (!names.includes('report.json') || names.includes(runFolder)) return true;
  const [head = ''] = fileLines(join(folder, 'report.json')).take(1);
  return head.includes('"totals"');
}

/** The files that a run writes line by line, and how far it came. */
export class RunFiles {
  readonly files: ReadonlyMap<string, GrowingFile>;
  private readonly lines: readonly string[];
  private next: Checkpoint | undefined;
  private saving: Promise<void> | undefined;
  private failure: unknown;
  private readonly closing = new AbortController();

  constructor(
    private readonly folder: string,
    { format, sources }: Pick<Layout, 'format' | 'sources'>,
    before: Checkpoint | undefined,
  ) {
    this.lines = format === 'ndjson' ? lineFiles.filter((name) => name !== 'sources' || sources) : [];
    const paths = [
      ...this.lines.map((name) => [name, `${name}.ndjson`]),
      ...kept.map((name) => [name, join(runFolder, name)]),
    ];
    this.files = new Map(
      paths.map(([name = '', path = '']) => [name, new GrowingFile(join(folder, path), before?.lengths[name] ?? 0)]),
    );
  }

  file(name: (typeof kept)[number]): GrowingFile {
    const file = this.files.get(name);
    if (file === undefined) throw new RangeError('every run keeps these');
    return file;
  }

  append(output: Readonly<Record<string, TextPieces>>): void {
    for (const name of this.lines) for (const bytes of output[name] ?? []) this.files.get(name)?.appendBytes(bytes);
  }

  /** What was written so far is whole. It is put on the disk beside the work; throws what went wrong there before. */
  checkpoint(state: Omit<Checkpoint, 'lengths'>): void {
    if (this.failure !== undefined) throw this.failure;
    const lengths = Object.fromEntries([...this.files].map(([name, { length }]) => [name, length]));
    this.next = { ...state, lengths };
    this.saving ??= this.save();
  }

  private async save(): Promise<void> {
    try {
      for (let state = this.takeNext(); state !== undefined; state = this.takeNext()) {
        await Promise.all([...this.files.values()].map((file) => file.sync()));
        await replaceFile(statePath(this.folder), JSON.stringify(state));
        await this.pause();
      }
    } catch (error) {
      this.failure = error;
    } finally {
      this.saving = undefined;
    }
  }

  // Putting every part on the disk by itself takes a twentieth of a run; a stop costs no more than this much work.
  private async pause(): Promise<void> {
    // rejects when the files are closed
    await wait(betweenSaves, undefined, { signal: this.closing.signal }).catch(() => {});
  }

  private takeNext(): Checkpoint | undefined {
    const { next } = this;
    this.next = undefined;
    return next;
  }

  /** Rejects when what was written did not reach the disk. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.saving;
    for (const file of this.files.values()) file.close();
    if (this.failure !== undefined) throw this.failure;
  }

  /** Ends a run that came to its end. Its digests stay for `--changed-since`. */
  async end(): Promise<void> {
    // A copy: until the run is no longer one that was stopped, it can be gone on with.
    await copyFile(this.file('digests').path, join(this.folder, digestFile));
    await rm(statePath(this.folder), { force: true });
    await rm(join(this.folder, runFolder), { recursive: true, force: true });
  }
}

/** Milliseconds. */
const betweenSaves = 250;
const kept = ['orders', 'digests', 'notes'] as const;
