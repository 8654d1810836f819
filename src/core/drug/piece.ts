import { forLiquid, formOf } from './form.ts';
import { kindsOf, spellOutForms } from './form-words.ts';

/** How a tablet or capsule is taken if it is not swallowed whole: chewed, on the tongue, in water. */
export interface TextPiece {
  /**
   * `chewable`, `disintegrating`, `effervescent`, `for suspension` or `sprinkle`. Two kinds if the word is ambiguous.
   */
  readonly kinds: readonly string[];
  /** In the text's own words: `Disintegrating`, `ODT`, `for Oral Suspension`. */
  readonly words: string;
}

const solid = new Set(['tablet', 'capsule', 'solid']);

/** The piece in the words of a form, or else in the names: `ODT` in "ondansetron ODT 4 mg tab". */
export function pieceOf(form: string | undefined, names: readonly string[]): TextPiece | undefined {
  const read = formOf(form);
  if (form === undefined || (read !== undefined && !solid.has(read.family))) return undefined;
  return pieceIn(form) ?? pieceIn(names.join(' '));
}

function pieceIn(text: string): TextPiece | undefined {
  const [drunk] = forLiquid.exec(text) ?? [];
  if (drunk !== undefined) return { kinds: ['for suspension'], words: drunk };
  const kinds: string[] = [];
  const words = wordsOf(text).filter((word) => {
    const own = kindsOf(word.toLowerCase());
    const isNew = own.length > 0 && !own.some((kind) => kinds.includes(kind));
    kinds.push(...own);
    return isNew;
  });
  return words.length === 0 ? undefined : { kinds: [...new Set(kinds)], words: words.join(' ') };
}

function wordsOf(text: string): readonly string[] {
  return spellOutForms(text).split(/[\s,/()-]+/);
}

/** Whether the name includes the piece, as in `Nurtec ODT`. */
export function isPieceIn(name: string, piece: TextPiece): boolean {
  return pieceIn(name)?.kinds.some((kind) => piece.kinds.includes(kind)) === true;
}

// RxNorm has no dose form for capsules whose content is sprinkled on food.
const ofNoForm = 'sprinkle';

/** Two different kinds of piece are two drugs. `sprinkle` contradicts nothing. */
export function comparePieces(left: TextPiece | undefined, right: TextPiece | undefined): 'same' | 'differs' | 'one' {
  const [ours, theirs] = [left, right].map((piece) => piece?.kinds.filter((kind) => kind !== ofNoForm) ?? []);
  if (ours === undefined || theirs === undefined || ours.length + theirs.length === 0) return 'same';
  if (ours.length === 0 || theirs.length === 0) return 'one';
  return ours.some((kind) => theirs.includes(kind)) ? 'same' : 'differs';
}
