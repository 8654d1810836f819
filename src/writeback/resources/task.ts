import type { Task } from 'fhir/r4.js';
import { presetOf } from '../../config/presets/presets.ts';
import { renewalWindow } from '../../config/renewal-window.ts';
import type { Root } from '../../core/mapping/input.ts';
import { type CaseFacts, caseOutcome, fingerprint, letterVersion, progressOf } from '../case-facts.ts';
import type { DeliveryRequest } from '../delivery.ts';
import type { LedgerEntry } from '../ledger.ts';
import {
  type CaseRoot,
  caseRoot,
  commonRoots,
  type Identified,
  type Identifier,
  identifierOf,
  namespace,
  one,
  whole,
} from './common.ts';
import { requestedOf } from './requested.ts';
import { taskTaken } from './takes.ts';

/** Builds the current Task. Throws `mapping_invalid` if the mapping gives an incomplete Task. */
export function taskOf(request: DeliveryRequest, rows: readonly LedgerEntry[]): Identified<Task> {
  return taken(request, identifierOf(request, 'task', ''), rootsOf(request, rows));
}

function taken(request: DeliveryRequest, identifier: Identifier, roots: Record<string, Root>): Identified<Task> {
  const takes = presetOf(request.site)?.takes?.task;
  return { resource: taskTaken(whole(request.mappings.task, roots), identifier, takes), identifier };
}

/**
 * Builds a second Task that states the end of the request, for an EHR that does not let the bridge update `old`. The
 * second Task refers to `old`.
 */
export function closingTaskOf(
  request: DeliveryRequest,
  rows: readonly LedgerEntry[],
  old: string,
): Identified<Task> & { readonly version: string } {
  const version = closingVersion(request.facts);
  const identifier = identifierOf(request, 'closing-task', version);
  const { description, identifier: known } = caseRoot(request);
  const roots = rootsOf(request, rows, {
    identifier: [identifier, ...known.filter(({ system }) => system !== namespace(request, 'case'))],
    description: `${description}. Replaces ${old}, which this EHR does not let the bridge update.`,
    partOf: old,
  });
  return { version, ...taken(request, identifier, roots) };
}

/** A hash of the Task's content. The same content is not written twice. */
export function taskVersion(facts: CaseFacts, rows: readonly LedgerEntry[]): string {
  return fingerprint({ progress: progressOf(facts), serviceId: facts.serviceId, outputs: outputsOf(facts, rows) });
}

/** A hash of the end that a closing Task states. A later letter does not change it, so it makes no other Task. */
export function closingVersion(facts: CaseFacts): string {
  return fingerprint(progressOf(facts));
}

function rootsOf(
  request: DeliveryRequest,
  rows: readonly LedgerEntry[],
  changes: Partial<CaseRoot> = {},
): Record<string, Root> {
  return {
    ...commonRoots(request, changes),
    progress: one(progressRoot(request)),
    outcome: one(caseOutcome(request.facts)),
    output: { nodes: [...outputsOf(request.facts, rows), ...renewalOf(request)].map((value) => ({ value })) },
  };
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

/** The outputs that the bridge gives a Task. An output that is no longer true is removed. */
export const outputTypes = {
  outcome: 'Outcome',
  code: 'Reason code',
  otherwise: 'Approved, not as ordered',
  from: 'Authorized from',
  until: 'Authorized until',
  renewal: 'Renewal can be sent from',
  next: 'Next step',
  letter: 'Letter',
  payerLetter: 'Letter of the payer',
} as const;

function outputsOf(facts: CaseFacts, rows: readonly LedgerEntry[]): Output[] {
  const outcome = caseOutcome(facts);
  if (outcome === undefined) return [];
  const outputs: (Output | undefined)[] = [
    { type: outputTypes.outcome, text: outcome.label },
    outcome.detailCode === undefined ? undefined : { type: outputTypes.code, string: outcome.detailCode },
    ...(facts.approvedOtherwise ?? []).map((string) => ({ type: outputTypes.otherwise, string })),
    dated(outputTypes.from, outcome.authorizationStart),
    dated(outputTypes.until, outcome.authorizationExpiration),
    { type: outputTypes.next, string: outcome.next },
    ...references(outputTypes.letter, summaryOf(facts, rows)),
    ...references(
      outputTypes.payerLetter,
      rows.filter((row) => row.what === 'determination' && row.state === 'done'),
    ),
  ];
  return outputs.filter((output) => output !== undefined);
}

// Left out of the Task's version, so that a change of the site's table does not cause another write.
function renewalOf({ facts, site }: DeliveryRequest): Output[] {
  const outcome = caseOutcome(facts);
  if (outcome?.kind !== 'approved' || outcome.isGood === true) return [];
  const { payer } = requestedOf(facts);
  const date = renewalWindow(site, { payer, end: outcome.authorizationExpiration })?.from;
  return date === undefined ? [] : [{ type: outputTypes.renewal, date }];
}

// Returns the summary of the current outcome, else the last summary in the chart.
function summaryOf(facts: CaseFacts, rows: readonly LedgerEntry[]): LedgerEntry[] {
  const written = rows.filter(
    ({ what, state }) => (what === 'document' || what === 'communication') && state === 'done',
  );
  const current = written.filter(({ version }) => version === letterVersion(facts));
  return (current.length > 0 ? current : written).slice(-1);
}

// A date of the service that is not a calendar date is written as text.
function dated(type: string, date: string | undefined): Output | undefined {
  if (date === undefined) return undefined;
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(date) ? { type, date } : { type, string: date };
}

// Sorted, so that the order does not change when a row is stored again.
function references(type: string, rows: readonly LedgerEntry[]): Output[] {
  const found = rows.flatMap(({ reference }) => reference ?? []).sort();
  return found.map((reference) => ({ type, reference }));
}
