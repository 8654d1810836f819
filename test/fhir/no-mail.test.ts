import { describe, expect, test } from 'vitest';
import { saysNoMail } from '../../src/fhir/no-mail.ts';

describe('no letter reaches the patient there [K5]', () => {
  test.each([
    [['HOMELESS']],
    [['No fixed address']],
    [['BAD ADDRESS - MAIL RETURNED']],
    [['UNKNOWN']],
    [['Undomiciled']],
    [['Returned mail']],
    [['moved, no forwarding']],
    [['Homeless, stays with friends']],
    [['NO PERMANENT ADDRESS']],
    [['Unhoused - contact by phone']],
    [['Address unknown']],
    [['RETURN TO SENDER 3/14/26']],
    [['MAIL RETURNED as of 2025']],
    [['Pt refused']],
    [['living in a tent']],
    [['no shelter, homeless']],
    [['DO NOT MAIL']],
    [['No longer lives here']],
    [['NFA']],
    [['12 Quillback Lane', 'BAD ADDRESS']],
    [['Quillback Lane', 'returned to sender']],
  ])('%j', (line) => {
    expect(saysNoMail({ line, city: 'Marlow Falls' })).toBe(true);
  });

  test('a city that says so', () => {
    expect(saysNoMail({ line: ['UNKNOWN'], city: 'UNKNOWN' })).toBe(true);
    expect(saysNoMail({ city: 'HOMELESS' })).toBe(true);
  });
});

describe('is an address [K5]', () => {
  test.each([
    [['12 Quillback Lane']],
    [['Homeless, 123 Main St']],
    [['PO Box 77, homeless']],
    [['P.O. Box Q']],
    [['General Delivery']],
    [['HOMELESS', 'General Delivery']],
    [['HOMELESS', 'c/o Unity Shelter, 40 Alder Court']],
    [['Unity House homeless shelter']],
    [['Salvation Army']],
    [['Homeless - St. Anne Mission']],
    [['Bad Axe Road']],
    [['Homestead Lane']],
    [['Rural Route', 'Marlow Falls']],
    [['Transit Center, bay C']],
    [['No Name Road']],
    [['Return Creek Ranch']],
    [['The Hollow']],
    [[]],
  ])('%j', (line) => {
    expect(saysNoMail({ line, city: 'Marlow Falls' })).toBe(false);
  });

  test('what is no text says nothing', () => {
    expect(saysNoMail({ line: [7 as unknown as string] })).toBe(false);
    expect(saysNoMail({})).toBe(false);
  });
});
