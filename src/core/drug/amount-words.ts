/** Units that are words with a plural. Codes, symbols and free text stay unchanged. */
const words: ReadonlySet<string> = new Set(
  (
    'tablet capsule patch film inhaler applicator pack vial pen syringe suppository kit ' +
    'milliliter liter gram milligram microgram unit'
  ).split(' '),
);

/**
 * An amount with its unit, in the plural where needed.
 * @example amountWords('84', 'tablet') // '84 tablets'
 */
export function amountWords(amount: string, unit: string): string {
  if (unit === '') return amount;
  if (amount === '1' || !words.has(unit)) return `${amount} ${unit}`;
  if (unit.endsWith('y')) return `${amount} ${unit.slice(0, -1)}ies`;
  return `${amount} ${unit}${unit.endsWith('ch') ? 'es' : 's'}`;
}

/** Puts the unit of a text such as `84 tablet` in the plural. Returns any other text unchanged. */
export function amountsInWords(text: string): string {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ([a-z]+)$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? text : amountWords(amount, unit);
}
