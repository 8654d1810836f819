import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSig } from '../../../src/core/drug/dosage/read-sig.ts';
import { readBundle } from '../../../src/core/fhir/bundle.ts';
import { isNpi } from '../../../src/core/fhir/codes/npi.ts';
import { findLeaks } from '../../../src/dev/kit/deidentify/check/find-leaks.ts';
import { type DeidentifyOptions, deidentify } from '../../../src/dev/kit/deidentify/deidentify.ts';
import { canariesLeft } from './canaries-left.ts';

const options: DeidentifyOptions = { seed: 'fixed for this test', shiftDays: -70, drugNames: ['adalimumab'] };
const loinc = 'http://loinc.org';

// biome-ignore lint/suspicious/noExplicitAny: a test reads any shape of FHIR
type Any = any;

function replaced(resource: object, more: Partial<DeidentifyOptions> = {}): Any {
  return deidentify([resource], { ...options, ...more }).resources[0];
}

function leaks(resource: object, after: object = replaced(resource)): string[] {
  return findLeaks({ before: [resource], after: [after], others: {}, shiftDays: options.shiftDays });
}

const patient = {
  resourceType: 'Patient',
  id: 'real-4711',
  identifier: [
    { system: 'http://valley-hospital.example/mrn', value: '  Z6129' },
    { system: 'http://hl7.org/fhir/sid/us-ssn', value: '000-00' },
  ],
  name: [{ use: 'official', family: 'Quackenbush', given: ['Thaddeus', 'J'], text: 'Thaddeus J Quackenbush' }],
  gender: 'male',
  birthDate: '1961-04',
  address: [{ line: ['12 Wharf Rd'], city: 'Seldovia', state: 'AK', postalCode: '99663' }],
  telecom: [
    { system: 'phone', value: '(907) 555-0142' },
    { system: 'email', value: 'thad@quackenbush.example' },
  ],
  photo: [{ contentType: 'image/jpeg', data: '/9j/UUJDRFhZ' }],
};

describe('of a person', () => {
  test('names, identifiers, addresses, telecom and photos are replaced, their shapes kept', () => {
    const changed = replaced(patient);
    const originals = /Quackenbush|Thaddeus|Z6129|Wharf|Seldovia|99663|555-0142|real-4711|UUJDRFhZ|valley-hospital/i;
    expect(JSON.stringify(changed)).not.toMatch(originals);
    expect(changed.identifier[0].value).toMatch(/^ {2}[A-Z]\d{4}$/);
    expect(changed.address[0]).toMatchObject({ state: 'AK', postalCode: expect.stringMatching(/^\d{5}$/) });
    expect(changed.telecom[0].value).toMatch(/^\(\d{3}\) 555-01\d{2}$/);
    expect(changed.telecom[1].value).toMatch(/^[a-z]{4}@example\.org$/);
    expect(changed.gender).toBe('male');
  });

  test('a name in a text is the name that stands in its parts', () => {
    const [{ family, given, text }] = replaced(patient).name;
    expect(text).toBe(`${given.join(' ')} ${family}`);
  });

  test('a placeholder stays one, so that the mapping still refuses it', () => {
    expect(replaced(patient).identifier[1]).toEqual(patient.identifier[1]);
  });

  test.each([
    ['1234567893', true],
    ['1234567890', false],
  ])('the NPI %s keeps whether its check digit is right', (npi, isRight) => {
    const identifier = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: npi }];
    const [{ value }] = replaced({ resourceType: 'Practitioner', identifier }).identifier;
    expect(value).not.toBe(npi);
    expect(isNpi(value)).toBe(isRight);
  });

  test('two numbers that are equal stay equal, and two that are not stay two', () => {
    const [one, two, again] = replaced({
      resourceType: 'Patient',
      identifier: [{ value: 'A-1' }, { value: 'A-2' }, { value: 'A-1' }],
    }).identifier;
    expect(again).toEqual(one);
    expect(two).not.toEqual(one);
  });
});

