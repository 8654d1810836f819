import type { Refusal } from '../fhir/references/refusals.ts';
import { formOf } from './form.ts';
import { areOfOneDrug } from './ingredient.ts';
import { isPieceIn, pieceOf, type TextPiece } from './piece.ts';
import { type Release, takeRelease } from './release.ts';
import type { Strength, Strengths } from './strength.ts';
import type { Amount } from './unit.ts';

/** One ingredient with its own strength, in the words of the source. */
export interface Component {
  readonly ingredient: string;
  readonly strength: string;
}

/** What one source (a display, a text, a Medication) says of a drug. Nothing is completed and nothing corrected. */
export interface DrugReading {
  /** As written. */
  readonly words: string;
  /** The words without those around the drug: counts, alerts, how the order stands. */
  readonly plain: string;
  /** What was read: a name of RxNorm's grammar, another text, or the elements of a Medication. */
  readonly source: 'rxnorm' | 'text' | 'structure';
  /**
   * The name to send: the brand where the product is marked as branded (`[Imuran]`), else the ingredients, with the
   * kinds of release and of the piece (`Xeljanz XR`, `lamotrigine ODT`). `atorvastatin (LIPITOR)` stays as
   * it is: EHRs write the generic so.
   */
  readonly name?: string | undefined;
  /** The names as stated. A text alone does not say whether `Jakafi` is a brand: it stands here too. */
  readonly ingredients: readonly string[];
  /** The only brand that the source marks as one: `[Humira]`, `(HUMIRA)`. */
  readonly brand?: string | undefined;
  /** All of them: `YAZ`, `GIANVI`. */
  readonly brands: readonly string[];
  /** Names in parentheses that the text does not mark as brand or ingredient: `adalimumab` of "Humira (adalimumab)". */
  readonly otherNames: readonly string[];
  /**
   * Text to send, in the words of the source: `50 MG`, `40 mg/0.4 mL`; of several ingredients each beside its name:
   * `carbidopa 25 MG / levodopa 100 MG`.
   */
  readonly strength?: string | undefined;
  /** The strength as the text has it, where `strength` puts each beside its name: `5-325 mg`. */
  readonly asWritten?: string | undefined;
  /** Of several ingredients, where each has a strength of its own; in the order of `ingredients` and `amounts`. */
  readonly components?: readonly Component[] | undefined;
  /** The strength is computed: concentration times what one container holds. */
  readonly isDerived: boolean;
  /** The strength is stated in its salts, of which a label states the sum: `20 mg` of Adderall. */
  readonly isInSalts: boolean;
  /** How it was computed. */
  readonly note?: string | undefined;
  /** Of a pack, the strengths of its products. */
  readonly inPack?: readonly string[] | undefined;
  /** Why there is no strength. */
  readonly refused?: Refusal | undefined;
  /** The strength to compare with others. */
  readonly amounts: readonly Strength[];
  /**
   * Where the strength may be several: by either meaning of a number (`1,500 MG`; there are no `amounts` then), or by
   * every way in which it
   * is stated (`1 mg/dose (4 mg/3 mL)`).
   */
  readonly possible: readonly (readonly Strength[])[];
  /** Masses of the base or the element in one piece, which the name states beside its strength: 65 mg of iron. */
  readonly bases?: readonly Amount[] | undefined;
  /** What one container holds: 0.4 mL. */
  readonly holds?: Amount | undefined;
  /** Words of the dose form without those of the release: `Oral Tablet`, `Auto-Injector`, `pen`. */
  readonly form?: string | undefined;
  readonly release?: (Release & { readonly words: string }) | undefined;
  readonly piece?: TextPiece | undefined;
  /** The route that the form names: `oral`, `ophthalmic`. */
  readonly route?: string | undefined;
  /** Every word was understood, and there is a name and a strength or a form. */
  readonly isCertain: boolean;
  /** Words that are none of a name, strength, form, release, pack or known remark: the drug is then asked. */
  readonly unread: readonly string[];
  /** Names in brackets where RxNorm has none: a brand only where the brand is known. */
  readonly doubtful: readonly string[];
  /** Words that question the order: `DISCONTINUED`, `on hold`. */
  readonly states: readonly string[];
  /** Words to be told of: `NON-FORMULARY`. */
  readonly flags: readonly string[];
}

