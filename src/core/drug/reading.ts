import type { Refusal } from '../fhir/references/refusals.ts';
import { formOf } from './form.ts';
import { areOfOneDrug } from './ingredient.ts';
import { isPieceIn, pieceOf, type TextPiece } from './piece.ts';
import { type Release, takeRelease } from './release.ts';
import type { Strength, Strengths } from './strength.ts';
import type { Amount } from './unit.ts';

export interface Component {
  readonly ingredient: string;
  readonly strength: string;
}

/** What one source (a display, a text, a Medication) states about a drug. Nothing is added or corrected. */
export interface DrugReading {
  readonly words: string;
  readonly plain: string;
  /** The kind of source: an RxNorm name, another text, or the elements of a Medication. */
  readonly source: 'rxnorm' | 'text' | 'structure';
  /**
   * The name to send: a brand that the source marks (`[Imuran]`) or else the ingredients, with release and piece
   * (`Xeljanz XR`, `lamotrigine ODT`). `atorvastatin (LIPITOR)` stays as written, because EHRs write generics this way.
   */
  readonly name?: string | undefined;
  /**
   * The names in the source. A text alone does not show whether `Jakafi` is a brand, so an unmarked brand is here too.
   */
  readonly ingredients: readonly string[];
  /** The marked brand, if there is exactly one: `[Humira]`, `(HUMIRA)`. */
  readonly brand?: string | undefined;
  /** All marked brands: `YAZ`, `GIANVI`. */
  readonly brands: readonly string[];
  /**
   * Names in parentheses that the text marks neither as brand nor as ingredient: `adalimumab` in "Humira (adalimumab)".
   */
  readonly otherNames: readonly string[];
  /**
   * The strength to send, in the words of the source: `50 MG`, `40 mg/0.4 mL`. Each of several ingredients has its
   * strength: `carbidopa 25 MG / levodopa 100 MG`.
   */
  readonly strength?: string | undefined;
  /** The strength in the words of the text (`5-325 mg`), if `strength` places each part after its ingredient. */
  readonly asWritten?: string | undefined;
  /** Several ingredients with their own strengths, in the order of `ingredients` and `amounts`. */
  readonly components?: readonly Component[] | undefined;
  /** The strength is computed: concentration times the volume of one container. */
  readonly isDerived: boolean;
  /** The strength is stated for each salt, while the label states the sum: `20 mg` of Adderall. */
  readonly isInSalts: boolean;
  /** How the strength was computed. */
  readonly note?: string | undefined;
  /** The strengths of the products in a pack. */
  readonly inPack?: readonly string[] | undefined;
  /** Why there is no strength. */
  readonly refused?: Refusal | undefined;
  /** The strength to compare with others. */
  readonly amounts: readonly Strength[];
  /**
   * The possible strengths if a number or the whole strength is ambiguous: `1,500 MG`, `1 mg/dose (4 mg/3 mL)`. For an
   * ambiguous number, `amounts` is empty.
   */
  readonly possible: readonly (readonly Strength[])[];
  /** The mass of the base or element in one piece, if the name states it beside the strength: 65 mg of iron. */
  readonly bases?: readonly Amount[] | undefined;
  /** The content of one container: 0.4 mL. */
  readonly holds?: Amount | undefined;
  /** The words of the dose form without those of the release: `Oral Tablet`, `Auto-Injector`, `pen`. */
  readonly form?: string | undefined;
  readonly release?: (Release & { readonly words: string }) | undefined;
  readonly piece?: TextPiece | undefined;
  /** The route in the words of the form: `oral`, `ophthalmic`. */
  readonly route?: string | undefined;
  /** Every word was understood, and the reading has a name with a strength or a form. */
  readonly isCertain: boolean;
  /** Words that were not understood. If there are any, a person has to confirm the drug. */
  readonly unread: readonly string[];
  /** Names in brackets where RxNorm has none. Each is a brand only if the tables have it. */
  readonly doubtful: readonly string[];
  /** Words that question the order: `DISCONTINUED`, `on hold`. */
  readonly states: readonly string[];
  /** Remarks to show to the user: `NON-FORMULARY`. */
  readonly flags: readonly string[];
}

