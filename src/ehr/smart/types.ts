import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import type { Clock, Log } from '../../base/log.ts';
import type { Config, Site } from '../../config/config.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import type { LaunchContext, LaunchStore } from './store.ts';

/** The shared dependencies of all files in smart/; created once by `createSmart`. */
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

/** The dependencies of calls to an EHR outside of any launch: by the bridge itself, or to inspect the EHR's setup. */
export type SiteParts = Omit<Parts, 'store'>;

/** Query parameters as the web server parsed them; their types are not checked yet. */
export type Query = Readonly<Record<string, unknown>>;

/** An open SMART launch, made by `completeLaunch` and `open`; no request keeps it after its own end. */
export interface Launch extends LaunchContext {
  readonly id: string;
  readonly site: Site;
  /** The registered FHIR base address. */
  readonly iss: string;
  /** ISO 8601 */
  readonly createdAt: string;
  /** When the session ends even if it is in use; ISO 8601. */
  readonly endsAt: string;
}

/** A signed-in member of staff: from a launch in a chart, or without one. */
export interface StaffSession {
  /** The id of the launch. */
  readonly id: string;
  readonly site: Site;
  /** A Practitioner or PractitionerRole of the site's EHR. */
  readonly fhirUser: string;
  readonly userName?: string;
  /** The id of the patient whose chart the launch has open. */
  readonly patient?: string;
  readonly endsAt: string;
}

/** Access with a token that may deliver to a patient's chart now, or that the delivery must wait for a launch. */
export type DeliveryAccess =
  | { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' }
  | { readonly waiting: 'next-launch' };

/** The user, as far as the EHR identified them. */
export interface Identity {
  /** `Practitioner/12` */
  readonly fhirUser?: string;
  readonly userName?: string;
}

/** A site's `.well-known/smart-configuration` with absolute addresses, all at origins that the site allows. */
export interface Discovery {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly jwksUri?: string;
  readonly issuer?: string;
  readonly pkceMethods: readonly string[];
  readonly capabilities: readonly string[];
  /** `scopes_supported`, which may omit scopes that the EHR grants. */
  readonly scopes: readonly string[];
  /** Whether the EHR promises `iss` in each sign-in answer (RFC 9207 3); an answer without it is then refused. */
  readonly namesIssuer: boolean;
}

export const algs = ['ES384', 'RS384'] as const;
export type SigningAlg = (typeof algs)[number];

/**
 * The bridge's signing keys. The first key of an algorithm signs; all are published, new ones before their first use.
 */
export interface Keyring {
  /** The private JWK with `alg` and `kid`; throws config_invalid when there is none. */
  privateJwk(alg: SigningAlg): JWK & { readonly alg: SigningAlg; readonly kid: string };
  signingKey(alg: SigningAlg): Promise<{ readonly key: CryptoKey; readonly kid: string }>;
  publicJwks(): JSONWebKeySet;
}

/** The turn of a chart with large documents: such charts are read one after the other. */
export interface Turn {
  /** Resolves to true at its turn, or to false when waiting for it took too long. */
  take(): Promise<boolean>;
}

/** Limits of every request to an EHR. */
export interface Limits {
  /** Milliseconds for one request, including its body. */
  readonly timeoutMs: number;
  /** Milliseconds for one read with all its retries. */
  readonly deadlineMs: number;
  /** Milliseconds before the first retry; doubles, with jitter. */
  readonly backoffMs: number;
  readonly attempts: number;
  /** Bytes of a FHIR answer after decompression. */
  readonly bodyBytes: number;
  /** Bytes of all answers with documents while one chart is read. */
  readonly documentsBytes: number;
  /** Above this number of bytes of answers that may contain documents, reading of a chart continues at its turn. */
  readonly turnBytes: number;
  /** Bytes of a discovery, token or JWKS answer. */
  readonly documentBytes: number;
  /** Bytes of a file outside of the EHR. */
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