test('people may be called as words of FHIR are: codes stay, and their names do not', () => {
  const chart = [
    {
      resourceType: 'Patient',
      id: 'test-patient',
      name: [{ family: 'Patient', given: ['Test', 'Male'] }],
      gender: 'male',
    },
    {
      resourceType: 'MedicationRequest',
      id: 'order',
      intent: 'order',
      subject: { reference: 'Patient/test-patient', type: 'Patient', display: 'Test Patient' },
      requester: { reference: 'Practitioner/day', display: 'Gold Day' },
      insurance: [{ display: 'Gold Plan' }],
      dispenseRequest: { quantity: { value: 30, unit: 'day' } },
    },
  ];
  const { resources } = deidentify(chart, options);
  expect(findLeaks({ before: chart, after: resources, others: {}, shiftDays: -70 })).toEqual([]);
  const [person, order] = resources as Any;
  expect(person).toMatchObject({ id: 'patient-1', gender: 'male' });
  expect(JSON.stringify(person.name)).not.toMatch(/test|male|patient/i);
  expect(order).toMatchObject({ intent: 'order', dispenseRequest: { quantity: { value: 30, unit: 'day' } } });
  expect(order.insurance[0].display).toMatch(/^(?!Gold)[A-Z][a-z]{3} Plan$/);
});

describe('dates', () => {
  test.each([
    ['2026-10-05', '2026-07-27'],
    ['2026-10-05T09:15:00-04:00', '2026-07-27T09:15:00-04:00'],
    ['1961-04', '1961-02'],
    ['1961', '1961'],
    [' 2026-10-05', ' 2026-07-27'],
    ['2026-02-30', '2025-02-30'],
  ])('%s moves by the one shift to %s', (date, moved) => {
    expect(replaced({ resourceType: 'Patient', deceasedDateTime: date }).deceasedDateTime).toBe(moved);
  });

  test('what is called a date and is none says nothing afterwards', () => {
    const { birthDate } = replaced({ resourceType: 'Patient', birthDate: '10/05/1961' });
    expect(birthDate).toMatch(/^\d\d\/\d\d\/\d{4}$/);
    expect(birthDate).not.toBe('10/05/1961');
  });
});

describe('references', () => {
  const chart = [
    { ...patient, id: 'p9' },
    {
      resourceType: 'MedicationRequest',
      id: 'o1',
      contained: [{ resourceType: 'Medication', id: 'med-of-quackenbush' }],
      subject: { reference: 'https://ehr.valley.example/r4/Patient/p9/_history/2', display: 'Quackenbush, Thaddeus' },
      medicationReference: { reference: '#med-of-quackenbush' },
      requester: { reference: 'urn:uuid:p9' },
    },
  ];

  test('still point to the renamed resources', () => {
    const [changed, order] = deidentify(chart, options).resources as Any;
    expect(order.subject.reference).toMatch(/^https:\/\/ehr\.example\.org\/\w+\/r1\/Patient\/patient-1\/_history\/2$/);
    expect(changed.id).toBe('patient-1');
    expect(order.requester.reference).toBe('urn:uuid:patient-1');
    expect(order.medicationReference.reference).toBe(`#${order.contained[0].id}`);
    expect(JSON.stringify(order)).not.toMatch(/quackenbush|valley/i);
  });

  test('a resource that already is called patient-1 gets another name', () => {
    expect(replaced({ resourceType: 'Patient', id: 'patient-1' }).id).not.toBe('patient-1');
  });
});

describe('codes', () => {
  const coded = (coding: object) =>
    replaced({ resourceType: 'Observation', code: { coding: [coding] } }).code.coding[0];

  test('of a public system stay with their display', () => {
    const coding = { system: loinc, code: '4548-4', display: 'Hemoglobin A1c/Hemoglobin.total in Blood' };
    expect(coded(coding)).toEqual(coding);
  });

  test('of a practice are replaced with their display and their system, the same way everywhere', () => {
    const coding = { system: 'https://valley.example/codes', code: 'QUACK-17', display: 'Quackenbush panel' };
    const { resources, replace } = deidentify([{ resourceType: 'Observation', code: { coding: [coding] } }], options);
    const [changed] = (resources as Any)[0].code.coding;
    expect(JSON.stringify(changed)).not.toMatch(/quack|valley/i);
    expect(changed).toMatchObject({
      system: replace.system(coding.system),
      code: replace.code(coding.system, coding.code),
    });
  });

  test.each([
    ['a record number called a LOINC code', { system: loinc, code: 'MRN 204417', display: 'Quackenbush' }],
    ['a telephone number in a display', { system: loinc, code: '4548-4', display: 'A1c, call 9075550142' }],
    ['a person’s number as a code', { system: 'http://hl7.org/fhir/sid/us-ssn', code: '123456789', display: 'Quack' }],
  ])('%s does not stay', (_, coding) => {
    expect(JSON.stringify(coded(coding))).not.toMatch(/204417|Quack|9075550142|123456789/);
  });

  test('a status that FHIR does not have is replaced', () => {
    const { status } = replaced({ resourceType: 'Observation', status: 'quackenbush' });
    expect(status).not.toBe('quackenbush');
    expect(replaced({ resourceType: 'Observation', status: 'entered-in-error' }).status).toBe('entered-in-error');
  });
});

