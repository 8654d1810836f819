import { type Change, change, put } from '../draft.ts';

const p = (leaf: string) => `patient.${leaf}`;
const ended = { start: '2010-01-01', end: '2019-12-31' };
const foreign = (name: string, state: string, zip: string) =>
  change(name, 'V15', 'open', 'address', ({ patient }) => {
    patient.address = [{ use: 'home', line: ['1 Somewhere Road'], city: 'Nowhere', state, postalCode: zip }];
    return { never: { [p('address.country')]: 'USA' } };
  });
const birth = (name: string, date: string, effect: 'asks' | 'open' = 'asks') =>
  change(name, 'K5', effect, 'birthDate', ({ patient }) => {
    patient.birthDate = date;
    return { told: /birth|born/i };
  });
const noMail = (words: string) =>
  change(`the street “${words}”`, 'K5', 'asks', 'address', ({ patient }) => {
    patient.address = [{ use: 'home', line: [words], city: 'Springfield', state: 'IL', postalCode: '62701' }];
    return { told: /mail/i };
  });

/** Who the patient is. Current values are ranked over ended ones; what is no value is none. */
export const patientChanges: readonly Change[] = [
  change('an ended name in front', 'D', 'agrees', 'name', ({ patient }) => {
    patient.name = [
      { use: 'official', family: 'Formerly', given: ['Someone'], period: ended },
      ...(patient.name ?? []),
    ];
    return {};
  }),
  change('a maiden name in front', 'D', 'agrees', 'name', ({ patient }) => {
    patient.name = [{ use: 'maiden', family: 'Formerly', given: ['Someone'] }, ...(patient.name ?? [])];
    return {};
  }),
  change('a nickname behind', 'D', 'agrees', 'name', ({ patient }) => {
    if (patient.name?.length !== 1) return undefined;
    patient.name.push({ use: 'nickname', given: ['Bibi'] });
    return {};
  }),
  change('the same name in another composition of its letters', '3', 'agrees', 'name', ({ patient }) => {
    const name = patient.name?.[0];
    if (patient.name?.length !== 1 || name === undefined) return undefined;
    name.family = `${name.family}é`;
    patient.name = [name, { ...name, family: name.family.normalize('NFD') }];
    return { sent: { [p('last_name')]: name.family.normalize('NFC') } };
  }),
  change('the same name with a suffix', '3', 'agrees', 'name', ({ patient }) => {
    const name = patient.name?.[0];
    if (patient.name?.length !== 1 || name === undefined) return undefined;
    patient.name = [name, { ...name, suffix: ['Jr.'] }];
    return {};
  }),
  change('a surname that looks like a placeholder', '3', 'agrees', 'name', ({ patient }) => {
    if (patient.name?.[0] === undefined || patient.name.length > 1) return undefined;
    patient.name[0].family = 'Null';
    return { sent: { [p('last_name')]: 'Null' } };
  }),
  change('a placeholder before the given name', '3', 'agrees', 'name', ({ patient }) => {
    const name = patient.name?.[0];
    if (name === undefined || patient.name?.length !== 1) return undefined;
    name.given = ['NA', ...(name.given ?? [])];
    return {};
  }),
  change('zero-width and direction characters in the name', 'D21', 'agrees', 'name', ({ patient }) => {
    const name = patient.name?.[0];
    if (name?.family === undefined || patient.name?.length !== 1) return undefined;
    name.family = `\u200b${name.family}\u202e`;
    return {};
  }),
  change('a NUL in the name', 'D21', 'agrees', 'name', ({ patient }) => {
    const name = patient.name?.[0];
    if (name?.family === undefined || patient.name?.length !== 1) return undefined;
    name.family = `${name.family}\u0000`;
    return {};
  }),
  change('a masked name alone', 'D', 'asks', 'name', ({ patient }) => {
    patient.name = [{ use: 'official', family: ':None', given: [':None:None'] }];
    return {};
  }),
  change('an ended address in front', 'D', 'agrees', 'address', ({ patient }) => {
    patient.address = [
      { use: 'home', line: ['9 Old Road'], city: 'Elsewhere', state: 'TX', postalCode: '75001', period: ended },
      ...(patient.address ?? []),
    ];
    return {};
  }),
  change('a billing address in front', 'D', 'agrees', 'address', ({ patient }) => {
    patient.address = [
      { use: 'billing', line: ['9 Bill Road'], city: 'Elsewhere', state: 'TX', postalCode: '75001' },
      ...(patient.address ?? []),
    ];
    return {};
  }),
  change('the state written out', 'D', 'agrees', 'address', ({ patient }) => {
    const address = patient.address?.find(({ state }) => state === 'IL');
    if (address === undefined) return undefined;
    address.state = 'Illinois';
    return {};
  }),
  change('no address', 'V15', 'asks', 'address', ({ patient }) => {
    delete patient.address;
    return { never: { [p('address.country')]: 'USA' } };
  }),
  foreign('an address in Ontario without a country', 'ON', 'K1A 0B1'),
  foreign('an address in Britain without a country', 'Kent', 'CT1 2EH'),
  change('an address abroad', 'V15', 'open', 'address', ({ patient }) => {
    patient.address = [
      { use: 'home', line: ['1 Rue'], city: 'Lyon', state: 'ARA', postalCode: '69001', country: 'FR' },
    ];
    return { never: { [p('address.country')]: 'USA' } };
  }),
  birth('born in the future', '2030-01-01'),
  birth('born in 1800', '1800-01-01'),
  birth('born in the year 1', '0001-01-01'),
  birth('born on a day that no month has', '1980-02-30', 'open'),
  change('born in a year', 'D', 'asks', 'birthDate', ({ patient }) => {
    patient.birthDate = '1980';
    return {};
  }),
  change('no birth date', 'D', 'asks', 'birthDate', ({ patient }) => {
    delete patient.birthDate;
    return {};
  }),
  change('a phone with tel: in front', 'V15', 'agrees', 'telecom', ({ patient }) => {
    patient.telecom = [{ system: 'phone', value: 'tel:+1-217-555-0111', use: 'home' }];
    return { sent: { [p('phone')]: '+1-217-555-0111', [p('email')]: undefined } };
  }),
  change('a phone that is none', 'V15', 'agrees', 'telecom', ({ patient }) => {
    patient.telecom = [{ system: 'phone', value: '555-555-5555', use: 'home' }];
    return { sent: { [p('phone')]: undefined, [p('email')]: undefined }, warned: [p('phone')] };
  }),
  change('an e-mail address that is none', 'V15', 'agrees', 'telecom', ({ patient }) => {
    patient.telecom = [
      { system: 'phone', value: '217-555-0111' },
      { system: 'email', value: 'none@none.com' },
    ];
    return { sent: { [p('phone')]: '217-555-0111', [p('email')]: undefined }, warned: [p('email')] };
  }),
  change('an ended phone in front', 'D', 'agrees', 'telecom', ({ patient }) => {
    patient.telecom = [
      { system: 'phone', value: '999-999-1234', use: 'mobile', period: ended },
      ...(patient.telecom ?? []),
    ];
    return {};
  }),
  change('an ended record number in front', 'V9', 'agrees', 'identifier', ({ patient }) => {
    const type = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] };
    patient.identifier = [{ type, value: 'OLD-1', period: ended }, ...(patient.identifier ?? [])];
    return {};
  }),
  change('an old record number in front', 'V9', 'agrees', 'identifier', ({ patient }) => {
    const type = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] };
    patient.identifier = [{ use: 'old', type, value: 'OLD-1' }, ...(patient.identifier ?? [])];
    return {};
  }),
  change('blanks around the record number', 'D18', 'agrees', 'identifier', ({ patient }) => {
    for (const identifier of patient.identifier ?? []) identifier.value = `  ${identifier.value} `;
    return {};
  }),
  change('no gender', 'D', 'agrees', 'gender', ({ patient }) => {
    delete patient.gender;
    return { sent: { [p('gender')]: 'not_specified' } };
  }),
  change('a date of death that is no date', 'V15', 'asks', 'deceased', ({ patient }) => {
    patient.deceasedDateTime = '12/31/2025';
    return {};
  }),
  change('a deceased patient', 'K5', 'asks', 'deceased', ({ patient }) => {
    patient.deceasedBoolean = true;
    return { told: /deceased|died/i };
  }),
  change('a patient who died on a day', 'K5', 'asks', 'deceased', ({ patient }) => {
    patient.deceasedDateTime = '2026-01-31';
    return { told: /deceased|died/i };
  }),
  noMail('HOMELESS'),
  noMail('No fixed address'),
  noMail('BAD ADDRESS - MAIL RETURNED'),
  noMail('moved, no forwarding'),
  change('a record that was merged into another', 'D', 'asks', 'link', ({ patient }) => {
    patient.link = [{ other: { reference: 'Patient/survivor' }, type: 'replaced-by' }];
    return {};
  }),
  change('hostile keys', 'D20', 'agrees', 'keys', ({ patient }) => {
    Object.defineProperty(patient, '__proto__', {
      value: { birthDate: '1900-01-01' },
      enumerable: true,
      configurable: true,
      writable: true,
    });
    put(patient, 'constructor', { prototype: { polluted: true } });
    return {};
  }),
  change('a narrative with a script', 'D21', 'agrees', 'text', ({ patient }) => {
    patient.text = {
      status: 'generated',
      div: '<div xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></div>',
    };
    return {};
  }),
  change('a photo, a language and other things that nobody asks for', 'D', 'agrees', 'extras', ({ patient }) => {
    patient.maritalStatus = { text: 'Never married' };
    patient.extension = [...(patient.extension ?? []), { url: 'http://example.org/x', valueString: 'x' }];
    return {};
  }),
];
