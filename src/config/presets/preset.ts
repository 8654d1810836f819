import type { WriteChannel } from '../write-channels.ts';

/** What is known of one EHR product. docs/sites/ehrs.md names the source of every fact. */
export interface Preset {
  readonly id: string;
  /** As its users call it; the name of a site that states none. */
  readonly name: string;
  readonly signIn: {
    /** How an app may prove itself, the usual way first. */
    readonly auth: readonly ('public' | 'client_secret' | 'private_key_jwt')[];
    /** Signatures of an app that it takes, the usual one first. */
    readonly algs: readonly ('ES384' | 'RS384')[];
    /** The scopes by which it gives refresh tokens; the first is asked for. */
    readonly refresh: readonly ('online_access' | 'offline_access')[];
    /** Origins of its sign-in service that differ from the one of `iss`. */
    readonly origins: readonly string[];
  };
  readonly scopes: {
    /** In which words it knows them (`v1`: `.read`, `v2`: `.rs`), the ones that are asked for first. */
    readonly styles: readonly ('v1' | 'v2')[];
    /** Whether `patient/*.rs` is granted. */
    readonly wildcards: boolean;
    /** Asked for besides what a request is filled from, in v2 words. */
    readonly also: readonly string[];
  };
  readonly search: {
    /** The parameter for the size of a page. */
    readonly count: '_count' | '_maxresults';
    /** Types that a request could be filled from and that it does not have. */
    readonly without: readonly string[];
    /** What an OperationOutcome in its answers means, by code; empty where it only says that nothing was found. */
    readonly notes: Readonly<Record<string, string>>;
    /** Whether a search by identifier finds what the bridge wrote. False where the EHR drops identifiers. */
    readonly byIdentifier: boolean;
  };
  /** What an app may do with each type that the bridge writes, in the letters of SMART v2; empty for nothing. */
  readonly may: Readonly<Record<'Task' | 'DocumentReference' | 'Communication' | 'Provenance', string>>;
  /** What is written, best first. */
  readonly channels: readonly WriteChannel[];
  readonly updates: {
    /** The header that names the version which an update was made from. */
    readonly precondition: 'If-Match' | 'If-Unmodified-Since';
    /** Elements that are added once more when they are sent once more. */
    readonly appends: readonly string[];
  };
  /** In which form it takes what is written; absent where it takes FHIR R4 as the bridge writes it. */
  readonly takes?: Takes;
  /** A 429 without Retry-After means: until the next full minute. */
  readonly refusesUntilNextMinute: boolean;
}

export interface Takes {
  readonly task: {
    readonly intent: 'unknown';
    /** What becomes of each status of the bridge that it does not know. */
    readonly statuses: Readonly<Record<string, 'requested' | 'completed' | 'cancelled'>>;
    /** Elements that it keeps; what others say goes into the description. */
    readonly only: readonly string[];
  };
  readonly document: {
    readonly only: readonly string[];
    readonly category: { readonly system: string; readonly code: string };
    /** The type and the one title that it takes for it. */
    readonly type: { readonly code: string; readonly title: string };
    /** Base of the extensions that a create must have: clinical date, reviewer, requires-signature, and our title. */
    readonly extensions: string;
  };
}
