import { free } from './free.ts';

/** Text as UTF-8 in pieces, each in memory of its own that another thread can be given without a copy. */
export type TextPieces = readonly Uint8Array<ArrayBuffer>[];

const pieceSize = 256 << 10;
/** UTF-8 takes no more for a unit of a string. */
const mostBytes = 3;
const nothing = Buffer.alloc(0);

/**
 * Collects text. As one string it would be moved twice by V8 before it is written, and copied and encoded by the thread
 * that writes it.
 */
export class TextWriter {
  private pieces: Uint8Array<ArrayBuffer>[] = [];
  private bytes = nothing;
  private end = 0;

  add(text: string): void {
    const most = text.length * mostBytes;
    if (this.end + most > this.bytes.length) {
      this.endPiece();
      this.bytes = Buffer.allocUnsafeSlow(Math.max(pieceSize, most));
    }
    this.end += this.bytes.write(text, this.end);
  }

  /** What was added since the last call. */
  take(): TextPieces {
    this.endPiece();
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  private endPiece(): void {
    if (this.end > 0) this.pieces.push(this.bytes.subarray(0, this.end));
    this.bytes = nothing;
    this.end = 0;
  }
}

/** The text again. */
export function textOf(pieces: TextPieces): string {
  return Buffer.concat(pieces).toString();
}

/** Lets go of what a writer made. */
export function freePieces(pieces: TextPieces): void {
  for (const piece of pieces) free(piece);
}

/** Pieces of one text. */
export function piecesOf(text: string): TextPieces {
  return text === '' ? [] : [Buffer.from(text)];
}