type Told = Pick<DrugReading, 'words' | 'source' | 'ingredients' | 'brands' | 'amounts' | 'isCertain'> &
  Partial<DrugReading>;

/**
 * A reading with what follows from what was read: the name to send, the only brand, the route in the form. A `name`
 * that
 * is given is the words to send before the kind of release.
 */
export function readingOf(told: Told): DrugReading {
  const brand = told.brands.length === 1 ? told.brands[0] : undefined;
  const base = told.name ?? brand ?? (told.ingredients.length === 0 ? undefined : told.ingredients.join(' / '));
  const kinds = {
    release: told.release,
    piece: told.piece ?? pieceOf(told.form, [...told.ingredients, ...told.brands]),
    route: told.route ?? formOf(told.form)?.route,
  };
  return {
    isDerived: false,
    possible: [],
    otherNames: [],
    plain: told.words.trim(),
    unread: [],
    doubtful: [],
    states: [],
    flags: [],
    ...told,
    asWritten: told.strength,
    strength: told.components === undefined ? told.strength : eachBeside(told.components),
    isInSalts: told.components !== undefined && areOfOneDrug(told.ingredients),
    brand,
    name: base === undefined ? undefined : withKinds(base, kinds),
    piece: kinds.piece,
    route: kinds.route,
  };
}

/** Each strength beside its ingredient, so that nobody can mix them up. */
export function eachBeside(components: readonly Component[]): string {
  return components.map(({ ingredient, strength }) => `${ingredient} ${strength}`).join(' / ');
}

type Kinds = Pick<DrugReading, 'release' | 'piece' | 'route'>;

/** A name with the kinds of release and of the piece behind it, unless it says them itself, as "Toprol XL" does. */
export function withKinds(name: string, { release, piece, route }: Kinds): string {
  const isReleaseSaid = takeRelease(name.replace(/[()-]/g, ' ')).releases.length > 0;
  const isPieceSaid = piece === undefined || isPieceIn(name, piece);
  const kinds = [
    isReleaseSaid || release === undefined ? '' : releaseInShort(release.words),
    isPieceSaid ? '' : pieceInShort(piece.words, route),
  ];
  return [name, ...kinds].filter(Boolean).join(' ');
}

// As pharmacists write the dose forms of RxNorm (Technical Documentation, appendix 2). Sources: ER, Patient Safety
// Advisory (ECRI and ISMP for Pennsylvania), vol. 1 no. 4, 2004; ODT, FDA's guidance Orally Disintegrating Tablets,
// 2008; DR, general knowledge. XL, SR and their like say nothing certain (ISMP in Drug Topics, March 18, 2002).
const shortRelease: readonly (readonly [inFull: RegExp, short: string])[] = [
  [/\bextended[- ]release\b/i, 'ER'],
  [/\bdelayed[- ]release\b/i, 'DR'],
];

/** `ER 24 HR` of "24 HR Extended Release": the hours stay, since bupropion for 12 hours and for 24 are two drugs. */
function releaseInShort(words: string): string {
  const found = shortRelease.find(([inFull]) => inFull.test(words));
  if (found === undefined) return words;
  const [inFull, short] = found;
  return [short, words.replace(inFull, '').trim()].filter(Boolean).join(' ');
}

// An ODT is taken by mouth; a tablet under the tongue may disintegrate, too.
function pieceInShort(words: string, route: string | undefined): string {
  return route === undefined || route === 'oral' ? words.replace(/\bdisintegrating\b/i, 'ODT') : words;
}

/** The strengths of a reading, as compareStrengths takes them. */
export function strengthsOf(
  { form, holds }: Pick<DrugReading, 'form' | 'holds'>,
  amounts: readonly Strength[],
): Strengths {
  const { family } = formOf(form) ?? {};
  return { amounts, holds, isMeasured: family === 'liquid' && formOf(form)?.device !== 'vial' };
}
