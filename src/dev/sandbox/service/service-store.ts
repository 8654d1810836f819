import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { BridgeError } from '../../../core/errors.ts';
import type { StoredBenefit } from './benefits/benefit-record.ts';
import type { StoredEnrollment, StoredPriorAuthorization } from './stored-record.ts';

/** The sandbox's state, in memory and, if a file is named, in one JSON file. */
export interface SandboxStore {
  readonly priorAuthorizations: Map<string, StoredPriorAuthorization>;
  readonly enrollments: Map<string, StoredEnrollment>;
  readonly benefits: Map<string, StoredBenefit>;
  /** The key that signs links to files. */
  readonly key: Buffer;
  /** Milliseconds by which the sandbox's time is ahead of the clock. */
  ahead: number;
  /** Resolves once all changes so far are in the file. */
  save(): Promise<void>;
}

// The sandbox wrote the file itself, so only its outline is checked.
const Snapshot = z.object({
  version: z.literal(1),
  key: z.string(),
  ahead: z.number(),
  priorAuthorizations: z.array(
    z.custom<StoredPriorAuthorization>(
      (value) => typeof value === 'object' && value !== null && 'id' in value && 'path' in value,
    ),
  ),
  enrollments: z.array(
    z.custom<StoredEnrollment>((value) => typeof value === 'object' && value !== null && 'id' in value),
  ),
  benefits: z.array(z.custom<StoredBenefit>((value) => typeof value === 'object' && value !== null && 'rule' in value)),
});

/** Opens the file; without a file, starts empty. Throws `input_unreadable` if the sandbox did not write the file. */
export async function openServiceStore(dataFile: string | undefined): Promise<SandboxStore> {
  const found = dataFile === undefined ? undefined : await readSnapshot(dataFile);
  const store: SandboxStore = {
    priorAuthorizations: new Map(found?.priorAuthorizations.map((record) => [record.id, record])),
    enrollments: new Map(found?.enrollments.map((record) => [record.id, record])),
    benefits: new Map(found?.benefits.map((record) => [record.id, record])),
    key: found === undefined ? randomBytes(32) : Buffer.from(found.key, 'base64'),
    ahead: found?.ahead ?? 0,
    save: async () => {},
  };
  if (dataFile !== undefined) store.save = writer(dataFile, store);
  return store;
}

async function readSnapshot(dataFile: string): Promise<z.infer<typeof Snapshot> | undefined> {
  const text = await readFile(dataFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new BridgeError('input_unreadable', { file: dataFile }, { cause: error });
  });
  if (text === undefined) return undefined;
  try {
    return Snapshot.parse(JSON.parse(text));
  } catch (cause) {
    throw new BridgeError(
      'input_unreadable',
      { file: dataFile },
      { cause, next: 'Delete this data file of the sandbox, or start the sandbox with a reset.' },
    );
  }
}

/** Returns a function that writes the file, one write at a time. Calls while a write waits share that write. */
function writer(dataFile: string, store: SandboxStore): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const write = async () => {
    waiting = undefined;
    const { key, ahead, priorAuthorizations, enrollments, benefits } = store;
    const snapshot = {
      version: 1,
      key: key.toString('base64'),
      ahead,
      priorAuthorizations: [...priorAuthorizations.values()],
      enrollments: [...enrollments.values()],
      benefits: [...benefits.values()],
    };
    await mkdir(dirname(dataFile), { recursive: true });
    await writeFile(`${dataFile}.tmp`, JSON.stringify(snapshot), { mode: 0o600 });
    await rename(`${dataFile}.tmp`, dataFile);
  };
  return () => {
    if (waiting === undefined) {
      waiting = last.then(write, write);
      last = waiting;
    }
    return waiting;
  };
}
