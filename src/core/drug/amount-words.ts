/** Units that are counted or measured in a word; a code, a symbol or what a person wrote stays as it is. */
const words: ReadonlySet<string> = new Set(
  (
    'tablet capsule patch film inhaler applicator pack vial pen syringe suppository kit ' +
    'milliliter liter gram milligram microgram unit'
  ).split(' '),
);

/**
 * An amount with its unit as people say it.
 * @example amountWords('84', 'tablet') // '84 tablets'
 */
export function amountWords(amount: string, unit: string): string {
  if (unit === '') return amount;
  if (amount === '1' || !words.has(unit)) return `${amount} ${unit}`;
  if (unit.endsWith('y')) return `${amount} ${unit.slice(0, -1)}ies`;
  return `${amount} ${unit}${unit.endsWith('ch') ? 'es' : 's'}`;
}

/** The same of a text of an amount and its unit: `84 tablets` of `84 tablet`; every other text as it is. */
export function amountsInWords(text: string): string {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ([a-z]+)$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? text : amountWords(amount, unit);
}
