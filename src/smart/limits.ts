/** Bounds of every request to an EHR. */
export interface Limits {
  /** Milliseconds for one request, its body included. */
  readonly timeoutMs: number;
  /** Milliseconds for one read with all its repeats. */
  readonly deadlineMs: number;
  /** Milliseconds before the first repeat; doubles, with jitter. */
  readonly backoffMs: number;
  readonly attempts: number;
  /** Bytes of a FHIR answer after decompression. */
  readonly bodyBytes: number;
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
  documentBytes: 512 * 1024,
  fileBytes: 10 * 1024 * 1024,
  pages: 20,
  resources: 2_000,
});
