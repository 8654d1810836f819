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
import { type TextPieces, TextWriter } from './text-pieces.ts';

/** What mapping one part gave, as it is handed from thread to thread. */
export interface Block {
  /** JSON of each of the report's lines, an `OrderLine`. */
  readonly lines: readonly string[];
  /** Of each line, the digest of its request or draft, also of one that was made before; empty where there is none. */
  readonly digests: readonly string[];
  /** Of each line that was mapped, what it is counted by. */
  readonly facts: readonly (CountedFacts | null)[];
  /** Lines of JSON to be put behind those of the parts before. */
  readonly output: Readonly<Record<LineFile | 'printed', TextPieces>>;
  readonly notes: PartNotes;
}

/** Maps a part and makes all of its output; with one file an order, it writes those files. */
export async function makeBlock(engine: Engine, part: Part, layout: Layout): Promise<Block> {
  const notes = emptyNotes();
  const unlessMade = createDuplicates();
  const lines: string[] = [];
  const digests: string[] = [];
  const facts: (CountedFacts | null)[] = [];
  const output = {
    requests: new TextWriter(),
    drafts: new TextWriter(),
    sources: new TextWriter(),
    printed: new TextWriter(),
  };
  for await (const some of engine.map(part, notes))
    for (const mapped of some) {
      const outcome = unlessMade(mapped);
      lines.push(JSON.stringify(lineOf(outcome, write(outcome, layout, output))));
      digests.push('result' in mapped ? mapped.digest : '');
      facts.push('result' in mapped ? countedOf(mapped.facts) : null);
      if (layout.printed) output.printed.add(lineText(jsonOf(outcome)));
    }
  return {
    lines,
    digests,
    facts,
    output: {
      requests: output.requests.take(),
      drafts: output.drafts.take(),
      sources: output.sources.take(),
      printed: output.printed.take(),
    },
    notes,
  };
}

/** The memory of a block that goes to the thread that it is handed to, instead of a copy. */
export function memoryOf({ output }: Block): ArrayBuffer[] {
  return Object.values(output).flatMap((pieces) => pieces.map(({ buffer }) => buffer));
}

function write(
  outcome: OrderOutcome,
  { folder, format, sources }: Layout,
  output: Readonly<Record<LineFile, TextWriter>>,
): string | undefined {
  if (folder === undefined || !('result' in outcome)) return undefined;
  const { result, place } = outcome;
  const file = result.status === 'complete' ? 'requests' : 'drafts';
  if (format === 'ndjson') {
    output[file].add(mappedLine(outcome));
    if (sources) output.sources.add(lineText({ ...place, ...sourceOf(outcome) }));
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

/**
 * The order's id, and a few characters of where it stood: ids repeat between exports, and between the bundles of one
 * file.
 */
function nameOf({ order, patient, place }: OrderOutcome): string {
  const id = (order.split(/[/:]/).at(-1) ?? order).replaceAll(/[^A-Za-z0-9.-]/g, '').slice(0, 64);
  return `${id}-${createHash('sha256')
    .update(JSON.stringify([place.file, place.line, place.path, order, patient]))
    .digest('hex')
    .slice(0, 8)}`;
}
