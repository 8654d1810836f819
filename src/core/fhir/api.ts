import type { CapabilityStatement, Resource } from 'fhir/r4.js';

/**
 * What the rest of the bridge sees of an EHR's FHIR server; implemented in smart/. Every method throws only
 * BridgeErrors.
 */
export interface FhirApi {
  /** The registered FHIR base address, without a trailing slash. */
  readonly base: string;
  /** Granted scopes as the EHR named them. */
  readonly scopes: readonly string[];
  /** What the warnings of a search say, by code, as far as the EHR's product is known. */
  readonly notes?: Readonly<Record<string, string>>;
  /** The resource, or undefined on 404 and 410. */
  read<T extends Resource>(type: T['resourceType'], id: string): Promise<T | undefined>;
  /** `read`, with what binds a change to the version that was read. */
  readVersion<T extends Resource>(type: T['resourceType'], id: string): Promise<VersionRead<T> | undefined>;
  /** All pages up to a cap (or `pages`, when given); OperationOutcome entries are taken out and counted. */
  search(
    type: string,
    params: readonly (readonly [string, string])[],
    options?: { readonly pages?: number },
  ): Promise<SearchAnswer>;
  /** One batch Bundle of GETs; answers in order. A failed entry is its status number. */
  batch(urls: readonly string[]): Promise<readonly (Resource | { readonly status: number })[]>;
  create(resource: Resource, options?: { readonly ifNoneExist?: string }): Promise<WriteResult>;
  /** A 409 or 412 throws `ehr_conflict`. */
  update(resource: Resource & { id: string }, condition?: ChangeCondition): Promise<WriteResult>;
  /** JSON Patch (RFC 6902) of a resource, given as it was read; fails like `update`. */
  patch(
    resource: Resource & { id: string },
    operations: readonly PatchOperation[],
    condition?: ChangeCondition,
  ): Promise<WriteResult>;
  /** Removes a resource, given as it was read. */
  delete(resource: Resource & { id: string }): Promise<void>;
  capabilities(): Promise<CapabilityStatement>;
  /**
   * A file that the EHR keeps outside of its FHIR server (a signed `Attachment.url`), read without a token from the
   * origins that the site allows. Absent where nothing outside is read.
   */
  outsideFile?(address: string): Promise<OutsideFile>;
}

export type OutsideFile =
  | { readonly bytes: Uint8Array; readonly contentType: string }
  | {
      /** `origin`: the site does not allow it, or it is no public https address. */
      readonly refused: 'origin' | 'address' | 'status' | 'no-answer' | 'too-large';
      readonly origin: string;
      readonly http?: number;
    };

/** A resource as it was read, and the ETag of that answer, letter for letter; absent where none came. */
export interface VersionRead<T extends Resource> {
  readonly resource: T;
  readonly etag?: string;
}

/**
 * What a change is bound to: `ifMatch` is the header as it is sent. `anyVersion` binds it to nothing, not even to the
 * time of the resource at an EHR that is asked by If-Unmodified-Since.
 */
export interface ChangeCondition {
  readonly ifMatch?: string;
  readonly anyVersion?: true;
}

export interface SearchAnswer {
  readonly resources: readonly Resource[];
  /** true when not all that the EHR has of it was read. */
  readonly truncated: boolean;
  /** Codes of OperationOutcome entries; those that say that the search failed are thrown as `ehr_error`. */
  readonly warnings: readonly string[];
  /** What the EHR says beside these codes; it may quote the chart. */
  readonly texts?: Readonly<Record<string, string>>;
  /** How many entries could not be read. */
  readonly unread?: number;
  /** true when the next page is at an address outside of the FHIR server, which was not asked. */
  readonly isOutside?: boolean;
}

/** https://www.rfc-editor.org/rfc/rfc6902; `path` is a JSON Pointer. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A write that the EHR accepted; a 201 without a body is one. */
export interface WriteResult {
  /** Absent when the EHR stored it and did not say under which id. */
  readonly id?: string;
  readonly versionId?: string;
  /** true when a conditional create found an existing resource. */
  readonly existed: boolean;
}
