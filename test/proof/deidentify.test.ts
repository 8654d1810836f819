import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { isNpi } from '../../src/fhir/npi.ts';
import { deidentify } from '../../src/proof/deidentify/deidentify.ts';

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
  for (const original of [
    'Quackenbush',
    'Thaddeus',
    'Z6129',
    'Wharf',
    'Seldovia',
    '99663',
    '555-0142',
    'real-4711',
    'UUJDRFhZ',
    'valley-hospital',
  ])
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
  const [changedPatient, changedOrder] = deidentify([patient, order], options).resources as unknown as [
    { birthDate: string },
    { authoredOn: string },
  ];
  expect(changedOrder.authoredOn).toBe('2026-07-27');
  expect(changedPatient.birthDate).toBe('1961-02');
});

test('directions keep their words except for names and dates; notes go', () => {
  const [, changed] = deidentify([patient, order], options).resources as unknown as [
    unknown,
    {
      dosageInstruction: { text: string }[];
      note: { text: string }[];
      contained: { id: string; code: { text: string } }[];
    },
  ];
  expect(changed.dosageInstruction[0]?.text).toMatch(/^Mr\. [A-Z][a-z]+ takes 40 mg, starting 7\/27\/2026$/);
  expect(changed.note[0]?.text).not.toContain('Hortensia');
  expect(changed.contained[0]).toMatchObject({ id: 'm1', code: { text: 'adalimumab 40 MG' } });
});

test('references still point to the renamed resources', () => {
  const [changedPatient, changedOrder] = deidentify([patient, order], options).resources as unknown as [
    { id: string },
    { subject: { reference: string } },
  ];
  expect(changedOrder.subject.reference).toBe(`Patient/${changedPatient.id}`);
});

test('an NPI keeps its right check digit', () => {
  const [changed] = deidentify([prescriber], options).resources as unknown as [{ identifier: { value: string }[] }];
  const npi = changed.identifier[0]?.value ?? '';
  expect(npi).not.toBe('1234567893');
  expect(isNpi(npi)).toBe(true);
});

test('a value that survives somewhere unforeseen is reported', () => {
  const leaking = {
    ...order,
    identifier: [{ system: 'urn:example', assigner: { identifier: { use: 'usual' } } }],
    instantiatesUri: ['Quackenbush'],
  } as unknown as Resource;
  expect(deidentify([patient, leaking], options).survivors).toEqual([
    'MedicationRequest/medication-request-1 instantiatesUri[0]',
  ]);
  expect(deidentify([patient, order], options).survivors).toEqual([]);
});

test('a picture stays a picture, and one that is cut off stays cut off', () => {
  const whole = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC';
  const pictures = [whole, whole.slice(0, 60)].map(
    (data, index) =>
      ({ resourceType: 'Binary', id: `b${index}`, contentType: 'image/png', data }) as unknown as Resource,
  );
  const [kept, cut] = deidentify(pictures, options).resources as unknown as [{ data: string }, { data: string }];
  const bytes = [kept, cut].map(({ data }) => Buffer.from(data, 'base64').toString('latin1'));
  expect(bytes.map((text) => [text.startsWith('\x89PNG'), text.includes('IEND')])).toEqual([
    [true, true],
    [true, false],
  ]);
  expect(kept.data).not.toBe(whole);
});

test('of a coverage the plan stays, the group’s name and the member’s number go', () => {
  const type = (code: string) => ({
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code }],
  });
  const classes = [
    { type: type('plan'), value: 'SELF PAY', name: 'SELF PAY' },
    { type: type('group'), value: '0088-B', name: 'Quillfeather Schools' },
    { type: type('rxid'), value: 'D-7719' },
    { type: type('rxbin'), value: '015599' },
  ];
  const coverage = { resourceType: 'Coverage', id: 'c', subscriberId: 'D-7719', class: classes } as unknown as Resource;
  const { resources, survivors } = deidentify([coverage], options);
  const [changed] = resources as unknown as [{ subscriberId: string; class: { value: string; name?: string }[] }];
  expect(changed.class.map(({ value }) => value)).toEqual(['SELF PAY', '0088-B', changed.subscriberId, '015599']);
  expect(changed.class[0]?.name).toBe('SELF PAY');
  expect(changed.class[1]?.name).not.toContain('Quillfeather');
  expect(changed.subscriberId).not.toBe('D-7719');
  expect(survivors).toEqual([]);
});
