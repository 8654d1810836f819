import type { OrderOutcome } from '../../batch/report/order-outcome.ts';
import { counted } from '../../core/counted.ts';
import type { MappingResult, Provenance } from '../../core/mapping/result.ts';
import { table } from '../../core/mapping/review/markdown.ts';

/** The results of one data set: orders by state, and for every field of the request where its values come from. */
export interface Fidelity {
  readonly name: string;
  readonly orders: Readonly<Record<OrderOutcome['state'], number>>;
  readonly fields: readonly FieldFidelity[];
}

export interface FieldFidelity {
  /** Example: `diagnoses[].code`. */
  readonly field: string;
  /**
   * Number of values by source: `Patient`, `Medication in MedicationRequest`, `site`, `constant`, `proposed Condition`.
   */
  readonly from: Readonly<Record<string, number>>;
  /** Number of gaps by reason: `missing`, `uncertain`, `choice`, ... */
  readonly gaps: Readonly<Record<string, number>>;
}

export interface FidelityCounter {
  add(outcome: OrderOutcome): void;
  total(): Fidelity;
}

export function countFidelity(name: string): FidelityCounter {
  const orders: Record<OrderOutcome['state'], number> = {
    ready: 0,
    incomplete: 0,
    not_eligible: 0,
    duplicate: 0,
    left_out: 0,
    cannot_map: 0,
  };
  const fields = new Map<string, { from: Record<string, number>; gaps: Record<string, number> }>();
  const field = (target: string) => {
    const key = target.replace(/\[\d+\]/g, '[]');
    const found = fields.get(key) ?? { from: {}, gaps: {} };
    fields.set(key, found);
    return found;
  };
  return {
    add(outcome) {
      orders[outcome.state] += 1;
      if ('result' in outcome) addResult(outcome.result, field);
    },
    total: () => ({
      name,
      orders,
      fields: [...fields]
        .map(([key, counts]) => ({ field: key, ...counts }))
        .sort((left, right) => left.field.localeCompare(right.field)),
    }),
  };
}

function placeWords(kind: Provenance['kind'], resource: string): string {
  const type = resource.replace(/\/[^ ]+/g, '');
  return `${kind === 'proposed' ? 'proposed ' : ''}${type}${kind === 'derived' ? ' (derived)' : ''}`;
}

function addResult(
  result: MappingResult<unknown>,
  field: (target: string) => { from: Record<string, number>; gaps: Record<string, number> },
): void {
  for (const { target, kind, source } of result.provenance) {
    const { from } = field(target);
    const place = source === undefined ? kind : placeWords(kind, source.resource);
    from[place] = (from[place] ?? 0) + 1;
  }
  // Advice concerns a value that the chart has, so it does not count as missing data.
  for (const { target, reason } of result.gaps.filter((gap) => gap.reason !== 'advice')) {
    const { gaps } = field(target);
    gaps[reason] = (gaps[reason] ?? 0) + 1;
  }
}

/** Formats Markdown: a summary table of all sets, then a table for each set. */
export function formatFidelity(sets: readonly Fidelity[]): string {
  return [formatSummary(sets), ...sets.map(formatSet)].join('\n');
}

function formatSummary(sets: readonly Fidelity[]): string {
  const rows = sets.map(({ name, orders, fields }) => {
    const counts = [orders.ready, orders.incomplete, orders.not_eligible, orders.duplicate, orders.cannot_map];
    const values = fields.reduce((sum, { from }) => sum + total(from), 0);
    return [name, ...[...counts, values].map(String), list(mostLacked(fields))];
  });
  const head = ['set', 'ready', 'incomplete', 'not eligible', 'duplicate', 'cannot be mapped', 'values read'];
  return `${table([...head, 'most often missing or asked'], rows).join('\n')}\n`;
}

function mostLacked(fields: readonly FieldFidelity[]): Record<string, number> {
  const lacking = fields
    .map(({ field, gaps }) => [`\`${field}\``, total(gaps)] as const)
    .filter(([, count]) => count > 0);
  return Object.fromEntries(lacking.sort(([, one], [, other]) => other - one).slice(0, 3));
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function formatSet({ name, orders, fields }: Fidelity): string {
  const mapped = orders.ready + orders.incomplete;
  const head = [
    `## ${name}`,
    '',
    `${counted(mapped, 'order')} mapped (${orders.ready} ready, ${orders.incomplete} incomplete), ` +
      `${orders.not_eligible} not eligible, ${orders.duplicate} duplicate, ${orders.cannot_map} cannot be mapped.`,
    '',
  ];
  if (mapped === 0) return head.join('\n');
  const rows = fields.map(({ field, from, gaps }) => [`\`${field}\``, list(from), list(gaps)]);
  return [...head, ...table(['field', 'values from', 'gaps'], rows), ''].join('\n');
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([one, ones], [other, others]) => others - ones || one.localeCompare(other))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
