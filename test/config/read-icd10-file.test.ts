import { describe, expect, test } from 'vitest';
import { readIcd10File, yearOf } from '../../src/config/read-icd10-file.ts';
import { orderLine, smallFile } from './order-lines.ts';

const codesOf = (text: string) => {
  const read = readIcd10File(text);
  return 'codes' in read ? read.codes : [];
};

describe('an ICD-10-CM order file', () => {
  test('gives each code with its dot, its long description and whether it may be submitted', () => {
    expect(readIcd10File(smallFile)).toMatchObject({ billable: 9 });
    expect(codesOf(smallFile)).toHaveLength(12);
    expect(codesOf(smallFile)[6]).toEqual({
      code: 'M05.79',
      title: 'Rheumatoid arthritis with rheumatoid factor of multiple sites without organ or systems involvement',
      billable: true,
    });
    expect(codesOf(smallFile)[2]).toEqual({ code: 'L40', title: 'Psoriasis', billable: false });
  });

  test.each([
    ['line feeds', smallFile.replaceAll('\r\n', '\n')],
    ['a line end behind the last line', `${smallFile}\r\n`],
    ['a byte order mark', `\ufeff${smallFile}`],
    ['lines padded with blanks', smallFile.replaceAll('\r\n', '    \r\n')],
  ])('is the same with %s', (_, text) => {
    expect(codesOf(text)).toEqual(codesOf(smallFile));
  });

  test('whose line has no long description gives the short one', () => {
    const line = orderLine(1, 'I10', 1, 'Essential (primary) hypertension').slice(0, 76);
    expect(codesOf(line)).toEqual([{ code: 'I10', title: 'Essential (primary) hypertension', billable: true }]);
  });

  test.each([
    ['M05.79 Rheumatoid arthritis', 'columns 1 to 5 are no order number'],
    [orderLine(1, '???', 1, 'Something'), 'columns 7 to 13 are no ICD-10-CM code'],
    [orderLine(1, 'I10', 1, 'Something').replace('I10     1', 'I10     X'), 'column 15 is neither 0 nor 1'],
    [orderLine(1, 'I10', 1, ''), 'it has no description'],
  ])('with the line %j is refused, by the line', (line, reason) => {
    expect(readIcd10File(`${smallFile}\r\n${line}`)).toEqual({ problems: [{ line: 13, reason }] });
  });

  test('that names one code twice is refused', () => {
    const again = orderLine(13, 'I10', 1, 'Essential (primary) hypertension');
    expect(readIcd10File(`${smallFile}\r\n${again}`)).toEqual({
      problems: [{ line: 13, reason: 'I10 stands twice' }],
    });
  });

  test('without a code that may be submitted is none', () => {
    expect(readIcd10File(orderLine(1, 'L40', 0, 'Psoriasis'))).toEqual({
      problems: [{ line: 1, reason: 'the file has no code that is valid for submission' }],
    });
  });

  test('that is something else altogether is refused after a few lines', () => {
    const read = readIcd10File('{"a": 1}\n'.repeat(1000));
    expect('problems' in read && read.problems).toHaveLength(5);
  });
});

test.each([
  ['icd10cm_order_2026.txt', '2026'],
  ['icd10cm-order-2027.txt', '2027'],
  ['order.txt', undefined],
])('the year of %s is %s', (name, year) => {
  expect(yearOf(name)).toBe(year);
});
