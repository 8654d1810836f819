import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import type { Clock, Log } from '../../base/log.ts';
import type { Config, Site } from '../../config/config.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import type { LaunchContext, LaunchStore } from './store.ts';

/** What all of smart/ shares; created once by `createSmart`. */
export interface Parts {
  readonly config: Config;
  readonly store: LaunchStore;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: (bytes: number) => Uint8Array;
  readonly log: Log;
  readonly limits: Limits;
  readonly keys: Keyring;
  readonly discover: (site: Site) => Promise<Discovery>;
}

/** What calls to an EHR outside any launch need. */
export type SiteParts = Omit<Parts, 'store'>;

/** Query parameters as the web server parsed them. Their types are unchecked. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * An open SMART launch, as `completeLaunch` and `open` return it. A request uses it only while it runs, since the
 * launch may end at any time.
 */
export interface Launch extends LaunchContext {
  readonly id: string;
  readonly site: Site;
  /** The registered FHIR base URL. */
  readonly iss: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When the session ends even if it is in use; ISO 8601. */
  readonly endsAt: string;
}

/** A signed-in member of staff, with or without a chart. */
export interface StaffSession {
  /** The id of the launch. */
  readonly id: string;
  readonly site: Site;
  /** A Practitioner or PractitionerRole of the site's EHR. */
  readonly fhirUser: string;
  readonly userName?: string;
  /** The id of the patient whose chart is open. */
  readonly patient?: string;
  readonly endsAt: string;
}

/**
 * Access with a token that may deliver to a patient's chart now, or `waiting` if the delivery must wait for the next
 * launch.
 */
export type DeliveryAccess =
  | { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' }
  | { readonly waiting: 'next-launch' };

/** The user, as far as the EHR identifies the user. */
export interface Identity {
  /** Relative to the FHIR base: `Practitioner/12`. */
  readonly fhirUser?: string;
  readonly userName?: string;
}

/** A site's `.well-known/smart-configuration` with absolute URLs, all at origins that the site allows. */
export interface Discovery {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly jwksUri?: string;
  readonly issuer?: string;
  readonly pkceMethods: readonly string[];
  readonly capabilities: readonly string[];
  /** `scopes_supported`, which may lack scopes that the EHR grants. */
  readonly scopes: readonly string[];
  /**
   * Whether the EHR promises `iss` in each authorization response (RFC 9207 3). A response without it is then refused.
   */
  readonly namesIssuer: boolean;
}

export const algs = ['ES384', 'RS384'] as const;
export type SigningAlg = (typeof algs)[number];

/**
 * The bridge's signing keys. The first key of an algorithm signs. All are published, so that new keys are known before
 * their first use.
 */
export interface Keyring {
  /** Returns the private JWK with `alg` and `kid`. Throws config_invalid if there is none. */
  privateJwk(alg: SigningAlg): JWK & { readonly alg: SigningAlg; readonly kid: string };
  signingKey(alg: SigningAlg): Promise<{ readonly key: CryptoKey; readonly kid: string }>;
  publicJwks(): JSONWebKeySet;
}

/** Charts with large documents are read one after another. This waits for the turn of a chart. */
export interface Turn {
  /** Resolves to true when it is this chart's turn, or to false if that takes too long. */
  take(): Promise<boolean>;
}

export interface Limits {
  /** Milliseconds for one request, including the response body. */
  readonly timeoutMs: number;
  /** Milliseconds for one read, including all retries. */
  readonly deadlineMs: number;
  /** Milliseconds before the first retry. The wait doubles with each retry, with jitter. */
  readonly backoffMs: number;
  readonly attempts: number;
  /** Bytes of one FHIR response after decompression. */
  readonly bodyBytes: number;
  /** Bytes of all responses with documents while one chart is read. */
  readonly documentsBytes: number;
  /** When responses that may contain documents exceed this number of bytes, the chart waits for its turn. */
  readonly turnBytes: number;
  /** Bytes of a discovery, token or JWKS response. */
  readonly documentBytes: number;
  /** Bytes of a file outside the EHR. */
  readonly fileBytes: number;
  readonly pages: number;
  readonly resources: number;
}

export const defaultLimits: Limits = Object.freeze({
  timeoutMs: 15_000,
  deadlineMs: 45_000,
  backoffMs: 500,
  attempts: 3,
  bodyBytes: 20 * 1024 * 1024,
  documentsBytes: 32 * 1024 * 1024,
  turnBytes: 4 * 1024 * 1024,
  documentBytes: 512 * 1024,
  fileBytes: 10 * 1024 * 1024,
  pages: 20,
  resources: 2_000,
});
