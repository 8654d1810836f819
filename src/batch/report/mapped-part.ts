import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchEngine, Part } from '../engine.ts';
import { emptyNotes, type PartNotes } from '../file-ledger.ts';
import { type CountedFacts, orderFactsOf } from './order-facts.ts';
import { lineOf, orderJson } from './order-line.ts';
import type { OrderOutcome, OrderState } from './order-outcome.ts';

export interface Layout {
  /** The folder to write files to; absent if none are written. */
  readonly folder?: string;
  readonly format: 'files' | 'ndjson';
  readonly sources: boolean;
  /** Whether each order is printed with all its details. */
  readonly printed: boolean;
}

export function needsChoices({ folder, sources, printed }: Layout): boolean {
  return printed || (sources && folder !== undefined);
}

export const lineFiles = ['requests', 'drafts', 'sources'] as const;
export type LineFile = (typeof lineFiles)[number];

/** The output of one part, as threads send it. */
export interface Block {
  readonly orders: readonly MadeOrder[];
  readonly notes: PartNotes;
}

export interface MadeOrder {
  readonly state: OrderState;
  /** The order's line of the report: JSON of an `OrderLine`. */
  readonly line: string;
  readonly digest?: string;
  readonly facts?: CountedFacts;
  /** A line of JSON for each of the files that grow by lines. */
  readonly output: Readonly<Partial<Record<LineFile, string>>>;
  readonly printed: string;
}

/** Maps a part and makes its output. If each order has a file of its own, these are written too. */
export async function makeBlock(engine: BatchEngine, part: Part, layout: Layout): Promise<Block> {
  const notes = emptyNotes();
  const orders: MadeOrder[] = [];
  for await (const some of engine.map(part, notes)) for (const outcome of some) orders.push(madeOrder(outcome, layout));
  return { orders, notes };
}

function madeOrder(outcome: OrderOutcome, layout: Layout): MadeOrder {
  const printed = layout.printed ? lineText(orderJson(outcome)) : '';
  const { state } = outcome;
  if (!('result' in outcome)) return { state, line: JSON.stringify(lineOf(outcome)), output: {}, printed };
  const { digest, chart } = outcome;
  const { written, output = {} } = write(outcome, layout);
  return { state, digest, facts: orderFactsOf(chart), line: JSON.stringify(lineOf(outcome, written)), output, printed };
}

type Mapped = Extract<OrderOutcome, { result: unknown }>;

/** Returns the path of the file that was written, or the line to append. */
function write(
  outcome: Mapped,
  { folder, format, sources }: Layout,
): { readonly written?: string; readonly output?: MadeOrder['output'] } {
  if (folder === undefined) return {};
  const { result, place } = outcome;
  const file = result.status === 'complete' ? 'requests' : 'drafts';
  if (format === 'ndjson') {
    const source = sources ? { sources: lineText({ ...place, ...sourceOf(outcome) }) } : {};
    return { written: `${file}.ndjson`, output: { [file]: mappedLine(outcome), ...source } };
  }
  const name = `${nameOf(outcome)}.json`;
  save(join(folder, file, name), fileOf(outcome));
  if (sources) save(join(folder, 'sources', name), sourceOf(outcome));
  return { written: `${file}/${name}` };
}

/** The content was serialized for its digest and is most of the line, so the serialized text is inserted. */
function mappedLine({ place, order, patient, result, content }: Mapped): string {
  const isComplete = result.status === 'complete';
  const head = JSON.stringify({ ...place, order, patient, ...(isComplete ? {} : { gaps: result.gaps }) });
  return `${head.slice(0, -1)},"${isComplete ? 'body' : 'draft'}":${content}}\n`;
}

function fileOf({ order, patient, result }: Mapped): unknown {
  if (result.status === 'complete') return result.body;
  return { order, patient, gaps: result.gaps, draft: result.draft };
}

function sourceOf({ result, order, patient, chart: { choices, warnings } }: Mapped): object {
  const gaps = result.status === 'complete' ? { gaps: result.gaps } : {};
  return { order, patient, provenance: result.provenance, ...gaps, choices, warnings };
}

function lineText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function save(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
}

/** The order's id with a short hash of its place, since ids repeat between exports and between bundles of a file. */
function nameOf({ order, patient, place }: OrderOutcome): string {
  const id = (order.split(/[/:]/).at(-1) ?? order).replaceAll(/[^A-Za-z0-9.-]/g, '').slice(0, 64);
  return `${id}-${createHash('sha256')
    .update(JSON.stringify([place.file, place.line, place.path, order, patient]))
    .digest('hex')
    .slice(0, 8)}`;
}
