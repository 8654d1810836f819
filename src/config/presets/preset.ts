import type { WriteChannel } from '../write-channels.ts';

/** The known properties of one EHR product. docs/sites/ehrs.md states the source of every fact. */
export interface Preset {
  readonly id: string;
  /** The product name that users know. Also the name of a site that states none. */
  readonly name: string;
  readonly signIn: {
    /** Methods of client authentication, the usual one first. */
    readonly auth: readonly ('public' | 'client_secret' | 'private_key_jwt')[];
    /** Signature algorithms that the EHR accepts for client authentication, the usual one first. */
    readonly algs: readonly ('ES384' | 'RS384')[];
    /** The scopes for which the EHR issues refresh tokens. The first is requested. */
    readonly refresh: readonly ('online_access' | 'offline_access')[];
    /** Origins of the EHR's sign-in service that differ from the origin of `iss`. */
    readonly origins: readonly string[];
  };
  readonly scopes: {
    /** The scope styles that the EHR accepts (`v1`: `.read`, `v2`: `.rs`). The first is requested. */
    readonly styles: readonly ('v1' | 'v2')[];
    /** Whether `patient/*.rs` is granted. */
    readonly wildcards: boolean;
    /** Scopes, in v2 style, that are requested in addition to the scopes for filling a request. */
    readonly also: readonly string[];
  };
  readonly search: {
    /** The search parameter for the page size. */
    readonly count: '_count' | '_maxresults';
    /** The resource types, of those that fill a request, that the EHR does not have. */
    readonly without: readonly string[];
    /** What the OperationOutcomes in the EHR's search results mean, by code. Empty: only that nothing was found. */
    readonly notes: Readonly<Record<string, string>>;
    /** Whether a search by identifier finds resources that the bridge wrote. False if the EHR drops identifiers. */
    readonly byIdentifier: boolean;
  };
  /**
   * The interactions that an app may use with each type that the bridge writes, in SMART v2 letters; empty for none.
   */
  readonly may: Readonly<Record<'Task' | 'DocumentReference' | 'Communication' | 'Provenance', string>>;
  /** The channels for writing, the best first. */
  readonly channels: readonly WriteChannel[];
  readonly updates: {
    /** The header that states which version an update is based on. */
    readonly precondition: 'If-Match' | 'If-Unmodified-Since';
    /** On every update, the EHR appends the values of these elements to those that it already has. */
    readonly appends: readonly string[];
  };
  /** The form in which the EHR accepts resources; absent if it accepts FHIR R4 as the bridge writes it. */
  readonly takes?: Takes;
  /** A 429 without Retry-After means that the EHR refuses requests until the next full minute. */
  readonly refusesUntilNextMinute: boolean;
}

export interface Takes {
  readonly task: {
    readonly intent: 'unknown';
    /** Replacements for statuses of the bridge that the EHR does not know. */
    readonly statuses: Readonly<Record<string, 'requested' | 'completed' | 'cancelled'>>;
    readonly only: readonly string[];
  };
  readonly document: {
    readonly only: readonly string[];
    readonly category: { readonly system: string; readonly code: string };
    /** The type and the only title that the EHR accepts for a document. */
    readonly type: { readonly code: string; readonly title: string };
    /** Base URL of the extensions that a create requires: clinical date, reviewer, requires-signature, title. */
    readonly extensions: string;
  };
}
