import { orderStates } from '../file-ledger.ts';
import { type CountedFact, type CountedFacts, countedFacts } from './order-facts.ts';
import type { OrderLine } from './order-line.ts';
import type { FileOutcome, OrderState } from './order-outcome.ts';

/** The summary of a run. It counts every given file and every order in them. */
export interface RunReport {
  readonly mapping: string;
  readonly now: string;
  readonly totals: { readonly files: number; readonly patients: number; readonly orders: number } & Readonly<
    Record<OrderState, number>
  > & { readonly unreadable: number };
  /** Blocking gaps by field, most frequent first. */
  readonly missing: readonly { readonly field: string; readonly orders: number }[];
  readonly notEligible: readonly { readonly reason: string; readonly orders: number }[];
  /** Mapped orders by drug, payer and prescriber, most frequent first, with the number of incomplete orders. */
  readonly by: Readonly<Record<CountedFact, readonly FactCount[]>>;
  /** The first lines of each state, for people. */
  readonly shown: Readonly<Record<OrderState, readonly OrderLine[]>>;
  readonly files: readonly FileOutcome[];
}

interface FactCount {
  /** Empty for orders whose chart does not state the fact. */
  readonly name: string;
  readonly orders: number;
  readonly lacking: number;
}

const shownLines = 50;

/** Counts outcomes. It keeps only the lines to show, since a run may have millions of orders. */
export class Reporter {
  private readonly shown = byState((): OrderLine[] => []);
  private readonly counts = byState(() => 0);
  private readonly missing = new Tally();
  private readonly notEligible = new Tally();
  private readonly facts = { drug: new Tally(), payer: new Tally(), prescriber: new Tally() };
  private readonly files: FileOutcome[] = [];
  private allPatients = 0;

  constructor(private readonly about: { readonly mapping: string; readonly now: Date }) {}

  order(line: OrderLine, counted: CountedFacts | null): void {
    const { state, missing, reason = '' } = line;
    this.counts[state] += 1;
    if (this.shown[state].length < shownLines) this.shown[state].push(line);
    for (const field of new Set(missing)) this.missing.add(field);
    if (state === 'not_eligible') this.notEligible.add(reason);
    // A duplicate is not counted, since the order that it repeats is.
    if (counted === null || (state !== 'ready' && state !== 'incomplete')) return;
    for (const fact of countedFacts) this.facts[fact].add(counted[fact], state === 'incomplete');
  }

  patients(count: number): void {
    this.allPatients += count;
  }

  file(outcome: FileOutcome): void {
    this.files.push(outcome);
  }

  report(): RunReport {
    const { about, counts, files, facts, shown } = this;
    const orders = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const unreadable = files.filter(({ state }) => state === 'unreadable' || state === 'partly').length;
    return {
      mapping: about.mapping,
      now: about.now.toISOString(),
      totals: { files: files.length, patients: this.allPatients, orders, ...counts, unreadable },
      missing: this.missing.list().map(({ name, orders }) => ({ field: name, orders })),
      notEligible: this.notEligible.list().map(({ name, orders }) => ({ reason: name, orders })),
      by: { drug: facts.drug.list(), payer: facts.payer.list(), prescriber: facts.prescriber.list() },
      shown,
      files,
    };
  }
}

class Tally {
  private readonly counts = new Map<string, { orders: number; lacking: number }>();

  add(name: string, isLacking = false): void {
    const count = this.counts.get(name) ?? { orders: 0, lacking: 0 };
    count.orders += 1;
    if (isLacking) count.lacking += 1;
    this.counts.set(name, count);
  }

  list(): readonly FactCount[] {
    const all = [...this.counts].map(([name, count]) => ({ name, ...count }));
    return all.sort((one, other) => other.orders - one.orders || (one.name < other.name ? -1 : 1));
  }
}

function byState<Value>(make: () => Value): Record<OrderState, Value> {
  // the list has every state
  return Object.fromEntries(orderStates.map((state) => [state, make()])) as Record<OrderState, Value>;
}

export function fileLine(file: FileOutcome): string {
  return `${file.file}: ${file.note}`;
}
