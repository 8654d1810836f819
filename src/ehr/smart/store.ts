import type { NamedTask } from './fhir-context.ts';

/**
 * The store of launches. Records are plain JSON objects. A durable store seals them, since they contain tokens, patient
 * ids and user names. Only `id`, `stateHash`, `consumedAt` and `dueAt` stay readable, for lookups.
 */
export interface LaunchStore {
  get(id: string): Promise<LaunchRecord | undefined>;
  /** Returns the records that exist, in one query. */
  some(ids: readonly string[]): Promise<readonly LaunchRecord[]>;
  /** Inserts or replaces by `id`. Resolves once the record is durable. */
  put(record: LaunchRecord): Promise<void>;
  byState(stateHash: string): Promise<LaunchRecord | undefined>;
  /**
   * Marks the state as used (sets `consumedAt`). Returns true for exactly one caller, even if several processes call it
   * at once; false if it was used before or is unknown.
   */
  consume(stateHash: string, at: string): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Returns every record whose `dueAt` is at or before `now` (ISO 8601, UTC). The caller ends or deletes each. */
  due(now: string): Promise<readonly LaunchRecord[]>;
  /** Returns the launches of a patient (`Patient/123`) at a site, in any phase. */
  ofPatient(site: string, patient: string): Promise<readonly LaunchRecord[]>;
  /**
   * Runs `work` exclusively for `key`, across all processes that share the store. `work` uses the store, so it must not
   * run inside a transaction.
   */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * One launch, from the EHR's first request to its end. All times are ISO 8601 in UTC (`toISOString`), so that they can
 * be compared as text.
 */
export interface LaunchRecord {
  /** 32 base64url characters; the only identifier of a launch in URLs. */
  readonly id: string;
  readonly site: string;
  /** SHA-256 of the OAuth `state` in base64url. */
  readonly stateHash: string;
  /** SHA-256 of this launch's session id, which only the browser has, in base64url. */
  readonly sessionHash: string;
  /** Set once, by `LaunchStore.consume`. */
  readonly consumedAt?: string;
  /**
   * `started`: the user is signing in at the EHR; `open`: signed in; `ended`: the session is over, but an offline token
   * may remain for write-back.
   */
  readonly phase: 'started' | 'open' | 'ended';
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** When `Smart.purge` must process the record: it ends an idle session, or deletes an ended one. */
  readonly dueAt: string;
  /** Only while `started`. */
  readonly authorization?: AuthorizationState;
  readonly tokens?: Tokens;
  /** Absent while `started`, and for a sign-in without a chart. */
  readonly context?: LaunchContext;
  /** A member of staff who signed in without a chart. `context` and tokens are then absent. */
  readonly staff?: { readonly fhirUser: string; readonly userName?: string };
}

/** The parts of the authorization request that the callback needs. */
export interface AuthorizationState {
  /**
   * The EHR's `launch` parameter, with which the launch can restart in another window; absent for a standalone launch.
   */
  readonly launch?: string;
  /** What a standalone launch opens: the worklist, or the chart of a patient picked at the EHR. */
  readonly standalone?: 'worklist' | 'chart';
  /** The case to which the person wants to return. */
  readonly back?: string;
  readonly redirectUri: string;
  readonly tokenUri: string;
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  readonly nonce?: string;
  /** When the sign-in began, the EHR promised `iss` in its response (RFC 9207). */
  readonly namesIssuer?: true;
  readonly scope: string;
}

export interface Tokens {
  /** Absent if the session has ended and only an offline refresh token is kept. */
  readonly accessToken?: string;
  /** The time after which the access token is not used any more. */
  readonly accessExpiresAt: string;
  readonly refreshToken?: string;
  readonly refreshedAt?: string;
}

export interface LaunchContext {
  /** Patient id, without `Patient/`. */
  readonly patient: string;
  /** Encounter id, without `Encounter/`. */
  readonly encounter?: string;
  /** `Practitioner/12`, relative to the FHIR base. */
  readonly fhirUser?: string;
  readonly userName?: string;
  /** `MedicationRequest/9` of `fhirContext`. Their patient is checked when they are read. */
  readonly orders: readonly string[];
  /** Tasks of `fhirContext`. Their patient is checked when their case is looked up. Absent if there are none. */
  readonly tasks?: readonly NamedTask[];
  readonly needPatientBanner: boolean;
  readonly intent?: string;
  /** The granted scopes. */
  readonly scopes: readonly string[];
}
