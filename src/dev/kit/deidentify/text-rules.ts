import { isFhirCode } from '../../../core/fhir/model/codes.ts';
import { isKeptDisplay, isMedicationConcept, keptDisplays } from './concepts.ts';
import type { Means, TextRule } from './means.ts';
import { isPublicCode } from './public-systems.ts';
import { isAmountWord, publicUnitWords, publicWords } from './public-words.ts';
import { splitWords } from './split-words.ts';

export const prose: TextRule = (text, _, { standIns }) => standIns.prose(text);
export const shape: TextRule = (text, _, { standIns }) => standIns.shape(text);
export const personNameRule: TextRule = (text, _, { standIns }) => standIns.name(text);
export const title: TextRule = (text, _, means) => means.standIns.name(text, (word) => isPublicWord(word, means));

/**
 * A text of up to three public words is kept ("Negative", "Medical record number"). A number with letters keeps its
 * shape. Anything else is replaced as prose.
 */
export const phrase: TextRule = (text, _, means) => {
  const words = splitWords(text);
  if (words.length <= 3 && words.every((word) => isPublicWord(word, means))) return text;
  return /\d/.test(text) && !/\s/.test(text.trim()) ? means.standIns.shape(text) : means.standIns.prose(text);
};

// Words of a person's name and numbers are never public.
function isPublicWord(word: string, { names, named, drugWords }: Means): boolean {
  return (
    !names.has(word) &&
    (publicWords.has(word) ||
      (drugWords.has(word) && !/\d/.test(word)) ||
      (isFhirCode(word) && !/\d/.test(word)) ||
      named.has(word) ||
      /^[a-z]$/.test(word))
  );
}

// In a drug's text, a date, an email address or a telephone number is not a strength.
const noStrength = /\d{4}-\d{2}|\d\/\d{1,2}\/\d{2}|@|(?:\d[ ().-]{0,3}){7}/;

/** Replaces a drug's name word by word. Public words, words of kept displays, and amounts are kept. */
export const drugNameRule: TextRule = (text, _, means) => {
  const isAmount = noStrength.test(text) ? () => false : isAmountWord;
  const isKept = (word: string) =>
    isPublicWord(word, means) || (means.displayWords.has(word) && !means.names.has(word)) || isAmount(word);
  return means.standIns.name(text, isKept, 100);
};

export const conceptRule: TextRule = (text, place, means) => {
  const same = keptDisplays(place.parent).some((display) => display.trim().toLowerCase() === text.trim().toLowerCase());
  if (same) return text;
  return place.above !== undefined && isMedicationConcept(place.above)
    ? drugNameRule(text, place, means)
    : phrase(text, place, means);
};

export const codingDisplay: TextRule = (text, place, means) => {
  if (isKeptDisplay(place.parent)) return text;
  const concept = place.above?.above;
  return concept !== undefined && isMedicationConcept(concept)
    ? drugNameRule(text, place, means)
    : phrase(text, place, means);
};

export const unit: TextRule = (text, place, means) => {
  const { system, code } = place.parent;
  const isPublic = splitWords(text).every((word) => publicUnitWords.has(word)) && !/\d{2}/.test(text);
  const isCode = text === code && typeof system === 'string' && isPublicCode(system, text);
  return isPublic || isCode ? text : phrase(text, place, means);
};

const people = /(?:^|\/)(?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)(?:[/?]|$)/;

export const referenceDisplay: TextRule = (text, place, means) => {
  const { reference: to, type } = place.parent;
  const stated = typeof to === 'string' && !to.startsWith('#') ? to : type;
  const targets = place.above?.element.targets ?? [];
  if (typeof stated === 'string' && people.test(stated)) return personNameRule(text, place, means);
  if (place.above !== undefined && isMedicationConcept(place.above)) return drugNameRule(text, place, means);
  if (targets.length > 0 && targets.every((target) => people.test(target))) return personNameRule(text, place, means);
  return title(text, place, means);
};
