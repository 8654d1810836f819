import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Tokenize } from 'rtf-stream-parser';
import { ToPlainText } from 'rtf-stream-parser/dist/src/ToPlainText.js';

// RTF groups whose text is not part of the document: RTF 1.9.1, "Destinations"
const hidden = new Set([
  'pict',
  'info',
  'objdata',
  'stylesheet',
  'colortbl',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'themedata',
  'datastore',
  'fldinst',
  'bkmkstart',
  'bkmkend',
  'xmlnstbl',
  'revtbl',
]);

/** Returns the text of an RTF document. Each run is decoded with the code page of its font. */
export async function textOfRtf(bytes: Buffer): Promise<{ readonly text: string } | { readonly unreadable: string }> {
  const parts: string[] = [];
  const toText = new ToPlainText({
    decode: (run, charset) => new TextDecoder(charset).decode(run),
    outputMode: 'string',
  });
  try {
    await pipeline(Readable.from(piecesOf(bytes)), new Tokenize(), onlyContent(), toText, async (texts) => {
      for await (const text of texts) parts.push(String(text));
    });
  } catch {
    return { unreadable: 'its RTF is damaged' };
  }
  return { text: parts.join('') };
}

/** The parser creates all tokens of a piece before it reads the first, so pieces are small. */
const pieceBytes = 16 * 1024;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

interface Token {
  readonly type: number;
  readonly word?: string;
}

const [groupStart, groupEnd, control, text] = [0, 1, 2, 3];

/** Removes hidden groups. Writes the ends of table cells and rows as text, since the parser ignores them. */
function onlyContent(): Transform {
  let depth = 0;
  let hiddenFrom: number | undefined;
  let opened: Token | undefined;
  return new Transform({
    objectMode: true,
    transform(token: Token, _encoding, done) {
      const held = opened;
      opened = undefined;
      if (token.type === groupStart) depth += 1;
      const hides =
        hiddenFrom === undefined && held !== undefined && token.type === control && hidden.has(token.word ?? '');
      if (hides) hiddenFrom = depth;
      if (hiddenFrom === undefined) {
        if (held !== undefined) this.push(held);
        if (token.type === groupStart) opened = token;
        else this.push(separated(token));
      } else if (token.type === groupEnd && depth === hiddenFrom) {
        hiddenFrom = undefined;
      }
      if (token.type === groupEnd) depth -= 1;
      done();
    },
  });
}

function separated(token: Token): Token | { type: number; data: Buffer } {
  if (token.type !== control) return token;
  if (token.word === 'cell') return { type: text, data: Buffer.from('\t') };
  return token.word === 'row' ? { type: text, data: Buffer.from('\n') } : token;
}
