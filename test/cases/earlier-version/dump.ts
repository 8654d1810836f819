import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Insertable } from 'kysely';
import type { Job } from '../../../src/cases/jobs.ts';
import type { Database } from '../../../src/cases/schema.ts';

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
  readonly tables: { readonly [Name in Stored]: readonly Insertable<Database[Name]>[] };
  /** Jobs that were waiting. */
  readonly jobs: readonly Job[];
  /** Cases by what they stand for. */
  readonly cases: Readonly<Record<string, string>>;
  /** A launch that was open, with the cookie of the browser that owns it, by its patient's story. */
  readonly sessions: Readonly<Record<string, { readonly launch: string; readonly cookie: string }>>;
}

/** In the order in which they can be filled. */
export const storedTables = ['cases', 'files', 'webhooks', 'launches', 'allowances'] as const;
export type Stored = (typeof storedTables)[number];

/** The folder of an earlier version under fixtures/, by its build: `ca2e819`. */
export function readDump(build: string): Dump {
  const path = join(import.meta.dirname, '..', '..', '..', 'fixtures', `data-folder-${build}`, 'store.json');
  // The file is of our own making; see its README.
  return JSON.parse(readFileSync(path, 'utf8')) as Dump;
}