describe('a drug', () => {
  const named = (text: string, more: object = {}) =>
    replaced({ resourceType: 'Medication', code: { text, ...more } }).code.text as string;

  test('keeps its name, strength and form', () => {
    expect(named('adalimumab 40 MG/0.4 ML Auto-Injector')).toBe('adalimumab 40 MG/0.4 ML Auto-Injector');
  });

  test('keeps a brand that a display names, and loses one that nobody knows', () => {
    const system = 'http://www.nlm.nih.gov/research/umls/rxnorm';
    const coding = [{ system, code: '1357547', display: 'tofacitinib 5 MG Oral Tablet [Xeljanz]' }];
    expect(named('Xeljanz 5 mg', { coding })).toBe('Xeljanz 5 mg');
    expect(named('Quackenbushin 5 mg')).toMatch(/^[A-Z][a-z]+ 5 mg$/);
    expect(named('Quackenbushin 5 mg')).not.toContain('Quack');
  });

  test('loses what a person wrote beside it', () => {
    const text = named('adalimumab 40 mg for Hortensia, call 907-555-0142 on 10/5/2026');
    expect(text).toMatch(/^adalimumab/);
    expect(text).not.toMatch(/Hortensia|0142|10\/5/);
  });
});

describe('of a plan', () => {
  const type = (code: string) => ({
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code }],
  });
  const coverage = {
    resourceType: 'Coverage',
    id: 'c',
    subscriberId: 'D-7719',
    policyHolder: { display: 'Quillfeather, Hortensia' },
    subscriber: { display: 'Hortensia Quillfeather' },
    payor: [{ display: 'Quillfeather Medicare Advantage' }],
    class: [
      { type: type('plan'), value: 'SELF PAY', name: 'Quillfeather Medicaid' },
      { type: type('group'), value: '0088-B', name: 'Quillfeather Schools' },
      { type: type('rxid'), value: 'D-7719' },
      { type: type('rxbin'), value: '015599' },
      { type: type('rxbin'), value: '15599' },
    ],
  };

  test('the words that choosing goes by and the RxBIN stay; groups, members and names go', () => {
    const changed = replaced(coverage);
    const [plan, group, rxid, rxbin, wrong] = changed.class;
    expect(plan).toMatchObject({ value: 'SELF PAY', name: expect.stringMatching(/^[A-Z][a-z]+ Medicaid$/) });
    expect(group.value).toMatch(/^\d{4}-[A-Z]$/);
    expect(group.value).not.toBe('0088-B');
    expect(rxid.value).toBe(changed.subscriberId);
    expect(rxbin.value).toBe('015599');
    expect(wrong.value).toMatch(/^\d{5}$/);
    expect(wrong.value).not.toBe('15599');
    expect(changed.payor[0].display).toMatch(/^[A-Z][a-z]+ Medicare [A-Z][a-z]+$/);
    expect(JSON.stringify(changed)).not.toMatch(/Quillfeather|Hortensia|7719/);
  });
});

describe('R1: what a list of property names let through', () => {
  const words = 'Hortensia Quillfeather fell on the ice';
  const note = Buffer.from(`${words} at 12 Wharf Rd`).toString('base64');
  test.each([
    ['DiagnosticReport.presentedForm', { resourceType: 'DiagnosticReport', presentedForm: [{ data: note }] }],
    ['Media.content', { resourceType: 'Media', content: { contentType: 'text/plain', data: note, title: words } }],
    ['Binary.data', { resourceType: 'Binary', contentType: 'text/plain', data: note }],
    ['a display without a reference', { resourceType: 'Observation', subject: { display: words } }],
    ['Organization.alias', { resourceType: 'Organization', alias: [words] }],
    ['policyHolder.display', { resourceType: 'Coverage', policyHolder: { display: words } }],
    ['a name in a contact', { resourceType: 'Organization', contact: [{ name: { text: words } }] }],
    ['a narrative', { resourceType: 'Patient', text: { div: `<div>${words}</div>` } }],
    ['an annotation', { resourceType: 'Observation', note: [{ authorString: words, text: words }] }],
    ['a signature', { resourceType: 'Provenance', signature: [{ who: { display: words }, data: note }] }],
    [
      'a text in an extension',
      { resourceType: 'Patient', extension: [{ url: 'http://x.example', valueString: words }] },
    ],
    ['an element that FHIR has not', { resourceType: 'Patient', story: { [words]: [words, { deep: words }] } }],
    ['a resource that FHIR has not', { resourceType: 'Quillfeather', story: words }],
    [
      'a contained resource',
      { resourceType: 'Patient', contained: [{ resourceType: 'Basic', code: { text: words } }] },
    ],
    ['directions', { resourceType: 'MedicationRequest', dosageInstruction: [{ text: words }] }],
    ['a question', { resourceType: 'QuestionnaireResponse', item: [{ answer: [{ valueString: words }] }] }],
    ['the name of an unknown property', { resourceType: 'Patient', quillfeather: true }],
  ])('%s', (_, resource) => {
    const text = JSON.stringify(replaced(resource));
    expect(text).not.toMatch(/hortensia|quillfeather|fell on|the ice/i);
    expect(text).not.toContain(note.slice(0, 20));
    expect(leaks(resource)).toEqual([]);
  });
});

