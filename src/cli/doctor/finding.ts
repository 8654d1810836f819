import { asBridgeError, type BridgeError, type ErrorCode, errors } from '../../core/errors.ts';

/**
 * `ok`: as expected; `note`: works, but worth knowing; `problem`: something is missing, wrong or refused; `no-answer`:
 * could not be checked, because no answer came.
 */
export type Level = 'ok' | 'note' | 'problem' | 'no-answer';

/**
 * The result of one check. From the EHR's and the service's texts it quotes only codes, scopes, addresses and the token
 * endpoint's reason for a refusal.
 */
export interface DoctorFinding {
  readonly level: Level;
  readonly text: string;
  readonly next?: string;
  /** The check is not possible from this machine, so nothing is known about it. */
  readonly untried?: true;
}

export const ok = (text: string): DoctorFinding => ({ level: 'ok', text });
export const note = (text: string, next?: string): DoctorFinding => finding('note', text, next);
export const untried = (text: string, next?: string): DoctorFinding => ({ ...note(text, next), untried: true });
export const problemFinding = (text: string, next?: string): DoctorFinding => finding('problem', text, next);

function finding(level: Level, text: string, next: string | undefined): DoctorFinding {
  return { level, text, ...(next === undefined ? {} : { next }) };
}

/**
 * A failure described for a site's engineer. `nexts` replaces the error table's advice, which is meant for clinic
 * staff.
 */
export function failed(thrown: unknown, nexts: Partial<Record<ErrorCode, string>> = {}): DoctorFinding {
  const error = asBridgeError(thrown);
  const { check, problems, site: _, ...facts } = error.facts;
  const next = Array.isArray(check) ? `Check that ${check.join(', and that ')}.` : (nexts[error.code] ?? error.next);
  const stated = Object.entries(facts).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  );
  const all = Array.isArray(problems) ? [...problems, ...stated] : stated;
  const { title } = errors[error.code];
  const text = all.length === 0 ? title : `${title.replace(/\.$/, '')} (${all.join('; ')}).`;
  return finding(isUnanswered(error) ? 'no-answer' : 'problem', text, next);
}

const unanswered: ReadonlySet<ErrorCode> = new Set(['ehr_unreachable', 'service_unreachable']);
const perhaps: ReadonlySet<ErrorCode> = new Set(['discovery_failed', 'token_failed']);

function isUnanswered({ code, facts }: BridgeError): boolean {
  if (unanswered.has(code)) return true;
  const isDown = typeof facts.http === 'number' && facts.http >= 500;
  const isSilent = facts.http === undefined && facts.error === undefined;
  return perhaps.has(code) && (isDown || (code === 'token_failed' ? isSilent : isSilent && facts.reason === undefined));
}
