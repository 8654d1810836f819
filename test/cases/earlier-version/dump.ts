import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A data folder of an earlier version as text: every row as that version stored it, sealed with a key made for tests.
 */
export interface Dump {
  /** The build that stored it. */
  readonly build: string;
  /** When the process that stored it ended, ISO 8601. */
  readonly at: string;
  /** Opens what is sealed. Made for this folder, used nowhere else. */
  readonly key: string;
  /** Address of the EHR that the launches came from. */
  readonly iss: string;
  /** The tables were brought up to the last of these. */
  readonly migrations: readonly string[];
  readonly tables: { readonly [Name in Stored]: readonly Row[] };
  /** Jobs that were waiting. */
  readonly jobs: readonly { readonly queue: string; readonly data: Readonly<Record<string, unknown>> }[];
  /** Cases by what they stand for. */
  readonly cases: Readonly<Record<string, string>>;
  /** A launch that was open, with the cookie of the browser that owns it, by its patient's story. */
  readonly sessions: Readonly<Record<string, { readonly launch: string; readonly cookie: string }>>;
}

/** A row by its columns, as that version's tables had them. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** In the order in which they can be filled. */
export const storedTables = ['cases', 'files', 'webhooks', 'launches', 'allowances'] as const;
export type Stored = (typeof storedTables)[number];

/** The folder of an earlier version under fixtures/, by its build: `ca2e819`. */
export function readDump(build: string, file = 'store.json'): Dump {
  const path = join(import.meta.dirname, '..', '..', '..', 'fixtures', `data-folder-${build}`, file);
  // The file is of our own making; see its README.
  return JSON.parse(readFileSync(path, 'utf8')) as Dump;
}
