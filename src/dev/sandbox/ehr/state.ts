import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { StoredResources } from './fhir/ehr-store.ts';
import type { OAuthRecord } from './oauth/adapter.ts';
import type { TokenContext } from './oauth/launches.ts';

export interface EhrState {
  readonly stored: StoredResources;
  readonly keys: readonly JWK[];
  readonly cookieKey: string;
  readonly oauth: readonly OAuthRecord[];
  readonly contexts: readonly (readonly [string, TokenContext])[];
}

/** Returns the state in the file; undefined if there is no file. Delete the file to start over. */
export function readState(file: string | undefined): EhrState | undefined {
  return file === undefined || !existsSync(file) ? undefined : JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns a state with new keys and without resources. */
export async function newState(): Promise<EhrState> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'RS256' };
  return {
    stored: { resources: [], deleted: [] },
    keys: [key],
    cookieKey: randomBytes(32).toString('base64url'),
    oauth: [],
    contexts: [],
  };
}

export interface StateFile {
  /** Writes the file soon, a large one less often. Many changes make one write. */
  readonly changed: () => void;
  flush(): void;
}

const delayMs = 300;
// The share of time that writing may take, since writing a large state blocks everything else.
const share = 0.05;

/**
 * Keeps `file` up to date with `take()`. The file is always replaced as a whole, so that an interruption leaves the
 * previous file.
 */
export function createStateFile(file: string | undefined, take: () => EhrState): StateFile {
  if (file === undefined) return { changed: () => undefined, flush: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let tookMs = 0;
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    const started = performance.now();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(take()), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    tookMs = performance.now() - started;
  };
  return {
    flush,
    changed: () => {
      timer ??= setTimeout(flush, Math.max(delayMs, tookMs / share));
    },
  };
}
