import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { StoredResources } from './fhir/ehr-store.ts';
import type { OAuthRecord } from './oauth/adapter.ts';
import type { TokenContext } from './oauth/launches.ts';

/** The sandbox EHR's state across restarts, in one JSON file. */
export interface EhrState {
  readonly stored: StoredResources;
  readonly keys: readonly JWK[];
  readonly cookieKey: string;
  readonly oauth: readonly OAuthRecord[];
  readonly contexts: readonly (readonly [string, TokenContext])[];
}

/** The state in the file; undefined when there is no file (delete it to start over). */
export function readState(file: string | undefined): EhrState | undefined {
  return file === undefined || !existsSync(file) ? undefined : JSON.parse(readFileSync(file, 'utf8'));
}

/** A new state with its own keys and no resources. */
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
  /** Writes the file shortly after, a large one less often; many changes make one write. */
  readonly changed: () => void;
  /** Writes pending changes at once. */
  flush(): void;
}

const delayMs = 300;
// Writing a large state blocks everything else, so it may take at most this share of the time.
const share = 0.05;

/**
 * Keeps `file` up to date with `take()`. The file is replaced as a whole, so that a stop in between leaves the old one.
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
