import type { CapabilityStatement, Resource } from 'fhir/r4.js';

/**
 * The interface of an EHR's FHIR server for the rest of the bridge; ehr/smart/ implements it. Every method throws only
 * BridgeErrors.
 */
export interface FhirApi {
  /** The registered FHIR base address, without a trailing slash. */
  readonly base: string;
  /** Granted scopes as the EHR named them. */
  readonly scopes: readonly string[];
  /** What the warning codes of a search mean in this EHR product, as far as that is known. */
  readonly notes?: Readonly<Record<string, string>>;
  /** The resource, or undefined on 404 and 410. */
  read<T extends Resource>(type: T['resourceType'], id: string): Promise<T | undefined>;
  /** `read`, with the ETag that ties a change to the version that was read. */
  readVersion<T extends Resource>(type: T['resourceType'], id: string): Promise<VersionRead<T> | undefined>;
  /** All pages up to a cap (or up to `pages`, when given); OperationOutcome entries are removed and counted. */
  search(
    type: string,
    params: readonly (readonly [string, string])[],
    options?: { readonly pages?: number },
  ): Promise<SearchAnswer>;
  /**
   * Sends one batch Bundle of GETs and returns the responses in the same order. A failed entry has only its status
   * number.
   */
  batch(urls: readonly string[]): Promise<readonly (Resource | { readonly status: number })[]>;
  create(resource: Resource, options?: { readonly ifNoneExist?: string }): Promise<WriteResult>;
  /** A 409 or 412 throws `ehr_conflict`. */
  update(resource: Resource & { id: string }, condition?: ChangeCondition): Promise<WriteResult>;
  /** JSON Patch (RFC 6902) of a resource, passed as it was read. A 409 or 412 throws `ehr_conflict`. */
  patch(
    resource: Resource & { id: string },
    operations: readonly PatchOperation[],
    condition?: ChangeCondition,
  ): Promise<WriteResult>;
  /** Removes a resource, passed as it was read. */
  delete(resource: Resource & { id: string }): Promise<void>;
  capabilities(): Promise<CapabilityStatement>;
  /**
   * Reads a file that the EHR keeps outside of its FHIR server (a signed `Attachment.url`), without a token, from the
   * origins that the site allows. Absent if outside files are not read.
   */
  outsideFile?(address: string): Promise<OutsideFile>;
}

export type OutsideFile =
  | { readonly bytes: Uint8Array; readonly contentType: string }
  | {
      /** `origin`: the site does not allow this origin. `address`: it is not a public https address. */
      readonly refused: 'origin' | 'address' | 'status' | 'no-answer' | 'too-large';
      readonly origin: string;
      readonly http?: number;
    };

/** A resource as it was read, and the ETag of that response, unchanged; absent where the response had none. */
export interface VersionRead<T extends Resource> {
  readonly resource: T;
  readonly etag?: string;
}

/**
 * The condition of a change. `ifMatch` is the header as sent. With `anyVersion` the change is unconditional, even if
 * the EHR normally gets the resource's time in If-Unmodified-Since.
 */
export interface ChangeCondition {
  readonly ifMatch?: string;
  readonly anyVersion?: true;
}

export interface SearchAnswer {
  readonly resources: readonly Resource[];
  /** true when the EHR has more results than were read. */
  readonly truncated: boolean;
  /** Codes of OperationOutcome entries; a code that reports the failure of the search is thrown as `ehr_error`. */
  readonly warnings: readonly string[];
  /** The EHR's texts for these codes; they may quote the chart. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The number of entries that could not be read. */
  readonly unread?: number;
  /** true when the next page has an address outside of the FHIR server; that page was not requested. */
  readonly isOutside?: boolean;
}

/** https://www.rfc-editor.org/rfc/rfc6902; `path` is a JSON Pointer. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A write that the EHR accepted. The response may have been a 201 without a body. */
export interface WriteResult {
  /** Absent when the EHR stored the resource and did not return its id. */
  readonly id?: string;
  readonly versionId?: string;
  /** true when a conditional create found an existing resource. */
  readonly existed: boolean;
}
