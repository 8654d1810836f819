import { decodeHTMLStrict } from 'entities';
import { expect, test } from 'vitest';
import { decodeHtmlEscape } from '../../../src/core/fhir/text/html-escapes.ts';
import { htmlNames } from '../../../src/core/fhir/text/html-names.ts';

test('an escape of HTML is what it stands for', () => {
  expect(decodeHtmlEscape('&eacute;')).toBe('é');
  expect(decodeHtmlEscape('&#233;')).toBe('é');
  expect(decodeHtmlEscape('&#XE9;')).toBe('é');
  expect(decodeHtmlEscape('&NotEqualTilde;')).toBe('\u2242\u0338');
  expect(decodeHtmlEscape('&#150;')).toBe('–');
  expect(decodeHtmlEscape('&#0;')).toBe('\ufffd');
  expect(decodeHtmlEscape('&#xd800;')).toBe('\ufffd');
  expect(decodeHtmlEscape('&#x110000;')).toBe('\ufffd');
});

test('what is no escape of HTML stands for nothing', () => {
  for (const text of ['&Smith;', '&eacute', 'é', '&#;', '&#1f;', '&#x;', '&EACUTE;', '& eacute;', ''])
    expect(decodeHtmlEscape(text), text).toBeUndefined();
});

// The standard has 2,125 names that end in a semicolon; the library is another implementation of it.
test('the names are those of the HTML Standard, and so is each number', () => {
  const names = htmlNames
    .trim()
    .split(/\s/)
    .map((row) => `&${row.split(':')[0]};`);
  const numbers = Array.from({ length: 0x3000 }, (_, code) => `&#${code};`);
  expect(new Set(names).size).toBe(2125);
  const other = [...names, ...numbers].filter((written) => decodeHtmlEscape(written) !== decodeHTMLStrict(written));
  expect(other).toEqual([]);
});
