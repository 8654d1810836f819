import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDuplicates } from './duplicates.ts';
import type { Engine, Part, PartNotes } from './engine.ts';
import type { Layout, LineFile } from './layout.ts';
import { emptyNotes } from './notes.ts';
import { type CountedFacts, countedOf } from './order-facts.ts';
import { jsonOf, lineOf } from './order-line.ts';
import type { OrderOutcome } from './outcome.ts';

/** What mapping one part gave, as it is handed from thread to thread. */
export interface Block {
  /** JSON of each of the report's lines, an `OrderLine`. */
  readonly lines: readonly string[];
  /** Of each line, the digest of its request or draft, also of one that was made before; empty where there is none. */
  readonly digests: readonly string[];
  /** Of each line that was mapped, what it is counted by. */
  readonly facts: readonly (CountedFacts | null)[];
  /** Lines of JSON to be put behind those of the parts before. */
  readonly output: Readonly<Record<LineFile | 'printed', string>>;
  readonly notes: PartNotes;
}

/** Maps a part and makes all of its output; with one file an order, it writes those files. */
export async function makeBlock(engine: Engine, part: Part, layout: Layout): Promise<Block> {
  const notes = emptyNotes();
  const unlessMade = createDuplicates();
  const lines: string[] = [];
  const digests: string[] = [];
  const facts: (CountedFacts | null)[] = [];
  const output: Record<LineFile | 'printed', string[]> = { requests: [], drafts: [], sources: [], printed: [] };
  for await (const mapped of engine.map(part, notes)) {
    const outcome = unlessMade(mapped);
    lines.push(JSON.stringify(lineOf(outcome, write(outcome, layout, output))));
    digests.push('result' in mapped ? mapped.digest : '');
    facts.push('result' in mapped ? countedOf(mapped.facts) : null);
    if (layout.printed) output.printed.push(lineText(jsonOf(outcome)));
  }
  const joined = (file: LineFile | 'printed') => output[file].join('');
  return {
    lines,
    digests,
    facts,
    output: {
      requests: joined('requests'),
      drafts: joined('drafts'),
      sources: joined('sources'),
      printed: joined('printed'),
    },
    notes,
  };
}

function write(
  outcome: OrderOutcome,
  { folder, format, sources }: Layout,
  output: Readonly<Record<LineFile, string[]>>,
): string | undefined {
  if (folder === undefined || !('result' in outcome)) return undefined;
  const { result, place } = outcome;
  const file = result.status === 'complete' ? 'requests' : 'drafts';
  if (format === 'ndjson') {
    output[file].push(mappedLine(outcome));
    if (sources) output.sources.push(lineText({ ...place, ...sourceOf(outcome) }));
    return `${file}.ndjson`;
  }
  const name = `${nameOf(outcome)}.json`;
  save(join(folder, file, name), fileOf(outcome));
  if (sources) save(join(folder, 'sources', name), sourceOf(outcome));
  return `${file}/${name}`;
}

type Mapped = Extract<OrderOutcome, { result: unknown }>;

/** The content was made into JSON for its digest, and is most of the line: it is put in as it is. */
function mappedLine({ place, order, patient, result, content }: Mapped): string {
  const isComplete = result.status === 'complete';
  const head = JSON.stringify({ ...place, order, patient, ...(isComplete ? {} : { gaps: result.gaps }) });
  return `${head.slice(0, -1)},"${isComplete ? 'body' : 'draft'}":${content}}\n`;
}

function fileOf({ order, patient, result }: Mapped): unknown {
  if (result.status === 'complete') return result.body;
  return { order, patient, gaps: result.gaps, draft: result.draft };
}

function sourceOf({ result, order, patient, choices, warnings }: Mapped): object {
  const gaps = result.status === 'complete' ? { gaps: result.gaps } : {};
  return { order, patient, provenance: result.provenance, ...gaps, choices, warnings };
}

function lineText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function save(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
}

/** The order's id, and a few characters of where it stood: ids repeat between exports. */
function nameOf({ order, patient, place }: OrderOutcome): string {
  const id = (order.split(/[/:]/).at(-1) ?? order).replaceAll(/[^A-Za-z0-9.-]/g, '').slice(0, 64);
  return `${id}-${createHash('sha256')
    .update(JSON.stringify([place.file, order, patient]))
    .digest('hex')
    .slice(0, 8)}`;
}
