import { increase, noCounts } from './counts.ts';
import type { FileOutcome, InputPlace, InputProblem, OrderState } from './report/order-outcome.ts';
import type { PieceFacts } from './scan.ts';

/** What a part reports besides its orders. Complete once all orders were read. */
export type PartNotes = ReturnType<typeof emptyNotes>;

export function emptyNotes() {
  return {
    patients: 0,
    conflicts: [] as (InputProblem & InputPlace)[],
    /** Deletions that name a resource of a chart. */
    deletions: [] as InputPlace[],
  };
}

/** The ledgers of a folder, in the order in which its files were opened. */
export class Ledgers {
  private readonly byFile = new Map<string, FileLedger>();

  of(file: string): FileLedger {
    const ledger = this.byFile.get(file) ?? new FileLedger(file);
    this.byFile.set(file, ledger);
    return ledger;
  }

  get all(): readonly FileLedger[] {
    return [...this.byFile.values()];
  }

  note({ conflicts, deletions }: PartNotes): void {
    for (const { file, ...problem } of conflicts) this.of(file).conflict(problem);
    for (const { file, ...at } of deletions) this.of(file).deletes(at);
  }

  get problems(): number {
    return this.all.reduce((sum, { problems }) => sum + problems, 0);
  }
}

const problemsShown = 100;

/** Collects what is known of one file until its line of the report can be written. */
export class FileLedger {
  private readonly resources: Record<string, number> = {};
  private readonly orders: Partial<Record<OrderState, number>> = {};
  private readonly unread: InputProblem[] = [];
  private readonly conflicts: InputProblem[] = [];
  /** Deletions that match no resource so far. */
  private readonly idle = new Set<string>();
  private readonly counts = noCounts();
  private ignored: string | undefined;
  private more = 0;

  constructor(readonly file: string) {}

  get problems(): number {
    return this.unread.length + this.more;
  }

  ignore(reason: string): void {
    this.ignored ??= reason;
  }

  unreadable(problem: InputProblem): void {
    if (this.unread.length < problemsShown) this.unread.push(problem);
    else this.more += 1;
  }

  conflict(problem: InputProblem): void {
    if (this.conflicts.length < problemsShown) this.conflicts.push(problem);
  }

  /** Adds the result of scanning a piece. `linesBefore`: the number of lines before the piece. */
  add(facts: PieceFacts, linesBefore: number): void {
    for (const [type, count] of Object.entries(facts.resources)) increase(this.resources, type, count);
    for (const { line, ...problem } of facts.problems)
      this.unreadable(line === undefined ? problem : { line: line + linesBefore, ...problem });
    for (const [name, count] of Object.entries(facts.counts)) increase(this.counts, name, count);
    if (facts.ignored !== undefined) this.ignore(facts.ignored);
  }

  order(state: OrderState): void {
    increase(this.orders, state, 1);
  }

  /** Called if the folder has no deletions. A manifest that lists deletion files then reports them as missing. */
  lacksDeletions(): void {
    if (this.counts.deletionFiles > 0 && this.ignored !== undefined)
      this.ignored += '. None of the deletions is in its folder';
  }

  deletesNothing(at: Omit<InputProblem, 'reason'>): void {
    this.idle.add(placed({ ...at, reason: '' }));
  }

  deletes(at: Omit<InputProblem, 'reason'>): void {
    this.idle.delete(placed({ ...at, reason: '' }));
  }

  outcome(): FileOutcome {
    const { file, orders, conflicts, more } = this;
    const problems = this.unread.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    if (more > 0) problems.push({ reason: `and ${more} more` });
    // Sorted, since the order in which types are found depends on how a file is read.
    const found = Object.entries(this.resources).sort(([one], [other]) => (one < other ? -1 : 1));
    const total = found.reduce((sum, [, count]) => sum + count, 0);
    const what = found.length === 1 ? `${total} ${found[0]?.[0]}` : `${total} resources`;
    const state = this.state(total);
    const note = this.note(state, total === 0 ? undefined : what);
    return { file, state, resources: Object.fromEntries(found), orders, problems, conflicts, note };
  }

  private state(total: number): FileOutcome['state'] {
    if (this.unread.length > 0) return total > 0 ? 'partly' : 'unreadable';
    return total === 0 && (this.ignored !== undefined || this.counts.skipped > 0) ? 'ignored' : 'read';
  }

  private note(state: FileOutcome['state'], what: string | undefined): string {
    const { unread, conflicts, orders } = this;
    const { skipped, messages, deletions } = this.counts;
    if (state === 'unreadable') return firstOf(unread.slice(0, 1));
    if (state === 'ignored') return this.ignored ?? `${skipped} lines of JSON without a FHIR resource`;
    const counted = orderStates.flatMap((name) => (orders[name] === undefined ? [] : orderCount(name, orders[name])));
    const idle = this.idle.size === 0 ? '' : `, ${this.idle.size} of what its export does not hold`;
    const deleted = deletions === 0 ? [] : [`${deletions} ${deletions === 1 ? 'deletion' : 'deletions'}${idle}`];
    const said =
      counted.length > 0
        ? `${what}; orders: ${counted.join(', ')}`
        : `no medication order; ${what} for the other files of its folder`;
    return [
      ...(what === undefined && deletions === 0 ? ['no resource in it'] : []),
      ...(what === undefined ? [] : [said]),
      ...deleted,
      ...(messages > 0 ? [`${messages} ${messages === 1 ? 'message' : 'messages'} of the server, no error`] : []),
      ...(skipped > 0 ? [`${skipped} lines without a FHIR resource`] : []),
      ...(unread.length > 0 ? [`not read: ${firstOf(unread)}`] : []),
      ...(conflicts.length > 0 ? [`not used: ${firstOf(conflicts)}`] : []),
    ].join('; ');
  }
}

function firstOf([first, ...others]: readonly InputProblem[]): string {
  const text = first === undefined ? '' : placed(first);
  return others.length === 0 ? text : `${text} and ${others.length} more`;
}

const stateWords: Readonly<Record<OrderState, string>> = {
  ready: 'ready',
  incomplete: 'incomplete',
  not_eligible: 'not eligible',
  duplicate: 'duplicates',
  left_out: 'left out',
  cannot_map: 'cannot be mapped',
};
export const orderStates = Object.keys(stateWords) as readonly OrderState[]; // the table has every state as a key

/** Returns the number of orders in a state: `2 incomplete`, `1 duplicate`. */
export function orderCount(state: OrderState, count: number): string {
  const words = state === 'duplicate' && count === 1 ? 'duplicate' : stateWords[state];
  return `${count.toLocaleString('en-US')} ${words}`;
}

/** Example: `line 3: ...`, `entry[2].resource: ...`. */
export function placed({ line, path, reason }: InputProblem): string {
  return [...(line === undefined ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path]), reason].join(': ');
}
