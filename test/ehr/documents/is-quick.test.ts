import { expect, test } from 'vitest';
import { isQuick } from '../../../src/ehr/documents/is-quick.ts';
import { base64 } from './support.ts';

test('R2: only a small text is read on the thread that answers requests', () => {
  expect(isQuick(base64('Joint pain for six months.'))).toBe(true);
  expect(isQuick(base64('<p>Joint pain</p>'))).toBe(true);
  expect(isQuick(base64(' '.repeat(1_000_000)))).toBe(false);
});

test('R2: a PDF or RTF is not, however small it is and however its base64 is broken into lines', () => {
  expect(isQuick(base64('%PDF-1.4'))).toBe(false);
  expect(isQuick(base64(String.raw`{\rtf1 a}`))).toBe(false);
  expect(isQuick(`\n${[...base64('%PDF-1.4')].join('\n  ')}`)).toBe(false);
});
