import { describe, expect, test } from 'vitest';
import { isNoCity, saysNoMail } from '../../../src/core/fhir/text/no-mail.ts';

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
    [['12 Oak St *BAD ADDRESS*']],
    [['12 Oak St - returned mail']],
    [['MAIL RETURNED 3/2/26 12 Oak St']],
    [['12 Oak St (undeliverable)']],
    [['12 Oak St DECEASED']],
    [['PO Box 12 - return to sender']],
    [['12 Oak St - do not mail']],
    [['OLD ADDRESS 12 Oak St']],
    [['12 Oak St, needs updating']],
    [['Needs update']],
    [['Address needs to be verified']],
    [['See above']],
    [['see face sheet']],
    [['address on file']],
    [['Same as guarantor']],
    [['Staying with friend']],
    [['Lives with daughter']],
    [['couch surfing']],
    [['Street']],
    [['Confidential']],
  ])('%j', (line) => {
    expect(saysNoMail({ line, city: 'Marlow Falls' })).toBe(true);
  });

  test('a city that says so', () => {
    expect(saysNoMail({ line: ['UNKNOWN'], city: 'UNKNOWN' })).toBe(true);
    expect(saysNoMail({ city: 'HOMELESS' })).toBe(true);
    expect(saysNoMail({ line: ['HOMELESS'], city: 'Church Hill' })).toBe(true);
  });

  test.each(['HOMELESS', 'Address on file', 'Needs update', 'See above', 'RETURNED MAIL', 'Declined'])(
    '%s is no city',
    (city) => {
      expect(isNoCity(city)).toBe(true);
    },
  );

  test.each([
    'Home',
    'Street',
    'Church Hill',
    'Center',
    'Truth or Consequences',
    'Bad Axe',
    'Friendship',
    'Sioux Hollow',
  ])('%s is one', (city) => {
    expect(isNoCity(city)).toBe(false);
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
    [['Bad Axe Rd 12']],
    [['12 Returned Soldiers Way']],
    [['12 Return Creek Rd']],
    [['12 Unknown Creek Rd']],
    [['Homeless Veterans Way 12']],
    [['Homeless Veterans Center, 4 Elm St']],
    [['Staying with friend, 12 Oak St']],
    [['See above', '12 Oak St']],
    [['ADDRESS CONFIDENTIALITY PROGRAM PO BOX 9']],
    [['Return mail to: PO Box 12']],
    [['12 Old Mill Rd']],
    [['40 Seeley Ave']],
    [['c/o Jail']],
    [[]],
  ])('%j', (line) => {
    expect(saysNoMail({ line, city: 'Marlow Falls' })).toBe(false);
  });

  test('what is no text says nothing', () => {
    expect(saysNoMail({ line: [7 as unknown as string] })).toBe(false);
    expect(saysNoMail({})).toBe(false);
  });
});
