import { type CaseFacts, fingerprint, outcomeOf, progressOf } from '../case-facts.ts';
import type { DeliveryRequest } from '../delivery.ts';
import type { LedgerEntry } from '../ledger.ts';
import { common, type Identified, namespace, one, whole } from './common.ts';
import type { TaskShape } from './shapes.ts';

/** The Task as it should stand now. Throws `mapping_invalid` when the mapping gives no whole Task. */
export function taskOf(request: DeliveryRequest, rows: readonly LedgerEntry[]): Identified<TaskShape> {
  const { facts } = request;
  const roots = {
    ...common(request),
    progress: one(progressRoot(request)),
    outcome: one(outcomeOf(facts)),
    output: { nodes: outputsOf(facts, rows).map((value) => ({ value })) },
  };
  return {
    resource: whole(request.mappings.task, roots),
    identifier: { system: namespace(request, 'case'), value: facts.id },
  };
}

/** Names what the Task says; the same name is not written twice. */
export function taskVersion(facts: CaseFacts, rows: readonly LedgerEntry[]): string {
  return fingerprint({ progress: progressOf(facts), serviceId: facts.serviceId, outputs: outputsOf(facts, rows) });
}

function progressRoot(request: DeliveryRequest): unknown {
  const progress = progressOf(request.facts);
  return { ...progress, coding: { system: namespace(request, 'status'), code: progress.code } };
}

interface Output {
  readonly type: string;
  readonly text?: string;
  readonly string?: string;
  readonly date?: string;
  readonly reference?: string;
}

function outputsOf(facts: CaseFacts, rows: readonly LedgerEntry[]): Output[] {
  const outcome = outcomeOf(facts);
  if (outcome === undefined) return [];
  const written = (what: LedgerEntry['what']) =>
    rows.findLast((row) => row.what === what && row.state === 'done')?.reference;
  const outputs: (Output | undefined)[] = [
    { type: 'Outcome', text: outcome.label },
    outcome.detailCode === undefined ? undefined : { type: 'Reason code', string: outcome.detailCode },
    dated('Authorized from', outcome.authorizationStart),
    dated('Authorized until', outcome.authorizationExpiration),
    { type: 'Next step', string: outcome.next },
    referring('Letter', written('document') ?? written('communication')),
    referring('Letter of the payer', written('determination')),
  ];
  return outputs.filter((output) => output !== undefined);
}

// A date of the service that is no calendar date is said as it stands.
function dated(type: string, date: string | undefined): Output | undefined {
  if (date === undefined) return undefined;
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(date) ? { type, date } : { type, string: date };
}

function referring(type: string, reference: string | undefined): Output | undefined {
  return reference === undefined ? undefined : { type, reference };
}
