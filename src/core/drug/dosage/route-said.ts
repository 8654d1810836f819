import { isDamaged } from '../../fhir/text/damage.ts';
import { memoized } from '../../text-cache.ts';

/** Words of warnings and exceptions, which do not state how the drug is given. */
const notSaid = /\b(?:avoid|not|never|don['’]?t|without|until|unless)\b/;

// Directions are a sentence or two; a longer text is not read.
const longest = 1000;

/** The sentences of directions that may state how a drug is given, in lowercase and without warnings. */
export function sentencesSaid(directions: string): string[] {
  if (directions.length > longest || isDamaged(directions)) return [];
  const words = directions.toLowerCase().replace(/\s+/g, ' ');
  return words.split(/[.;](?= |$)/).filter((sentence) => !notSaid.test(sentence));
}

/**
 * Patient wording for the three needle routes, each by its definition (FDA Data Standards Manual, Route of
 * Administration: "beneath the skin", "within a muscle", "within or into a vein"). `inject` alone may be any of them.
 */
const phrases: Readonly<Record<string, RegExp>> = {
  subcutaneous: /\b(?:(?:under|beneath) the skin|subcutaneous(?:ly)?|sub-?q|subcut)(?![a-z])/,
  intramuscular: /\b(?:into (?:a|the) muscle|intramuscular(?:ly)?)(?![a-z])/,
  intravenous: /\b(?:into (?:a|the) vein|intravenous(?:ly)?)(?![a-z])/,
};

/** The specific routes that directions state. */
export const routesSaid = memoized((directions): readonly string[] => {
  const said = sentencesSaid(directions);
  return Object.entries(phrases).flatMap(([route, phrase]) =>
    said.some((sentence) => phrase.test(sentence)) ? [route] : [],
  );
});
