import type { NamedTask } from './fhir-context.ts';

/**
 * The store of launches. Records are plain JSON objects; a durable store seals them (they contain tokens, patient ids
 * and user names) and keeps only `id`, `stateHash`, `consumedAt` and `dueAt` readable for its lookups.
 */
export interface LaunchStore {
  get(id: string): Promise<LaunchRecord | undefined>;
  /** The existing records with these ids, in one query. */
  some(ids: readonly string[]): Promise<readonly LaunchRecord[]>;
  /** Inserts or replaces by `id`; resolves once it is durable. */
  put(record: LaunchRecord): Promise<void>;
  byState(stateHash: string): Promise<LaunchRecord | undefined>;
  /**
   * Marks the state as used (sets `consumedAt`). Returns true for exactly one caller, even when several processes call
   * it at once; false when it was used before or is unknown.
   */
  consume(stateHash: string, at: string): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Every record whose `dueAt` is at or before `now` (ISO 8601, UTC); smart/ then ends or deletes each. */
  due(now: string): Promise<readonly LaunchRecord[]>;
  /** Launches of a patient (`Patient/123`) at a site, in any phase. */
  ofPatient(site: string, patient: string): Promise<readonly LaunchRecord[]>;
  /**
   * Runs `work` exclusively for `key`, also across processes that share the store. `work` itself uses the store, so it
   * must not run inside a transaction.
   */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * One launch from the first request of the EHR to its end. All times are ISO 8601 in UTC (`toISOString`), so that they
 * can be compared as text.
 */
export interface LaunchRecord {
  /** 32 base64url characters; the only identifier of a launch in URLs. */
  readonly id: string;
  /** `Site.id` */
  readonly site: string;
  /** SHA-256 of the OAuth `state`, base64url. */
  readonly stateHash: string;
  /** SHA-256 of the id that the browser stores for this launch, base64url. */
  readonly sessionHash: string;
  /** Set once by `LaunchStore.consume`. */
  readonly consumedAt?: string;
  /**
   * `started`: during the EHR's sign-in; `open`: signed in; `ended`: the session is over, but an offline token may
   * remain for write-back.
   */
  readonly phase: 'started' | 'open' | 'ended';
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** The time from which `Smart.purge` processes the record: it ends an idle session, or deletes an ended one. */
  readonly dueAt: string;
  /** Only while `started`. */
  readonly authorization?: AuthorizationState;
  readonly tokens?: Tokens;
  /** Absent while `started`, and for a sign-in without a chart. */
  readonly context?: LaunchContext;
  /** In place of `context`: a member of staff who signed in without a chart. There is no token then. */
  readonly staff?: { readonly fhirUser: string; readonly userName?: string };
}

/** The parts of the authorization request that the callback needs. */
export interface AuthorizationState {
  /** The `launch` parameter of the EHR, to restart the launch in its own window; absent for a standalone launch. */
  readonly launch?: string;
  /** The target of a standalone launch: the worklist, without a chart, or a chart that is picked at the EHR. */
  readonly standalone?: 'worklist' | 'chart';
  /** The case to which the person wants to return. */
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
  /** The time from which the access token is no longer used. */
  readonly accessExpiresAt: string;
  readonly refreshToken?: string;
  readonly refreshedAt?: string;
}

/** The checked context values of this launch. */
export interface LaunchContext {
  /** Patient id, without `Patient/`. */
  readonly patient: string;
  /** Encounter id, without `Encounter/`. */
  readonly encounter?: string;
  /** `Practitioner/12`, relative to the FHIR base. */
  readonly fhirUser?: string;
  readonly userName?: string;
  /** `MedicationRequest/9` of `fhirContext`; their patient is checked when they are read. */
  readonly orders: readonly string[];
  /** Tasks of `fhirContext`; their patient is checked when their case is looked up. Absent when there are none. */
  readonly tasks?: readonly NamedTask[];
  readonly needPatientBanner: boolean;
  readonly intent?: string;
  /** As granted. */
  readonly scopes: readonly string[];
}
