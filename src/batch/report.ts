import { orderStates } from './ledger.ts';
import { type CountedFact, type CountedFacts, countedFacts } from './order-facts.ts';
import type { OrderLine } from './order-line.ts';
import type { FileOutcome, OrderState } from './outcome.ts';

/** The account of a run without its lines: every file given and every order in them is counted. */
export interface Summary {
  readonly mapping: string;
  readonly now: string;
  readonly totals: { readonly files: number; readonly patients: number; readonly orders: number } & Readonly<
    Record<OrderState, number>
  > & { readonly unreadable: number };
  /** Blocking gaps by field, most frequent first. */
  readonly missing: readonly { readonly field: string; readonly orders: number }[];
  readonly notCandidates: readonly { readonly reason: string; readonly orders: number }[];
  /** Orders that were mapped, by drug, payer and prescriber, most frequent first; how many of them lack something. */
  readonly by: Readonly<Record<CountedFact, readonly FactCount[]>>;
}

export interface FactCount {
  /** Empty for those of which the chart does not say it. */
  readonly name: string;
  readonly orders: number;
  readonly lacking: number;
}

/** What a person is shown: the first lines of each state. */
export interface Report extends Summary {
  readonly shown: Readonly<Record<OrderState, readonly OrderLine[]>>;
  readonly files: readonly FileOutcome[];
}

export interface Reporter {
  order(line: OrderLine, facts: CountedFacts | null): void;
  patients(count: number): void;
  file(outcome: FileOutcome): void;
  report(): Report;
}

const shownLines = 50;

/** Counts what became of the orders; it keeps only the lines that are shown, since a run may have millions. */
export function createReporter(about: { readonly mapping: string; readonly now: Date }): Reporter {
  const shown = byState((): OrderLine[] => []);
  const counts = byState(() => 0);
  const missing = new Map<string, number>();
  const notCandidates = new Map<string, number>();
  const files: FileOutcome[] = [];
  const facts = new FactCounts();
  let [patients, orders] = [0, 0];
  return {
    order: (line, counted) => {
      if (counted !== null) facts.add(line.state, counted);
      orders += 1;
      counts[line.state] += 1;
      if (shown[line.state].length < shownLines) shown[line.state].push(line);
      for (const field of new Set(line.missing)) count(missing, field);
      if (line.state === 'not_candidate') count(notCandidates, line.reason ?? '');
    },
    patients: (count) => {
      patients += count;
    },
    file: (outcome) => void files.push(outcome),
    report: () => ({
      mapping: about.mapping,
      now: about.now.toISOString(),
      totals: {
        files: files.length,
        patients,
        orders,
        ...counts,
        unreadable: files.filter((file) => file.state === 'unreadable' || file.state === 'partly').length,
      },
      missing: tally(missing).map(([field, number]) => ({ field, orders: number })),
      notCandidates: tally(notCandidates).map(([reason, number]) => ({ reason, orders: number })),
      by: facts.tally(),
      shown,
      files,
    }),
  };
}

class FactCounts {
  private readonly counts = countedFacts.map((fact) => ({
    fact,
    names: new Map<string, { orders: number; lacking: number }>(),
  }));

  /** Only what was mapped: of a duplicate the first one was counted. */
  add(state: OrderState, counted: CountedFacts): void {
    if (state !== 'ready' && state !== 'needs_information') return;
    for (const { fact, names } of this.counts) {
      const known = names.get(counted[fact]) ?? { orders: 0, lacking: 0 };
      known.orders += 1;
      if (state === 'needs_information') known.lacking += 1;
      names.set(counted[fact], known);
    }
  }

  tally(): Summary['by'] {
    const lists = this.counts.map(({ fact, names }) => {
      const all = [...names].map(([name, count]) => ({ name, ...count }));
      return [fact, all.sort((one, other) => other.orders - one.orders || (one.name < other.name ? -1 : 1))];
    });
    // every fact is in the list
    return Object.fromEntries(lists) as Summary['by'];
  }
}

function byState<Value>(make: () => Value): Record<OrderState, Value> {
  // every state is in the list
  return Object.fromEntries(orderStates.map((state) => [state, make()])) as Record<OrderState, Value>;
}

function count(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}

function tally(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** One sentence per file, as the summary and the report print it. */
export function fileLine(file: FileOutcome): string {
  return `${file.file}: ${file.note}`;
}
