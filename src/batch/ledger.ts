import type { Document } from './document.ts';
import type { FileOutcome, OrderState, Problem } from './outcome.ts';

/** Collects what happens to one file until its line of the report can be written. */
export interface FileLedger {
  readonly file: string;
  /** The whole file is not FHIR and not meant to be. */
  ignore(reason: string): void;
  /** One line of it is not. */
  skip(): void;
  unreadable(problem: Problem): void;
  /** Something was read and could still not be used. */
  conflict(problem: Problem): void;
  /** `line`: the one that the document stood in. */
  read(document: Document, line?: number): void;
  order(state: OrderState): void;
  outcome(): FileOutcome;
}

const problemsShown = 100;

export function openLedger(file: string): FileLedger {
  const resources: Record<string, number> = {};
  const orders: Partial<Record<OrderState, number>> = {};
  const problems: Problem[] = [];
  const conflicts: Problem[] = [];
  let ignored: string | undefined;
  let skipped = 0;
  let more = 0;
  const report = (problem: Problem) => {
    if (problems.length < problemsShown) problems.push(problem);
    else more += 1;
  };
  const read = ({ entries, issues }: Document, line?: number) => {
    for (const { resource } of entries) resources[resource.resourceType] = (resources[resource.resourceType] ?? 0) + 1;
    const at = line === undefined ? {} : { line };
    for (const { path, message } of issues) report({ ...at, ...(path === '' ? {} : { path }), reason: message });
  };
  return {
    file,
    ignore: (reason) => {
      ignored = reason;
    },
    skip: () => {
      skipped += 1;
    },
    unreadable: report,
    conflict: (problem) => {
      if (conflicts.length < problemsShown) conflicts.push(problem);
    },
    read,
    order: (state) => {
      orders[state] = (orders[state] ?? 0) + 1;
    },
    outcome: () => {
      const total = Object.values(resources).reduce((sum, number) => sum + number, 0);
      const shown = more === 0 ? problems : [...problems, { reason: `and ${more} more` }];
      const state = stateOf({ total, problems: problems.length, ignored: ignored !== undefined || skipped > 0 });
      return {
        file,
        state,
        resources,
        orders,
        problems: shown,
        conflicts,
        note: noteOf({ state, resources, total, orders, ignored, skipped, problems: shown, conflicts }),
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

interface Facts extends Pick<FileOutcome, 'state' | 'resources' | 'orders' | 'problems' | 'conflicts'> {
  readonly total: number;
  readonly ignored: string | undefined;
  readonly skipped: number;
}

export const orderStates: readonly OrderState[] = [
  'ready',
  'needs_information',
  'not_candidate',
  'duplicate',
  'cannot_map',
];

/** `1 needs information`, `2 need information`: how many orders came to a state. */
export function orderCount(state: OrderState, count: number): string {
  const words: Readonly<Record<OrderState, string>> = {
    ready: 'ready',
    needs_information: count === 1 ? 'needs information' : 'need information',
    not_candidate: 'not eligible',
    duplicate: count === 1 ? 'duplicate' : 'duplicates',
    cannot_map: 'cannot be mapped',
  };
  return `${count.toLocaleString('en-US')} ${words[state]}`;
}

function noteOf(facts: Facts): string {
  const { state, resources, total, orders, ignored, skipped, problems, conflicts } = facts;
  const [problem] = problems;
  const [conflict] = conflicts;
  if (state === 'unreadable') return problem === undefined ? 'nothing could be read' : placed(problem);
  if (state === 'ignored') return ignored ?? `${skipped} lines of JSON without a FHIR resource`;
  const counted = orderStates.flatMap((name) => (orders[name] === undefined ? [] : [orderCount(name, orders[name])]));
  const types = Object.keys(resources);
  const what = types.length === 1 ? `${total} ${types[0]}` : `${total} resources`;
  const said =
    total === 0
      ? 'no resource in it'
      : counted.length > 0
        ? `${what}; orders: ${counted.join(', ')}`
        : `no medication order; ${what} for the other files of its folder`;
  const left = [
    ...(skipped > 0 ? [`${skipped} lines without a FHIR resource`] : []),
    ...(problem === undefined ? [] : [`not read: ${placed(problem)}${more(problems)}`]),
    ...(conflict === undefined ? [] : [`not used: ${placed(conflict)}${more(conflicts)}`]),
  ];
  return [said, ...left].join('; ');
}

function more(list: readonly unknown[]): string {
  return list.length > 1 ? ` and ${list.length - 1} more` : '';
}

/** `line 3: ...`, `entry[2].resource: ...` */
export function placed({ line, path, reason }: Problem): string {
  return [...(line === undefined ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path]), reason].join(': ');
}