describe('files', () => {
  const bytesOf = (data: string) => Buffer.from(data, 'base64').toString('latin1');
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC';
  const binary = (contentType: string, data: string) => replaced({ resourceType: 'Binary', contentType, data }).data;

  test('a picture stays a picture, and one that is cut off stays cut off', () => {
    expect(bytesOf(binary('image/png', png))).toMatch(/^\x89PNG[\s\S]*IEND/);
    expect(bytesOf(binary('image/png', png.slice(0, 60)))).not.toContain('IEND');
    expect(binary('image/png', png)).not.toBe(png);
  });

  test('a PDF stays a PDF, RTF stays RTF, and what is empty stays empty', () => {
    expect(bytesOf(binary('application/pdf', Buffer.from('%PDF-1.7 x %%EOF').toString('base64')))).toMatch(/^%PDF/);
    expect(bytesOf(binary('text/rtf', Buffer.from('{\\rtf1 x}').toString('base64')))).toMatch(/^{\\rtf1/);
    expect(binary('text/plain', '')).toBe('');
  });

  test('of a type nothing stays but one that is in common use', () => {
    const type = (contentType: string) => replaced({ resourceType: 'Binary', contentType }).contentType;
    expect(type('text/plain; charset=utf-8')).toBe('text/plain; charset=utf-8');
    expect(type('application/x-quackenbush')).toBe('application/octet-stream');
  });
});

describe('directions', () => {
  const order = {
    resourceType: 'MedicationRequest',
    id: 'o1',
    dosageInstruction: [{ text: 'Take 1 tablet by mouth daily' }],
  };
  const kept = { order: 'MedicationRequest/o1', sigs: ['Take 1 tablet by mouth daily'] };

  test.each([
    ['Take 1 tablet by mouth daily', 'words daily words 1 tablet'],
    ['Take two 2.5 mg tablets (5 mg) twice a day for 10 days', 'words bid words for 10 days words 2.5 mg tablet'],
    ['Inject 40 mg under the skin every other week', 'words every 2 weeks words 40 mg'],
    ['Take 1 tablet by mouth every 12 hours', 'words every 12 hours words 1 tablet'],
    ['Take 6 tablets by mouth once a week', 'words weekly words 6 tablet'],
    ['Take 1 tablet by mouth every 7 days', 'words every 7 days words 1 tablet'],
    ['Take 1 daily as needed', 'words prn words daily words take 1'],
    ['Take 3 with Hortensia’s tea every 9th of the month', 'words every'],
    ['Use as directed by Dr. Quillfeather', 'Words that stood here Were. Replaced'],
  ])('%s becomes amounts and times alone', (text, neutral) => {
    const changed = replaced({ ...order, dosageInstruction: [{ text }] }).dosageInstruction[0].text as string;
    expect(changed).toContain(neutral);
    expect(readSig(changed)).toEqual(readSig(text));
  });

  test('stay in the order whose directions a person has read, and nowhere else', () => {
    expect(replaced(order, { kept }).dosageInstruction).toEqual(order.dosageInstruction);
    expect(replaced({ ...order, id: 'o2' }, { kept }).dosageInstruction).not.toEqual(order.dosageInstruction);
  });
});

describe('the check of what was written', () => {
  const order = { resourceType: 'MedicationRequest', id: 'o1', note: [{ text: 'Called his wife about the stairs.' }] };
  const after = (change: object) => ({ resourceType: 'Basic', id: 'basic-1', ...change });
  const found = (change: object, kept?: { order: string; sigs: string[] }) =>
    findLeaks({
      before: [patient, order],
      after: [after(change), { resourceType: 'MedicationRequest', id: 'medication-request-1' }],
      others: {},
      shiftDays: -70,
      ...(kept === undefined ? {} : { kept }),
    });

  test.each([
    ['an identifier', { x: 'number z6129 of it' }, 'x: an identifier'],
    ['an identifier written otherwise', { x: 'Z-6129' }, 'x: an identifier'],
    ['an id', { subject: { reference: 'Patient/real-4711' } }, 'subject.reference: an identifier'],
    ['a telephone number', { x: '907.555.0142' }, 'x: a telephone number'],
    ['an e-mail address', { x: 'to thad@quackenbush.example' }, 'x: an e-mail address'],
    ['an address line', { x: 'at 12 wharf rd.' }, 'x: an address line'],
    ['a word of a name', { x: ['QUACKENBUSH'] }, 'x[0]: a word of a name'],
    ['four words in a row', { x: 'she called his wife about it' }, 'x: four words in a row'],
    ['a date', { x: { y: '1961-04' } }, 'x.y: a date'],
  ])('names the place of %s', (_, change, place) => {
    expect(found(change)).toContain(`Basic/basic-1 ${place}`);
  });

  test('names nothing of three words, a shifted date, a code or a display', () => {
    const coding = [{ system: loinc, code: '4548-4', display: 'Thaddeus test' }];
    expect(found({ x: 'called his wife', code: { coding }, gender: 'male', birthDate: '1961-02' })).toEqual([]);
  });

  test('names a value of fewer than four characters only at its own place', () => {
    const before = [{ resourceType: 'Patient', id: 'a', identifier: [{ value: '17' }] }];
    const check = (value: string, x: string) =>
      findLeaks({
        before,
        after: [{ resourceType: 'Patient', id: 'b', identifier: [{ value }], x }],
        others: {},
        shiftDays: -7,
      });
    expect(check('17', '')).toEqual(['Patient/b identifier[0].value: an identifier']);
    expect(check('23', '17')).toEqual([]);
  });

  test('names a part of a file, and a name of a property', () => {
    const data = Buffer.from('A rather long note about the fall of somebody on the ice in March').toString('base64');
    const before = [{ resourceType: 'Binary', data }, patient];
    const check = (resource: object) => findLeaks({ before, after: [resource], others: {}, shiftDays: -7 });
    expect(check({ resourceType: 'Basic', id: 'b', x: `x${data}` })).toContain('Basic/b x: a part of a file');
    expect(check({ resourceType: 'Basic', id: 'b', thaddeus: 1 })).toContain('bundle.json: the name of a property');
  });

  test('looks at everything that is written, never telling a value', () => {
    const told = findLeaks({
      before: [patient],
      after: [],
      others: { 'request.json': { order: 'MedicationRequest/real-4711' } },
      shiftDays: -7,
    });
    expect(told).toEqual(['request.json order: an identifier']);
  });
});

// deidentify.long.test.ts fills texts with four words and a number.
test('of canaries at every element of every resource of FHIR R4 none is found again: one word', () => {
  expect(canariesLeft({ isShort: true })).toEqual([]);
});

describe('long texts', () => {
  const length = 300_000;
  test.each([
    ['words', 'lorem ipsum 12 '],
    ['blanks before line ends', `xy${' '.repeat(99)}\n`],
    ['signs', '<ab@'],
    ['digits', '1 '],
  ])('of many %s are replaced and checked', (_, piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    const resource = {
      resourceType: 'MedicationRequest',
      note: [{ text }],
      medicationCodeableConcept: { text },
      identifier: [{ value: text }],
    };
    expect(leaks(resource)).toEqual([]);
  });
});

const publicData = process.env.PUBLIC_FHIR_DATA;

test.skipIf(publicData === undefined)('nothing of the public data is found again', () => {
  const files = readdirSync(publicData ?? '', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(publicData ?? '', file));
  const told = files.filter(existsSync).flatMap((file) => {
    const before = readBundle(asJson(readFileSync(file, 'utf8'))).entries.map(({ resource }) => resource);
    const { resources } = deidentify(before, options);
    return findLeaks({ before, after: resources, others: {}, shiftDays: options.shiftDays }).map(
      (leak) => `${file} ${leak}`,
    );
  });
  expect(told).toEqual([]);
});

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
