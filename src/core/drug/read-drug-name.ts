import { damagedText, isDamaged } from '../fhir/text/damage.ts';
import { memoized } from '../text-cache.ts';
import { spellOutForms } from './form-words.ts';
import { withoutMarks } from './order-marks.ts';
import { brokenNumber, readOrderText } from './order-text.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { readRxNormName } from './rxnorm-name.ts';

// In characters. The longest RxNorm names, those of packs, are shorter; a longer text is a note.
const longest = 2000;

/**
 * Reads the name of a drug: an RxNorm name, the display of an NDC, or the text of an order. Undefined for more than
 * 2,000 characters, or when the text has no drug name but only a form or strength (`250 mg capsule`) or a class (`ACE
 * inhibitors, plain`).
 *
 * @example readDrugName('azathioprine 50 MG Oral Tablet [Imuran]')?.strength // '50 MG'
 */
export function readDrugName(text: string): DrugReading | undefined {
  if (text.length > longest) return undefined;
  return readName(text);
}

const readName = memoized((text): DrugReading | undefined => {
  if (isDamaged(text)) return damagedName(text);
  const { text: clean, states, flags, inFront } = withoutMarks(plainText(text));
  const inGrammar = brokenNumber.test(clean) ? undefined : readRxNormName(clean, text);
  const reading = inGrammar ?? readOrderText(clean, text);
  if (reading === undefined) return states.length === 0 ? undefined : onlyMarked(text, states);
  if (clean === text) return reading;
  return { ...reading, plain: clean, states, flags, doubtful: [...reading.doubtful, ...inFront] };
});

/** A text with single spaces and the codes of drug files spelled out. */
export function plainText(text: string): string {
  return spellOutForms(text.replace(/[\s\u00a0]+/g, ' ').trim());
}

// The text of an order may be only "ON HOLD", while a code identifies the drug.
function onlyMarked(words: string, states: readonly string[]): DrugReading {
  return readingOf({ words, source: 'text', ingredients: [], brands: [], amounts: [], isCertain: false, states });
}

// The lost characters may be a digit of the strength or a letter of the name.
function damagedName(words: string): DrugReading {
  return readingOf({
    words,
    source: 'text',
    ingredients: [],
    brands: [],
    amounts: [],
    isCertain: false,
    refused: damagedText,
  });
}
