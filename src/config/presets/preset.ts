import type { WriteChannel } from '../write-channels.ts';

/** The known properties of one EHR product. docs/sites/ehrs.md states the source of every fact. */
export interface Preset {
  readonly id: string;
  /** The product name that its users know; also the name of a site that states none. */
  readonly name: string;
  readonly signIn: {
    /** Methods of client authentication, the usual one first. */
    readonly auth: readonly ('public' | 'client_secret' | 'private_key_jwt')[];
    /** Signature algorithms that it accepts for client authentication, the usual one first. */
    readonly algs: readonly ('ES384' | 'RS384')[];
    /** The scopes for which it issues refresh tokens; the first is requested. */
    readonly refresh: readonly ('online_access' | 'offline_access')[];
    /** Origins of its sign-in service that differ from the one of `iss`. */
    readonly origins: readonly string[];
  };
  readonly scopes: {
    /** The scope styles that it knows (`v1`: `.read`, `v2`: `.rs`), the requested style first. */
    readonly styles: readonly ('v1' | 'v2')[];
    /** Whether `patient/*.rs` is granted. */
    readonly wildcards: boolean;
    /** Scopes requested besides those that fill a request, in v2 style. */
    readonly also: readonly string[];
  };
  readonly search: {
    /** The parameter for the page size. */
    readonly count: '_count' | '_maxresults';
    /** Resource types that could fill a request and that this EHR does not have. */
    readonly without: readonly string[];
    /**
     * The meaning of OperationOutcomes in its search results, by code; empty if it only says that nothing was found.
     */
    readonly notes: Readonly<Record<string, string>>;
    /** Whether a search by identifier finds resources that the bridge wrote. False if the EHR drops identifiers. */
    readonly byIdentifier: boolean;
  };
  /** The interactions that an app may use for each type that the bridge writes, in SMART v2 letters; empty for none. */
  readonly may: Readonly<Record<'Task' | 'DocumentReference' | 'Communication' | 'Provenance', string>>;
  /** The channels for writing, best first. */
  readonly channels: readonly WriteChannel[];
  readonly updates: {
    /** The header that states the version on which an update is based. */
    readonly precondition: 'If-Match' | 'If-Unmodified-Since';
    /** Elements that the EHR appends again when they are sent again. */
    readonly appends: readonly string[];
  };
  /** The form in which it accepts resources; absent if it accepts FHIR R4 as the bridge writes it. */
  readonly takes?: Takes;
  /** A 429 without Retry-After means that it refuses requests until the next full minute. */
  readonly refusesUntilNextMinute: boolean;
}

export interface Takes {
  readonly task: {
    readonly intent: 'unknown';
    /** The replacement for each status of the bridge that it does not know. */
    readonly statuses: Readonly<Record<string, 'requested' | 'completed' | 'cancelled'>>;
    /** Elements that it keeps; the content of other elements goes into the description. */
    readonly only: readonly string[];
  };
  readonly document: {
    readonly only: readonly string[];
    readonly category: { readonly system: string; readonly code: string };
    /** The type and the only title that it accepts for the document. */
    readonly type: { readonly code: string; readonly title: string };
    /** Base URL of the extensions that a create requires: clinical date, reviewer, requires-signature, our title. */
    readonly extensions: string;
  };
}
