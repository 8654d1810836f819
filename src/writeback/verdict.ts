import { asBridgeError, type BridgeError, type ErrorCode, errors } from '../errors.ts';

/**
 * What follows from a failed write. `pass`: this EHR does not take this type, the next rung is tried; `fail`: a person
 * must
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
  client_refused: 'retry',
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
  /** For the ledger and staff: our words with HTTP status and scope, never a text of the EHR. */
  readonly reason: string;
  /** true when this EHR should not be asked again for the type. */
  readonly lasting: boolean;
}

/** Never throws; what is no BridgeError is a mistake of ours and fails. */
export function judge(thrown: unknown): Judgement {
  const error = asBridgeError(thrown);
  const http = typeof error.facts.http === 'number' ? error.facts.http : undefined;
  const answered = error.code === 'ehr_write_refused' || error.code === 'ehr_error';
  const unsupported = answered && http !== undefined && notOffered.has(http);
  return {
    verdict: unsupported ? 'pass' : verdictOf(error.code, http),
    reason: reasonOf(error, http),
    lasting: unsupported,
  };
}

// What the EHR does not understand today it will not understand tomorrow; a timeout and a full queue pass.
function verdictOf(code: ErrorCode, http: number | undefined): Verdict {
  const final = code === 'ehr_error' && http !== undefined && http >= 400 && http < 500 && http !== 408 && http !== 429;
  return final ? 'fail' : (verdicts[code] ?? 'fail');
}

function reasonOf(error: BridgeError, http: number | undefined): string {
  const more = [
    ...(http === undefined ? [] : [`HTTP ${http}`]),
    ...(typeof error.facts.scope === 'string' ? [`scope ${error.facts.scope}`] : []),
  ];
  return `${errors[error.code].title.replace(/\.$/, '')}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}
