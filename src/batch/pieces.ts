import type { Source } from './sources.ts';

/** A part of a source that is looked at in one go: a document, or the lines that begin in a range of bytes. */
export interface Piece {
  readonly id: number;
  /** The index of its source. */
  readonly source: number;
  readonly kind: Source['kind'];
  readonly start: number;
  readonly end: number;
}

const lineBytes = 8 << 20;
const [taskDocuments, taskBytes] = [64, 8 << 20];

/**
 * The pieces of all sources in their order, in tasks of like size. It depends on the input alone and not on how many
 * threads there are, so that a run is the same with any number of them.
 */
export function tasksOf(sources: readonly Source[]): readonly (readonly Piece[])[] {
  const pieces = sources.flatMap((source, index) => piecesOf(source, index)).map((piece, id) => ({ ...piece, id }));
  const tasks: Piece[][] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const size = piece.end - piece.start;
    const task = tasks.at(-1);
    if (task === undefined || task.length >= taskDocuments || bytes + size > taskBytes) {
      tasks.push([piece]);
      bytes = size;
    } else {
      task.push(piece);
      bytes += size;
    }
  }
  return tasks;
}

function piecesOf({ kind, size }: Source, source: number): Omit<Piece, 'id'>[] {
  if (kind === 'document') return [{ source, kind, start: 0, end: size }];
  return Array.from({ length: Math.ceil(size / lineBytes) }, (_, at) => ({
    source,
    kind,
    start: at * lineBytes,
    end: Math.min(size, (at + 1) * lineBytes),
  }));
}
