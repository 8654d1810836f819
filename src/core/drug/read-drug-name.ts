import { damagedText, isDamaged } from '../fhir/text/damage.ts';
import { memoized } from '../text-cache.ts';
import { spellOutForms } from './form-words.ts';
import { withoutMarks } from './order-marks.ts';
import { brokenNumber, readOrderText } from './order-text.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { readRxNormName } from './rxnorm-name.ts';

// The longest names of RxNorm (packs) have fewer; what is longer is a note and no name.
const longest = 2000;

/**
 * What the name of a drug says: a name of RxNorm, the display of an NDC, the text of an order. Undefined where no
 * drug is named: a form
 * or a strength alone (`250 mg capsule`), the name of a class (`ACE inhibitors, plain`), a text of more than 2,000
 * characters.
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

/** A text in single blanks, with the codes of drug files in words. */
export function plainText(text: string): string {
  return spellOutForms(text.replace(/[\s\u00a0]+/g, ' ').trim());
}

// "ON HOLD" beside a code that names the drug
function onlyMarked(words: string, states: readonly string[]): DrugReading {
  return readingOf({ words, source: 'text', ingredients: [], brands: [], amounts: [], isCertain: false, states });
}

// What is lost may be a digit of the strength or a letter of the name.
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
