import type { FileOutcome, OrderState, Problem } from './outcome.ts';
import type { PieceFacts } from './scan.ts';

/** Collects what happens to one file until its line of the report can be written. */
export interface FileLedger {
  readonly file: string;
  /** The whole file is not FHIR and not meant to be. */
  ignore(reason: string): void;
  /** What the first look at a piece of it found, with so many lines before it. */
  add(facts: PieceFacts, linesBefore: number): void;
  unreadable(problem: Problem): void;
  /** A line that the first look took for a resource of this type, and that cannot be parsed. */
  unread(problem: Problem, type: string): void;
  /** Something was read and could still not be used. */
  conflict(problem: Problem): void;
  order(state: OrderState, count?: number): void;
  outcome(): FileOutcome;
  /** Nothing of its folder says what was deleted: where it is a manifest that lists deletions, that is told. */
  lacksDeletions(): void;
  /** A deletion names nothing that was found so far. */
  deletesNothing(at: Omit<Problem, 'reason'>): void;
  /** A deletion names something. */
  deletes(at: Omit<Problem, 'reason'>): void;
  /** How many places could not be read so far. */
  readonly problems: number;
}

const problemsShown = 100;

export function openLedger(file: string): FileLedger {
  const resources: Record<string, number> = {};
  const orders: Partial<Record<OrderState, number>> = {};
  const problems: Problem[] = [];
  const conflicts: Problem[] = [];
  let ignored: string | undefined;
  let [skipped, deletions, messages, deletionFiles] = [0, 0, 0, 0];
  const idle = new Set<string>();
  let more = 0;
  const report = (problem: Problem) => {
    if (problems.length < problemsShown) problems.push(problem);
    else more += 1;
  };
  return {
    file,
    get problems() {
      return problems.length + more;
    },
    ignore: (reason) => {
      ignored = reason;
    },
    add: (facts, linesBefore) => {
      for (const [type, count] of Object.entries(facts.resources)) resources[type] = (resources[type] ?? 0) + count;
      for (const { line, ...problem } of facts.problems)
        report(line === undefined ? problem : { line: line + linesBefore, ...problem });
      skipped += facts.skipped;
      deletions += facts.deletions;
      messages += facts.messages;
      deletionFiles += facts.deletionFiles;
      ignored ??= facts.ignored;
    },
    lacksDeletions: () => {
      if (deletionFiles > 0 && ignored !== undefined) ignored += '. None of the deletions is in its folder';
    },
    deletesNothing: (at) => void idle.add(placed({ ...at, reason: '' })),
    deletes: (at) => void idle.delete(placed({ ...at, reason: '' })),
    unreadable: report,
    unread: (problem, type) => {
      resources[type] = (resources[type] ?? 0) - 1;
      if (resources[type] <= 0) delete resources[type];
      report(problem);
    },
    conflict: (problem) => {
      if (conflicts.length < problemsShown) conflicts.push(problem);
    },
    order: (state, count = 1) => {
      orders[state] = (orders[state] ?? 0) + count;
    },
    outcome: () => {
      const total = Object.values(resources).reduce((sum, number) => sum + number, 0);
      problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
      const shown = more === 0 ? problems : [...problems, { reason: `and ${more} more` }];
      const state = stateOf({ total, problems: problems.length, ignored: ignored !== undefined || skipped > 0 });
      return {
        file,
        state,
        resources: byName(resources),
        orders,
        problems: shown,
        conflicts,
        note: noteOf({
          state,
          resources,
          total,
          orders,
          ignored,
          skipped,
          deletions: deletionCount(deletions, idle.size),
          messages,
          problems: shown,
          conflicts,
        }),
      };
    },
  };
}

function stateOf({
  total,
  problems,
  ignored,
}: {
  total: number;
  problems: number;
  ignored: boolean;
}): FileOutcome['state'] {
  if (problems > 0) return total > 0 ? 'partly' : 'unreadable';
  return ignored && total === 0 ? 'ignored' : 'read';
}

/** They are found in an order that depends on how a file is read. */
function byName(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface Facts extends Pick<FileOutcome, 'state' | 'resources' | 'orders' | 'problems' | 'conflicts'> {
  readonly total: number;
  readonly ignored: string | undefined;
  readonly skipped: number;
  /** In words; undefined where there is none. */
  readonly deletions: string | undefined;
  readonly messages: number;
}

export const orderStates: readonly OrderState[] = [
  'ready',
  'needs_information',
  'not_candidate',
  'duplicate',
  'left_out',
  'cannot_map',
];

/** `1 needs information`, `2 need information`: how many orders came to a state. */
export function orderCount(state: OrderState, count: number): string {
  const words: Readonly<Record<OrderState, string>> = {
    ready: 'ready',
    needs_information: count === 1 ? 'needs information' : 'need information',
    not_candidate: 'not eligible',
    duplicate: count === 1 ? 'duplicate' : 'duplicates',
    left_out: 'left out',
    cannot_map: 'cannot be mapped',
  };
  return `${count.toLocaleString('en-US')} ${words[state]}`;
}

function noteOf(facts: Facts): string {
  const { state, resources, total, orders, ignored, skipped, deletions, messages, problems, conflicts } = facts;
  const [problem] = problems;
  const [conflict] = conflicts;
  if (state === 'unreadable') return problem === undefined ? 'nothing could be read' : placed(problem);
  if (state === 'ignored') return ignored ?? `${skipped} lines of JSON without a FHIR resource`;
  const counted = orderStates.flatMap((name) => (orders[name] === undefined ? [] : [orderCount(name, orders[name])]));
  const types = Object.keys(resources);
  const what = types.length === 1 ? `${total} ${types[0]}` : `${total} resources`;
  const said =
    total === 0
      ? (deletions ?? 'no resource in it')
      : counted.length > 0
        ? `${what}; orders: ${counted.join(', ')}`
        : `no medication order; ${what} for the other files of its folder`;
  const left = [
    ...(deletions !== undefined && total > 0 ? [deletions] : []),
    ...(messages > 0 ? [`${messages} ${messages === 1 ? 'message' : 'messages'} of the server, no error`] : []),
    ...(skipped > 0 ? [`${skipped} lines without a FHIR resource`] : []),
    ...(problem === undefined ? [] : [`not read: ${placed(problem)}${more(problems)}`]),
    ...(conflict === undefined ? [] : [`not used: ${placed(conflict)}${more(conflicts)}`]),
  ];
  return [said, ...left].join('; ');
}

function deletionCount(count: number, idle: number): string | undefined {
  if (count === 0) return undefined;
  const counted = `${count} ${count === 1 ? 'deletion' : 'deletions'}`;
  return idle === 0 ? counted : `${counted}, ${idle} of what its export does not hold`;
}

function more(list: readonly unknown[]): string {
  return list.length > 1 ? ` and ${list.length - 1} more` : '';
}

/** `line 3: ...`, `entry[2].resource: ...` */
export function placed({ line, path, reason }: Problem): string {
  return [...(line === undefined ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path]), reason].join(': ');
}
