import type { NamedTask } from './fhir-context.ts';

/**
 * Where launches live. Records are plain JSON objects; a durable store seals them (tokens, patient ids and user names
 * stand inside)
 * and keeps only `id`, `stateHash`, `consumedAt` and `dueAt` readable for its lookups.
 */
export interface LaunchStore {
  get(id: string): Promise<LaunchRecord | undefined>;
  /** Those that there are of these ids, in one question to the store. */
  some(ids: readonly string[]): Promise<readonly LaunchRecord[]>;
  /** Inserts or replaces by `id`; resolves once it is durable. */
  put(record: LaunchRecord): Promise<void>;
  byState(stateHash: string): Promise<LaunchRecord | undefined>;
  /**
   * Marks the state as used (sets `consumedAt`). true for exactly one caller, also when several processes ask at once;
   * false when it was used before or is unknown.
   */
  consume(stateHash: string, at: string): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Every record whose `dueAt` is at or before `now` (ISO 8601, UTC); smart/ then ends or deletes each. */
  due(now: string): Promise<readonly LaunchRecord[]>;
  /** Launches of a patient (`Patient/123`) at a site, whatever their phase. */
  ofPatient(site: string, patient: string): Promise<readonly LaunchRecord[]>;
  /**
   * Runs `work` alone for `key`, also across processes that share the store. `work` itself uses the store: it must not
   * run inside a transaction.
   */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * One launch from the first request of the EHR to its end. All times are ISO 8601 in UTC (`toISOString`), so that they
 * compare as text.
 */
export interface LaunchRecord {
  /** 32 base64url characters; the only name of a launch in addresses. */
  readonly id: string;
  /** `Site.id` */
  readonly site: string;
  /** SHA-256 of the OAuth `state`, base64url. */
  readonly stateHash: string;
  /** SHA-256 of the id that the browser keeps for this launch, base64url. */
  readonly sessionHash: string;
  /** Set once by `LaunchStore.consume`. */
  readonly consumedAt?: string;
  /**
   * `started`: on the way through the EHR's sign-in; `open`: signed in; `ended`: the session is over, an offline token
   * may remain for write-back.
   */
  readonly phase: 'started' | 'open' | 'ended';
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** From when on `Smart.purge` looks at the record: to end an idle session, or to delete what is over. */
  readonly dueAt: string;
  /** Only while `started`. */
  readonly authorization?: AuthorizationState;
  readonly tokens?: Tokens;
  /** Absent while `started`, and where nobody's chart was opened. */
  readonly context?: LaunchContext;
  /** Instead of `context`: a member of staff who signed in without a chart. There is no token then. */
  readonly staff?: { readonly fhirUser: string; readonly userName?: string };
}

/** What the callback needs of the authorization request. */
export interface AuthorizationState {
  /** The `launch` parameter of the EHR, to start once more in a window of its own; absent for a standalone launch. */
  readonly launch?: string;
  /** Of a standalone launch: to the worklist, without a chart, or to a chart that is picked at the EHR. */
  readonly standalone?: 'worklist' | 'chart';
  /** The case to which a person wants to come back. */
  readonly back?: string;
  readonly redirectUri: string;
  readonly tokenUri: string;
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly nonce?: string;
  /** The EHR promised `iss` in its answer (RFC 9207) when the sign-in began. */
  readonly namesIssuer?: true;
  readonly scope: string;
}

export interface Tokens {
  /** Absent when the session ended and only an offline refresh token is kept. */
  readonly accessToken?: string;
  /** When the access token is no longer used. */
  readonly accessExpiresAt: string;
  readonly refreshToken?: string;
  readonly refreshedAt?: string;
}

/** What the EHR said about this launch, checked. */
export interface LaunchContext {
  /** Patient id, without `Patient/`. */
  readonly patient: string;
  /** Encounter id, without `Encounter/`. */
  readonly encounter?: string;
  /** `Practitioner/12`, relative to the FHIR base. */
  readonly fhirUser?: string;
  readonly userName?: string;
  /** `MedicationRequest/9` of `fhirContext`; whose they are is checked when they are read. */
  readonly orders: readonly string[];
  /** Tasks of `fhirContext`; whose they are is checked when their case is looked for. Absent when none was named. */
  readonly tasks?: readonly NamedTask[];
  readonly needPatientBanner: boolean;
  readonly intent?: string;
  /** As granted. */
  readonly scopes: readonly string[];
}
