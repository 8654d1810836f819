import { remembered } from '../remembered.ts';
import { spellOutForms } from './form-words.ts';
import { brokenNumber, readOrderText } from './order-text.ts';
import type { DrugReading } from './reading.ts';
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

const readName = remembered((text): DrugReading | undefined => {
  const clean = spellOutForms(text.replace(/[\s\u00a0]+/g, ' ').trim());
  const inGrammar = brokenNumber.test(clean) ? undefined : readRxNormName(clean, text);
  return inGrammar ?? readOrderText(clean, text);
});
