import { writtenNumber } from './number.ts';
import type { Quantity } from './order-tokens.ts';
import { unitOf } from './unit.ts';

/**
 * Resolves ambiguous commas, assuming that every ambiguous comma in one text means the same. In `3,500` beside `12,000`
 * or `0.5` it separates thousands; in `1,125` beside `0,25` it is a decimal comma. The quantities stay unchanged when
 * the text does not show the meaning.
 */
export function settleCommas(quantities: readonly Quantity[]): readonly Quantity[] {
  if (!quantities.some((one) => one.numbers.some((number) => isOpen(number, one)))) return quantities;
  const divides = quantities.some((one) => numbersOf(one).some((number) => isDivided(number, one)));
  const isDecimal = quantities.some((one) => numbersOf(one).some((number) => decimalComma.test(number)));
  return divides === isDecimal ? quantities : quantities.map((one) => settled(one, divides ? '' : '.'));
}

export function respelled(one: Quantity, number: string, plain: string): Quantity {
  const numbers = one.numbers.map((each) => (each === number ? plain : each));
  return { ...one, words: one.words.replace(number, plain), numbers };
}

function numbersOf({ numbers, per }: Quantity): readonly string[] {
  return per?.number === undefined ? numbers : [...numbers, per.number];
}

function isOfActivity({ units }: Quantity): boolean {
  return unitOf(units[0] ?? '')?.unit === 'unit';
}

function isOpen(number: string, one: Quantity): boolean {
  return writtenNumber(number, isOfActivity(one)).values.length > 1;
}

// A text with a decimal point has no decimal commas.
function isDivided(number: string, one: Quantity): boolean {
  return /\d?\.\d|,000$|(?:,\d{3}){2}/.test(number) || (isOfActivity(one) && /\d,\d{3}$/.test(number));
}

const decimalComma = /^(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))$/;

function settled(one: Quantity, sign: '' | '.'): Quantity {
  return one.numbers
    .filter((number) => isOpen(number, one))
    .reduce((quantity, number) => respelled(quantity, number, number.replace(',', sign)), one);
}
