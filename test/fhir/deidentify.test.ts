import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { deidentify } from '../../src/fhir/deidentify/deidentify.ts';
import { npiCheckDigitHolds } from '../../src/service/contract.ts';

const options = { seed: 'fixed for this test', shiftDays: -70 };

const patient = {
  resourceType: 'Patient',
  id: 'real-4711',
  identifier: [
    { system: 'http://valley-hospital.example/mrn', value: '  Z6129' },
    { system: 'http://hl7.org/fhir/sid/us-ssn', value: '000-00' },
  ],
  name: [{ use: 'official', family: 'Quackenbush', given: ['Thaddeus', 'J'], text: 'Thaddeus J Quackenbush' }],
  birthDate: '1961-04',
  address: [{ line: ['12 Wharf Rd'], city: 'Seldovia', state: 'AK', postalCode: '99663' }],
  telecom: [
    { system: 'phone', value: '(907) 555-0142' },
    { system: 'email', value: 'thad@quackenbush.example' },
  ],
  photo: [{ contentType: 'image/jpeg', data: 'UUJDRFhZ' }],
} as Resource;

const order = {
  resourceType: 'MedicationRequest',
  id: 'order-99',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/real-4711', display: 'Thaddeus Quackenbush' },
  authoredOn: '2026-10-05',
  contained: [{ resourceType: 'Medication', id: 'm1', code: { text: 'adalimumab 40 MG' } }],
  medicationReference: { reference: '#m1' },
  dosageInstruction: [{ text: 'Mr. Quackenbush takes 40 mg, starting 10/5/2026' }],
  note: [{ text: 'Called his wife Hortensia.' }],
} as unknown as Resource;

const prescriber = {
  resourceType: 'Practitioner',
  id: 'p',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
  name: [{ family: 'Ott' }],
} as Resource;

test('names, identifiers, addresses, telecom and photos are replaced, their shapes kept', () => {
  const [changed] = deidentify([patient], options).resources as unknown as [Record<string, never>];
  const text = JSON.stringify(changed);
  for (const original of ['Quackenbush', 'Thaddeus', 'Z6129', 'Wharf', 'Seldovia', '99663', '555-0142', 'real-4711', 'UUJDRFhZ', 'valley-hospital'])
    expect(text).not.toContain(original);
  const { identifier, address, telecom, name } = changed as unknown as {
    identifier: { value: string }[];
    address: { state: string; postalCode: string }[];
    telecom: { value: string }[];
    name: { given: string[] }[];
  };
  expect(identifier[0]?.value).toMatch(/^ {2}[A-Z]\d{4}$/);
  expect(identifier[1]?.value).toBe('000-00');
  expect(address[0]).toMatchObject({ state: 'AK', postalCode: expect.stringMatching(/^\d{5}$/) });
  expect(telecom[0]?.value).toMatch(/^\(\d{3}\) \d{3}-\d{4}$/);
  expect(name[0]?.given).toHaveLength(2);
});

test('dates move by the constant; a partial date stays partial; a weekday stays', () => {
  const [changedPatient, changedOrder] = deidentify([patient, order], options).resources as unknown as [{ birthDate: string }, { authoredOn: string }];
  expect(changedOrder.authoredOn).toBe('2026-07-27');
  expect(changedPatient.birthDate).toBe('1961-02');
});

test('directions keep their words except for names and dates; notes go', () => {
  const [, changed] = deidentify([patient, order], options).resources as unknown as [
    unknown,
    { dosageInstruction: { text: string }[]; note: { text: string }[]; contained: { id: string; code: { text: string } }[] },
  ];
  expect(changed.dosageInstruction[0]?.text).toMatch(/^Mr\. [A-Z][a-z]+ takes 40 mg, starting 7\/27\/2026$/);
  expect(changed.note[0]?.text).not.toContain('Hortensia');
  expect(changed.contained[0]).toMatchObject({ id: 'm1', code: { text: 'adalimumab 40 MG' } });
});

test('references still point to the renamed resources', () => {
  const [changedPatient, changedOrder] = deidentify([patient, order], options).resources as unknown as [{ id: string }, { subject: { reference: string } }];
  expect(changedOrder.subject.reference).toBe(`Patient/${changedPatient.id}`);
});

test('an NPI keeps its right check digit', () => {
  const [changed] = deidentify([prescriber], options).resources as unknown as [{ identifier: { value: string }[] }];
  const npi = changed.identifier[0]?.value ?? '';
  expect(npi).not.toBe('1234567893');
  expect(npiCheckDigitHolds(npi)).toBe(true);
});

test('a value that survives somewhere unforeseen is reported', () => {
  const leaking = { ...order, identifier: [{ system: 'urn:example', assigner: { identifier: { use: 'usual' } } }], instantiatesUri: ['Quackenbush'] } as unknown as Resource;
  expect(deidentify([patient, leaking], options).survivors).toEqual(['MedicationRequest/medication-request-1 instantiatesUri[0]']);
  expect(deidentify([patient, order], options).survivors).toEqual([]);
});
