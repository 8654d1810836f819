/** A range in a text: its first index, and the index after its last character. */
export type Range = readonly [from: number, to: number];

/** A piece of a text; a secret piece is hidden unless somebody asks to see it. */
export interface Piece {
  readonly text: string;
  readonly isSecret: boolean;
}

export function rangeAt(from: number, text: string): Range {
  return [from, from + text.length];
}

export function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last === undefined || from > last[1]) all.push([from, to]);
    else all[all.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return all;
}

/** The text in pieces; the pieces in the ranges are secret. */
export function split(text: string, ranges: readonly Range[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const [from, to] of ranges) {
    pieces.push({ text: text.slice(done, from), isSecret: false }, { text: text.slice(from, to), isSecret: true });
    done = to;
  }
  return [...pieces, { text: text.slice(done), isSecret: false }].filter((piece) => piece.text !== '');
}
