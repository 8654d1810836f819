import { expect, test } from 'vitest';
import { isPlaceholder, meaningful } from '../../../src/core/fhir/text/placeholder.ts';

// Words that stand where a value should be, by hand: of each the writings that charts have.
const placeholders = ['na', 'n/a', 'N.A.', 'None', 'NULL', 'unknown', 'Unk', 'TBD', 'xxx', 'Asked but unknown'];
const patterns = [':', '-', '--', '. .', ':None:None', 'none none', 'N/A : N/A', '0-0', '000-00', '00 00', '/_|'];
const values = ['Nadia', 'Boston', 'Ann', 'MA', '02115', 'x', 'Nona', 'Unkel', 'Tbd Street', 'None Such', '0', '10-0'];

test.each([...placeholders, ...patterns])('%j stands where a value should be', (text) => {
  for (const one of [text, text.toUpperCase(), text.toLowerCase(), ` ${text}`, `${text}\t`, `\u00a0${text}\u2003`])
    expect(isPlaceholder(one), JSON.stringify(one)).toBe(true);
});

test.each(values)('%j is a value', (text) => {
  expect(isPlaceholder(text)).toBe(false);
  expect(meaningful(` ${text} `)).toBe(text);
});

test('no other letter before or after a placeholder makes it pass for one, none within it for a value', () => {
  for (const word of ['none', 'unknown', 'tbd'])
    for (let code = 0x21; code < 0x7f; code += 1) {
      const sign = String.fromCharCode(code);
      const isPunctuated = word === 'none' && sign === ':'; // ":none" is written by programs
      expect([sign, isPlaceholder(`${sign}${word}`)]).toEqual([sign, isPunctuated]);
      expect([sign, isPlaceholder(`${word}${sign}`)]).toEqual([sign, isPunctuated]);
    }
});
