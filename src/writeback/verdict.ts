import { asBridgeError, type BridgeError, type ErrorCode } from '../errors.ts';

/**
 * What follows from a failed write. `pass`: this EHR does not take this type, the next rung is tried; `fail`: a person must
 * look; `wait`: the next launch brings a token; `retry`: later, by itself.
 */
export type Verdict = 'pass' | 'fail' | 'wait' | 'retry';

const verdicts: Partial<Record<ErrorCode, Verdict>> = {
  ehr_forbidden: 'pass',
  ehr_write_refused: 'fail',
  patient_mismatch: 'fail',
  mapping_invalid: 'fail',
  relaunch_required: 'wait',
  launch_not_found: 'wait',
  ehr_denied: 'wait',
  token_failed: 'retry',
  ehr_unreachable: 'retry',
  ehr_error: 'retry',
  ehr_conflict: 'retry',
  ehr_write_unclear: 'retry',
  ehr_not_fhir: 'retry',
  discovery_failed: 'retry',
  store_unavailable: 'retry',
};

// The EHR knows the type but not this interaction, whatever its CapabilityStatement says.
const notOffered = new Set([404, 405, 501]);

export interface Judgement {
  readonly verdict: Verdict;
  /** For the ledger and staff: code and HTTP status, never a text of the EHR. */
  readonly reason: string;
  /** true when this EHR should not be asked again for the type. */
  readonly lasting: boolean;
}

/** Never throws; what is no BridgeError is a mistake of ours and fails. */
export function judge(thrown: unknown): Judgement {
  const error = asBridgeError(thrown);
  const http = typeof error.facts.http === 'number' ? error.facts.http : undefined;
  const unsupported = error.code === 'ehr_write_refused' && http !== undefined && notOffered.has(http);
  return { verdict: unsupported ? 'pass' : (verdicts[error.code] ?? 'fail'), reason: reasonOf(error, http), lasting: unsupported };
}

function reasonOf(error: BridgeError, http: number | undefined): string {
  const scope = typeof error.facts.scope === 'string' ? `, scope ${error.facts.scope}` : '';
  return `${error.code}${http === undefined ? '' : ` (HTTP ${http})`}${scope}`;
}
