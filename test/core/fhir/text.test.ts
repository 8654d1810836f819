import { describe, expect, test } from 'vitest';
import { meaningful } from '../../../src/core/fhir/text/placeholder.ts';
import { cleanLines, cleanText, visibleText } from '../../../src/core/fhir/text/text.ts';

describe('cleanText', () => {
  test.each([
    ['plain', 'Methotrexate 2.5 MG Oral Tablet', 'Methotrexate 2.5 MG Oral Tablet'],
    ['blanks around and doubled', '  Ada \t\n Fenwick\u00a0 ', 'Ada Fenwick'],
    ['letters outside of ASCII', 'Zoë Åström 山田', 'Zoë Åström 山田'],
    ['NFD becomes NFC', 'Zoe\u0308', 'Zo\u00eb'],
    ['D21 NUL and other control characters', 'Fen\u0000wi\u0007ck\u009f', 'Fenwick'],
    ['D21 zero-width characters', 'Fen\u200bwi\u200dck\ufeff\u2060', 'Fenwick'],
    ['D21 marks of the direction of writing', '\u202eFenwick\u202c \u2066Ada\u2069\u200f\u061c', 'Fenwick Ada'],
    ['D21 characters made to hide text', 'Ada\u{e0041}\u{e0042}\u00ad', 'Ada'],
    ['D21 half a character', 'Ada\ud83d Fenwick', 'Ada Fenwick'],
    ['a zero-width character between blanks leaves one', 'Ada \u200b Fenwick', 'Ada Fenwick'],
    ['nothing but what cannot be seen', '\u200b\u0000 \u202e', ''],
    ['a line separator is a blank', 'Ada\u2028Fenwick', 'Ada Fenwick'],
    ['markup stays what it is, text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_, given, expected) => {
    expect(cleanText(given)).toBe(expected);
    expect(cleanText(expected)).toBe(expected);
  });
});

describe('cleanLines', () => {
  test.each([
    ['lines stay', 'Take 1 tablet\r\nwith food', 'Take 1 tablet\nwith food'],
    ['what is set in columns stays', 'Mon  1\nTue  2', 'Mon  1\nTue  2'],
    ['D21 what cannot be seen goes', 'Take\u0000 1\u202e tablet \u200b\nwith food\u0007\n', 'Take 1 tablet\nwith food'],
  ])('%s', (_, given, expected) => {
    expect(cleanLines(given)).toBe(expected);
  });
});

// Each of them took minutes with an expression that tries again from every character.
describe('D21 a text of megabytes is cleaned in time that grows with its length', () => {
  const size = 2_000_000;
  test.each([
    ['blanks', `a${' '.repeat(size)}b`, 'a b'],
    ['line breaks', `a${' \n'.repeat(size / 2)}b`, 'a b'],
    ['zero-width characters', `a${'\u200b'.repeat(size)}b`, 'ab'],
    ['words', `${'Ada '.repeat(size / 4)}\u0000`, 'Ada '.repeat(size / 4).trim()],
    ['one word', 'a'.repeat(size), 'a'.repeat(size)],
  ])('%s', (_, given, expected) => {
    expect(cleanText(given) === expected).toBe(true);
    expect(meaningful(given) === expected).toBe(true);
  });

  test('marks on one letter in the wrong order', () => {
    const marks = '\u0315\u0300'.repeat(size / 2);
    expect(cleanText(`a${marks}b`).length).toBeLessThan(40);
    expect(cleanText(`a${marks}b`).endsWith('b')).toBe(true);
  });

  test('lines that end in blanks', () => {
    expect(cleanLines(`a${' '.repeat(size)}\n${' '.repeat(size)}b`)).toBe(`a\n${' '.repeat(size)}b`);
  });
});

test('a long text is cleaned as if all of it were looked at, whatever stands beside what', () => {
  const whole = (text: string) =>
    text
      .replace(/(?![\t-\r])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .replace(/(\p{M}{30})\p{M}+/gu, '$1')
      .normalize('NFC');
  const parts = ['a', 'e', ' ', '\n', '<b>', '\u0301', '\u0323', '\u200b', '\u0000', '\u007f', '\ud83d', '\u1100'];
  const more = ['é', '\u212b', '\u1161', '\u{1f600}', '\ufeff', '\u0301'.repeat(40), 'ﬁ', '\u202e', '’'];
  const all = [...parts, ...more];
  for (const one of all)
    for (const two of all)
      for (const three of all) {
        const text = `x${one}${two}${three}y${two}`;
        expect(visibleText(text), JSON.stringify(text)).toBe(whole(text));
      }
});