type StatedParts = Pick<DrugReading, 'words' | 'source' | 'ingredients' | 'brands' | 'amounts' | 'isCertain'> &
  Partial<DrugReading>;

/**
 * Completes a reading: the name to send, the only brand, the route of the form. A given `name` replaces the computed
 * one and still gets the release.
 */
export function readingOf(stated: StatedParts): DrugReading {
  const brand = stated.brands.length === 1 ? stated.brands[0] : undefined;
  const base = stated.name ?? brand ?? (stated.ingredients.length === 0 ? undefined : stated.ingredients.join(' / '));
  const kinds = {
    release: stated.release,
    piece: stated.piece ?? pieceOf(stated.form, [...stated.ingredients, ...stated.brands]),
    route: stated.route ?? formOf(stated.form)?.route,
  };
  return {
    isDerived: false,
    possible: [],
    otherNames: [],
    plain: stated.words.trim(),
    unread: [],
    doubtful: [],
    states: [],
    flags: [],
    ...stated,
    asWritten: stated.strength,
    strength: stated.components === undefined ? stated.strength : eachBeside(stated.components),
    isInSalts: stated.components !== undefined && areOfOneDrug(stated.ingredients),
    brand,
    name: base === undefined ? undefined : withKinds(base, kinds),
    piece: kinds.piece,
    route: kinds.route,
  };
}

/** Places each strength after its ingredient, so that strengths cannot be confused. */
export function eachBeside(components: readonly Component[]): string {
  return components.map(({ ingredient, strength }) => `${ingredient} ${strength}`).join(' / ');
}

type Kinds = Pick<DrugReading, 'release' | 'piece' | 'route'>;

/** Adds release and piece to a name, unless the name includes them, as "Toprol XL" does. */
export function withKinds(name: string, { release, piece, route }: Kinds): string {
  const isReleaseSaid = takeRelease(name.replace(/[()-]/g, ' ')).releases.length > 0;
  const isPieceSaid = piece === undefined || isPieceIn(name, piece);
  const kinds = [
    isReleaseSaid || release === undefined ? '' : releaseInShort(release.words),
    isPieceSaid ? '' : pieceInShort(piece.words, route),
  ];
  return [name, ...kinds].filter(Boolean).join(' ');
}

// Abbreviations that pharmacists use for the dose forms of RxNorm (Technical Documentation, appendix 2). Sources: ER,
// Patient Safety Advisory (ECRI and ISMP for Pennsylvania), vol. 1 no. 4, 2004; ODT, FDA's guidance Orally
// Disintegrating Tablets, 2008; DR, general knowledge. XL, SR and similar abbreviations have no fixed meaning (ISMP in
// Drug Topics, March 18, 2002).
const shortRelease: readonly (readonly [inFull: RegExp, short: string])[] = [
  [/\bextended[- ]release\b/i, 'ER'],
  [/\bdelayed[- ]release\b/i, 'DR'],
];

/**
 * "24 HR Extended Release" becomes `ER 24 HR`. The hours stay, because bupropion for 12 hours and for 24 hours are two
 * drugs.
 */
function releaseInShort(words: string): string {
  const found = shortRelease.find(([inFull]) => inFull.test(words));
  if (found === undefined) return words;
  const [inFull, short] = found;
  return [short, words.replace(inFull, '').trim()].filter(Boolean).join(' ');
}

// An ODT is taken by mouth, but a tablet under the tongue may disintegrate too.
function pieceInShort(words: string, route: string | undefined): string {
  return route === undefined || route === 'oral' ? words.replace(/\bdisintegrating\b/i, 'ODT') : words;
}

export function strengthsOf(
  { form, holds }: Pick<DrugReading, 'form' | 'holds'>,
  amounts: readonly Strength[],
): Strengths {
  const { family } = formOf(form) ?? {};
  return { amounts, holds, isMeasured: family === 'liquid' && formOf(form)?.device !== 'vial' };
}
