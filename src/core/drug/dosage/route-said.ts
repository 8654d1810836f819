import { isDamaged } from '../../fhir/text/damage.ts';
import { memoized } from '../../text-cache.ts';

/** Words of warnings and exceptions. They do not state how the drug is given. */
const notSaid = /\b(?:avoid|not|never|don['’]?t|without|until|unless)\b/;

const longest = 1000;

/**
 * The sentences of directions in lowercase, without warnings. They may state how a drug is given. Empty for directions
 * over 1000 characters.
 */
export function sentencesSaid(directions: string): string[] {
  if (directions.length > longest || isDamaged(directions)) return [];
  const words = directions.toLowerCase().replace(/\s+/g, ' ');
  return words.split(/[.;](?= |$)/).filter((sentence) => !notSaid.test(sentence));
}

/**
 * Patient wording for the three needle routes, by definition (FDA Data Standards Manual, Route of Administration:
 * "beneath the skin", "within a muscle", "within or into a vein"). `inject` alone may be any of the three.
 */
const phrases: Readonly<Record<string, RegExp>> = {
  subcutaneous: /\b(?:(?:under|beneath) the skin|subcutaneous(?:ly)?|sub-?q|subcut)(?![a-z])/,
  intramuscular: /\b(?:into (?:a|the) muscle|intramuscular(?:ly)?)(?![a-z])/,
  intravenous: /\b(?:into (?:a|the) vein|intravenous(?:ly)?)(?![a-z])/,
};

export const routesSaid = memoized((directions): readonly string[] => {
  const said = sentencesSaid(directions);
  return Object.entries(phrases).flatMap(([route, phrase]) =>
    said.some((sentence) => phrase.test(sentence)) ? [route] : [],
  );
});
