import { damagedText } from '../fhir/text/damage.ts';
import { compareNames, compareOwnNames } from './compare-names.ts';
import type { DrugKnowledge } from './drug-knowledge.ts';
import { compareForms, formOf, isWhole } from './form.ts';
import { ingredientOf, isSameIngredient } from './ingredient.ts';
import { comparePieces } from './piece.ts';
import { type DrugReading, strengthsOf } from './reading.ts';
import { compareReleases } from './release.ts';
import { compareStrengths, type Strength } from './strength.ts';

/**
 * An aspect in which two readings do not agree. `unknown` means that they may agree or differ, which deserves a
 * warning.
 */
export interface DrugDifference {
  readonly aspect: 'name' | 'strength' | 'form' | 'release' | 'route';
  readonly certainty: 'differs' | 'unknown';
}

/**
 * The aspects in which two readings of one drug contradict each other in meaning, not spelling. What only one reading
 * states is no contradiction. Comparing a reading with itself checks its own brand against its ingredients.
 *
 * @example
 * // left: "Jakafi 10 mg tablet", right: "ruxolitinib 5 MG Oral Tablet"
 * compareDrugs(left, right, knowledge) // [{ aspect: 'strength', certainty: 'differs' }]
 */
export function compareDrugs(
  left: DrugReading,
  right: DrugReading,
  knowledge: DrugKnowledge,
): readonly DrugDifference[] {
  const aspects = {
    name: nameOutcome(left, right, knowledge),
    strength: strengthOutcome(left, right),
    form: formOutcome(left, right),
    release: releaseOutcome(left, right),
    route: routeOutcome(left, right),
  } as const;
  return Object.entries(aspects).flatMap(([aspect, certainty]) =>
    certainty === 'same' ? [] : [{ aspect: aspect as DrugDifference['aspect'], certainty }],
  );
}

// A reading that contradicts itself, such as "metformin (GLUCOTROL)", contradicts every other reading.
function nameOutcome(left: DrugReading, right: DrugReading, knowledge: DrugKnowledge): Outcome {
  if (left !== right && [left, right].some(({ refused }) => refused === damagedText)) return 'unknown';
  const isContradiction = [left, right].some((reading) => compareOwnNames(reading, knowledge) === 'differs');
  return isContradiction ? 'differs' : compareNames(left, right, knowledge);
}

type Outcome = 'same' | 'differs' | 'unknown';

function strengthOutcome(left: DrugReading, right: DrugReading): Outcome {
  const [ours, theirs] = [meaningsOf(left), meaningsOf(right)];
  if (ours.length === 0 || theirs.length === 0) return 'same';
  const outcomes = ours.flatMap((one) =>
    theirs.map((other) => amountsOutcome({ ...left, amounts: one }, { ...right, amounts: other })),
  );
  if (outcomes.includes('same')) return 'same';
  return outcomes.includes('unknown') ? 'unknown' : 'differs';
}

function amountsOutcome(left: DrugReading, right: DrugReading): Outcome {
  if (isSwapped(left, right)) return 'differs';
  return compareStrengths(strengthsOf(left, left.amounts), strengthsOf(right, right.amounts));
}

// Each ingredient has its own amount, so "carbidopa 25 / levodopa 100" is not "carbidopa 100 / levodopa 25".
function isSwapped(left: DrugReading, right: DrugReading): boolean {
  const counts = [left, right].flatMap(({ ingredients, amounts }) => [ingredients.length, amounts.length]);
  if (left.ingredients.length < 2 || new Set(counts).size > 1) return false;
  return left.ingredients.some((name, index) => {
    const other = right.ingredients.findIndex((one) => isSameIngredient(ingredientOf(one), ingredientOf(name)));
    const [ours, theirs] = [left.amounts[index], right.amounts[other]];
    if (ours === undefined || theirs === undefined) return false;
    return compareStrengths(strengthsOf(left, [ours]), strengthsOf(right, [theirs])) === 'differs';
  });
}

// If a strength is ambiguous or stated in two ways, agreement with either meaning is enough.
function meaningsOf({ amounts, possible }: DrugReading): readonly (readonly Strength[])[] {
  return (possible.length > 0 ? possible : [amounts]).filter((one) => one.length > 0);
}

function formOutcome(left: DrugReading, right: DrugReading): Outcome {
  const [ours, theirs] = [formOf(left.form), formOf(right.form)];
  if (ours === undefined || theirs === undefined) return 'same';
  return compareForms(ours, theirs);
}

function releaseOutcome(left: DrugReading, right: DrugReading): Outcome {
  if (isCoatedAndChewed(left, right) || isCoatedAndChewed(right, left)) return 'differs';
  // Pieces are compared only within one form, because a capsule and a chewable tablet already differ in form.
  const isOfOneForm = formOutcome(left, right) === 'same';
  const pieces = isOfOneForm ? comparePieces(left.piece, right.piece) : 'same';
  if (pieces === 'differs') return 'differs';
  return pieces === 'one' && isPlain(left.piece === undefined ? left : right) ? 'differs' : speedOutcome(left, right);
}

// A tablet with a delayed-release coating must not be chewed.
function isCoatedAndChewed(coated: DrugReading, chewed: DrugReading): boolean {
  const isChewable = chewed.piece?.kinds.includes('chewable') === true && chewed.release === undefined;
  return isChewable && coated.release?.kind === 'delayed' && coated.piece === undefined;
}

function speedOutcome(left: DrugReading, right: DrugReading): Outcome {
  if (left.release !== undefined && right.release !== undefined) return compareReleases(left.release, right.release);
  const [stated, silent] = left.release === undefined ? [right, left] : [left, right];
  if (stated.release === undefined || stated.release.kind === 'immediate') return 'same';
  return isPlain(silent) ? 'differs' : 'same';
}

// RxNorm's "Oral Tablet" is a plain tablet, but "tablet" may be any kind of tablet.
function isPlain({ form: words }: DrugReading): boolean {
  const form = formOf(words);
  return form !== undefined && isWhole(form);
}

// Drugs on the skin are called topical or transdermal, and RxNorm calls some oropharyngeal lozenges oral.
const alike = [new Set(['topical', 'transdermal']), new Set(['oral', 'oropharyngeal'])];

function routeOutcome({ route: ours }: DrugReading, { route: theirs }: DrugReading): Outcome {
  if (ours === undefined || theirs === undefined || ours === theirs) return 'same';
  return alike.some((one) => one.has(ours) && one.has(theirs)) ? 'same' : 'differs';
}
