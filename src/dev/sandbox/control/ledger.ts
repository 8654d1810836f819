import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../base/log.ts';

/** One event, in the order in which it happened. `seq` counts from 1 without a gap. */
export interface SandboxEvent {
  readonly seq: number;
  /** ISO 8601, by the machine's clock. */
  readonly at: string;
  readonly kind: string;
  readonly [fact: string]: unknown;
}

/** The kinds of events of a sandbox: when each is added, and with which facts. The docs are generated from it. */
export type LedgerKinds = Readonly<Record<string, { readonly meaning: string; readonly facts: string }>>;

export interface Ledger<Kind extends string = string> {
  /** Writes the event before the answer of its request is sent. */
  add(kind: Kind, facts: Readonly<Record<string, unknown>>): void;
  /** Entries after this `seq`, oldest first. */
  after(seq: number, limit: number): readonly SandboxEvent[];
  count(): number;
  close(): void;
}

/**
 * A ledger in memory, and in a file of JSON lines if it has a name. Each line is written before anything else happens,
 * so that it survives the process; entries of an earlier process are read at the start.
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

// A line that a crash truncated is completed and skipped.
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
        return line === '' ? [] : [JSON.parse(line) as SandboxEvent]; // the file is the sandbox's own
      } catch {
        return [];
      }
    });
}
