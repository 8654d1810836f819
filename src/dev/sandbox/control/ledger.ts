import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../base/log.ts';

/** An event. `seq` counts from 1 without gaps, in the order in which events happened. */
export interface SandboxEvent {
  readonly seq: number;
  /** ISO 8601, by the machine's clock. */
  readonly at: string;
  readonly kind: string;
  readonly [fact: string]: unknown;
}

/** The kinds of events of a sandbox: when each is added, and its facts. The documentation is generated from this. */
export type LedgerKinds = Readonly<Record<string, { readonly meaning: string; readonly facts: string }>>;

export interface Ledger<Kind extends string = string> {
  /** Writes the event. Called before the request is answered. */
  add(kind: Kind, facts: Readonly<Record<string, unknown>>): void;
  /** Returns entries after this `seq`, oldest first. */
  after(seq: number, limit: number): readonly SandboxEvent[];
  count(): number;
  close(): void;
}

/**
 * Opens a ledger in memory, and in a file of JSON lines if `file` is given. Each line is written before anything else
 * happens, so that it survives a crash. Entries of an earlier process are read first.
 */
export function openLedger<Kinds extends LedgerKinds>(
  _kinds: Kinds,
  file: string | undefined,
  clock: Clock,
): Ledger<keyof Kinds & string> {
  const entries: SandboxEvent[] = file === undefined ? [] : readEntries(file);
  const descriptor = file === undefined ? undefined : openToAppend(file);
  return {
    add(kind, facts) {
      const entry = { seq: entries.length + 1, at: clock().toISOString(), kind, ...facts };
      entries.push(entry);
      if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    },
    after: (seq, limit) => entries.slice(seq, seq + limit),
    count: () => entries.length,
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

// If a crash cut off the last line, that line is ended, and skipped when the file is read.
function openToAppend(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const isCut = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'));
  const descriptor = openSync(file, 'a', 0o600);
  if (isCut) writeSync(descriptor, '\n');
  return descriptor;
}

function readEntries(file: string): SandboxEvent[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as SandboxEvent]; // the sandbox itself wrote the file
      } catch {
        return [];
      }
    });
}
