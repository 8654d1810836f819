import { type Refusal, refusals } from '../../core/fhir/references/refusals.ts';
import type { OrderOutcome, OrderState } from './order-outcome.ts';

/** One line of the report for each order: references, reasons and names of fields, never a value of the chart. */
export interface OrderLine {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
  readonly order: string;
  readonly patient?: string;
  readonly state: OrderState;
  readonly reason?: string;
  /** `missing`: fields that block sending. `advice`: fields to check. */
  readonly missing?: readonly string[];
  readonly advice?: readonly string[];
  /** Why the chart's value of a blocking field is not sent, as a key of `refusals`. */
  readonly why?: Readonly<Record<string, Refusal>>;
  readonly written?: string;
}

export function lineOf(outcome: OrderOutcome, written?: string): OrderLine {
  const { place, order, patient, state } = outcome;
  const line = { ...place, order, ...(patient === undefined ? {} : { patient }), state };
  if (!('result' in outcome)) return { ...line, reason: outcome.reason };
  const of = (severity: 'blocks' | 'warns') => outcome.result.gaps.filter((gap) => gap.severity === severity);
  const why = of('blocks').flatMap((gap) => (gap.why === undefined ? [] : [[fieldOf(gap.target), gap.why] as const]));
  return {
    ...line,
    missing: of('blocks').map(({ target }) => fieldOf(target)),
    advice: of('warns').map(({ target }) => fieldOf(target)),
    ...(why.length === 0 ? {} : { why: Object.fromEntries(why) }),
    ...(written === undefined ? {} : { written }),
  };
}

/**
 * The fields that block sending, without repetition, with the reason why the chart's value is not sent: `provider.npi
 * (this NPI is not valid)`.
 */
export function lacking({ missing = [], why = {} }: OrderLine): string[] {
  return [...new Set(missing)].sort().map((field) => {
    const known = why[field];
    return known === undefined ? field : `${field} (${refusals[known].staff})`;
  });
}

function fieldOf(target: string): string {
  return target.replaceAll(/\[\d+\]/g, '');
}

/** An order as JSON: its place, its outcome, and the mapping's full result. */
export function orderJson(outcome: OrderOutcome): object {
  const { place, order, patient, state } = outcome;
  const head = { ...place, order, patient, state };
  if (!('result' in outcome)) return { ...head, reason: outcome.reason };
  const { result, chart } = outcome;
  return {
    ...head,
    ...(result.status === 'complete' ? { body: result.body } : { draft: result.draft }),
    gaps: result.gaps,
    provenance: result.provenance,
    choices: chart.choices,
    warnings: chart.warnings,
  };
}
