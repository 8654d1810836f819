import type { MapEvent } from './map.ts';
import type { FileOutcome, OrderOutcome, OrderState } from './outcome.ts';

/** One line of the report per order: references, reasons and names of fields; never a value from the chart. */
export interface OrderLine {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
  readonly order: string;
  readonly patient?: string;
  readonly state: OrderState;
  readonly reason?: string;
  /** Fields that block sending, and those that are only worth a look. */
  readonly missing?: readonly string[];
  readonly advice?: readonly string[];
  /** Below the output folder, when files were written. */
  readonly written?: string;
}

/** The account of a run: every file given and every order in them has its line. */
export interface Report {
  readonly mapping: string;
  readonly now: string;
  readonly totals: { readonly files: number; readonly patients: number; readonly orders: number } & Readonly<
    Record<OrderState, number>
  > & { readonly unreadable: number };
  /** Blocking gaps by field, most frequent first. */
  readonly missing: readonly { readonly field: string; readonly orders: number }[];
  readonly notCandidates: readonly { readonly reason: string; readonly orders: number }[];
  readonly orders: readonly OrderLine[];
  readonly files: readonly FileOutcome[];
}

export interface Reporter {
  add(event: MapEvent, written?: string): void;
  report(): Report;
}

export function createReporter(about: { readonly mapping: string; readonly now: Date }): Reporter {
  const orders: OrderLine[] = [];
  const files: FileOutcome[] = [];
  let patients = 0;
  return {
    add: (event, written) => {
      if (event.kind === 'order') orders.push(lineOf(event.outcome, written));
      else if (event.kind === 'file') files.push(event.outcome);
      else patients += event.count;
    },
    report: () => ({
      mapping: about.mapping,
      now: about.now.toISOString(),
      totals: {
        files: files.length,
        patients,
        orders: orders.length,
        ...countStates(orders),
        unreadable: files.filter((file) => file.state === 'unreadable' || file.state === 'partly').length,
      },
      missing: tally(orders.flatMap((order) => [...new Set(order.missing ?? [])])).map(([field, number]) => ({
        field,
        orders: number,
      })),
      notCandidates: tally(
        orders.flatMap((order) => (order.state === 'not_candidate' ? [order.reason ?? ''] : [])),
      ).map(([reason, number]) => ({ reason, orders: number })),
      orders,
      files,
    }),
  };
}

function lineOf(outcome: OrderOutcome, written: string | undefined): OrderLine {
  const { place, order, patient, state } = outcome;
  const line = { ...place, order, ...(patient === undefined ? {} : { patient }), state };
  if (!('result' in outcome)) return { ...line, reason: outcome.reason };
  const fields = (severity: 'blocks' | 'warns') =>
    outcome.result.gaps.filter((gap) => gap.severity === severity).map((gap) => fieldOf(gap.target));
  return { ...line, missing: fields('blocks'), advice: fields('warns'), ...(written === undefined ? {} : { written }) };
}

/** `diagnoses[0].code` counts as `diagnoses.code`. */
function fieldOf(target: string): string {
  return target.replaceAll(/\[\d+\]/g, '');
}

function countStates(orders: readonly OrderLine[]): Record<OrderState, number> {
  const counts: Record<OrderState, number> = {
    ready: 0,
    needs_information: 0,
    not_candidate: 0,
    duplicate: 0,
    cannot_map: 0,
  };
  for (const order of orders) counts[order.state] += 1;
  return counts;
}

function tally(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** One sentence per file, as the summary and the report print it. */
export function fileLine(file: FileOutcome): string {
  return `${file.file}: ${file.note}`;
}
