import type { Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { readShape } from '../../../../src/core/fhir/shape/read-shape.ts';

// what JSON.parse gives is whatever was written
const resource = (json: Record<string, unknown>) => json as unknown as Resource;
const parsed = (json: string) => JSON.parse(json) as Resource;

/** The parts of a resource that were not read, without what became of them. */
const pathsOf = (json: Record<string, unknown>) => readShape(resource(json)).misshapen.map(({ path }) => path);

describe('a resource in the form of FHIR R4', () => {
  const given = resource({
    resourceType: 'Patient',
    id: 'p',
    name: [{ family: 'Fenwick', given: ['Odalys', null], _given: [null, { extension: [{ url: 'u' }] }] }],
    extension: [{ url: 'u', valueString: 'v' }],
    _birthDate: { extension: [{ url: 'u', valueCode: 'unknown' }] },
  });

  test('comes back as the same object', () => {
    expect(readShape(given)).toEqual({ resource: given, isUsable: true, misshapen: [], foreign: [] });
    expect(readShape(given).resource).toBe(given);
  });

  test('of a type that FHIR R4 does not have keeps what nobody knows', () => {
    const later = resource({ resourceType: 'MedicationUsage', status: { any: 1 }, adherence: ['x'] });
    expect(readShape(later)).toEqual({ resource: later, isUsable: true, misshapen: [], foreign: [] });
  });
});

describe('what has another JSON form', () => {
  test('is absent and named, and the other items of its list keep their index', () => {
    const classes = [{ type: 'group', value: 'G' }, 'rxbin', { type: { coding: [{ code: 'rxpcn' }] }, value: 'PCN' }];
    const shape = readShape(resource({ resourceType: 'Coverage', id: 'c', status: 'active', class: classes }));
    expect(shape.resource).toEqual({
      resourceType: 'Coverage',
      id: 'c',
      status: 'active',
      class: [{ value: 'G' }, {}, { type: { coding: [{ code: 'rxpcn' }] }, value: 'PCN' }],
    });
    expect(shape.misshapen).toEqual([
      { path: 'class[0].type', isModifier: false, effect: 'absent' },
      { path: 'class[1]', isModifier: false, effect: 'absent' },
    ]);
    expect(shape.isUsable).toBe(true);
  });

  test('R3 is found in every type: an extension that is no list, null among labels, a number as a date', () => {
    expect(pathsOf({ resourceType: 'Coverage', status: 'active', extension: {} })).toEqual(['extension']);
    expect(pathsOf({ resourceType: 'Condition', meta: { security: [null] } })).toEqual([]);
    expect(pathsOf({ resourceType: 'DocumentReference', securityLabel: [null, 'R'] })).toEqual(['securityLabel[1]']);
    expect(pathsOf({ resourceType: 'Condition', onsetPeriod: { start: 7, end: '2026' } })).toEqual([
      'onsetPeriod.start',
    ]);
    expect(pathsOf({ resourceType: 'Claim', item: 'x', total: { value: '12' } })).toEqual(['item', 'total.value']);
  });

  test('null says nothing and is not named; in a list it leaves an empty item', () => {
    const shape = readShape(
      resource({ resourceType: 'DocumentReference', status: null, securityLabel: [null, { text: 'R' }] }),
    );
    expect(shape).toEqual({
      resource: { resourceType: 'DocumentReference', securityLabel: [{}, { text: 'R' }] },
      isUsable: true,
      misshapen: [],
      foreign: [],
    });
  });

  test('beside a primitive is absent, the primitive stays', () => {
    const shape = readShape(
      resource({
        resourceType: 'Patient',
        birthDate: '1980-01-31',
        _birthDate: 7,
        name: [{ given: ['A'], _given: 'x' }],
      }),
    );
    expect(shape.resource).toEqual({ resourceType: 'Patient', birthDate: '1980-01-31', name: [{ given: ['A'] }] });
    expect(shape.misshapen.map(({ path }) => path)).toEqual(['_birthDate', 'name[0]._given']);
  });

  test('in a contained resource is found by its own type; what is no resource there is an empty item', () => {
    const shape = readShape(
      resource({
        resourceType: 'MedicationRequest',
        contained: [{ resourceType: 'Medication', id: 'm', code: [] }, 'x', { resourceType: 'Organization', name: 7 }],
      }),
    );
    expect(shape.resource).toEqual({
      resourceType: 'MedicationRequest',
      contained: [{ resourceType: 'Medication', id: 'm' }, {}, { resourceType: 'Organization' }],
    });
    expect(shape.misshapen.map(({ path }) => path)).toEqual(['contained[0].code', 'contained[1]', 'contained[2].name']);
  });

  test('leaves the given resource as it was', () => {
    const given = { resourceType: 'Condition', code: 'M05.79' };
    readShape(resource(given));
    expect(given).toEqual({ resourceType: 'Condition', code: 'M05.79' });
  });
});

describe('a modifier that cannot be read takes the smallest part that holds it', () => {
  test.each([
    ['Patient', 'name', [{ use: 7, family: 'Old' }, { family: 'New' }], 'name[0].use', [{}, { family: 'New' }]],
    ['Patient', 'address', [{ use: ['home'], city: 'A' }], 'address[0].use', [{}]],
    ['Patient', 'telecom', [{ use: {}, value: '1' }], 'telecom[0].use', [{}]],
    ['Patient', 'identifier', [{ use: true, value: '1' }], 'identifier[0].use', [{}]],
    ['Patient', 'contact', [{ modifierExtension: 'x', gender: 'male' }], 'contact[0].modifierExtension', [{}]],
    ['Practitioner', 'identifier', [{ value: '1' }, { use: 1 }], 'identifier[1].use', [{ value: '1' }, {}]],
  ])('of a %s: %s', (resourceType, key, given, path, left) => {
    const shape = readShape(resource({ resourceType, [key]: given }));
    const part = path.slice(0, path.lastIndexOf('.'));
    expect(shape.resource).toEqual({ resourceType, [key]: left });
    expect(shape.misshapen).toEqual([{ path, isModifier: true, effect: 'part', part }]);
    expect(shape.isUsable).toBe(true);
  });

  test('a quantity with such a comparator is not used, the supply that holds it is', () => {
    const shape = readShape(
      resource({
        resourceType: 'MedicationRequest',
        dispenseRequest: { quantity: { value: 60, comparator: ['<'] }, expectedSupplyDuration: { value: 30 } },
      }),
    );
    expect(shape.resource).toEqual({
      resourceType: 'MedicationRequest',
      dispenseRequest: { expectedSupplyDuration: { value: 30 } },
    });
    expect(shape.misshapen).toEqual([
      {
        path: 'dispenseRequest.quantity.comparator',
        isModifier: true,
        effect: 'part',
        part: 'dispenseRequest.quantity',
      },
    ]);
  });

  test('a contained resource with such a status is not used, the resource that contains it is', () => {
    const shape = readShape(
      resource({ resourceType: 'MedicationRequest', contained: [{ resourceType: 'Medication', status: {} }] }),
    );
    expect(shape.isUsable).toBe(true);
    expect(shape.resource).toEqual({ resourceType: 'MedicationRequest', contained: [{}] });
    expect(shape.misshapen).toEqual([
      { path: 'contained[0].status', isModifier: true, effect: 'part', part: 'contained[0]' },
    ]);
  });
});

describe('a modifier of the resource itself that cannot be read makes the resource unusable', () => {
  test.each([
    ['MedicationRequest', { status: 7 }, 'status'],
    ['MedicationRequest', { intent: ['order'] }, 'intent'],
    ['MedicationRequest', { doNotPerform: 'true' }, 'doNotPerform'],
    ['MedicationRequest', { modifierExtension: {} }, 'modifierExtension'],
    ['MedicationRequest', { modifierExtension: [{ url: 7 }] }, 'modifierExtension'],
    ['Condition', { verificationStatus: 'refuted' }, 'verificationStatus'],
    ['Condition', { verificationStatus: { coding: { code: 'refuted' } } }, 'verificationStatus'],
    ['Condition', { verificationStatus: { coding: [{ code: 7 }] } }, 'verificationStatus'],
    ['Condition', { verificationStatus: { code: 'refuted' } }, 'verificationStatus'],
    ['AllergyIntolerance', { clinicalStatus: ['active'] }, 'clinicalStatus'],
    ['Coverage', { status: false }, 'status'],
    ['Observation', { implicitRules: 7 }, 'implicitRules'],
  ])('%s %o', (resourceType, given, path) => {
    const shape = readShape(resource({ resourceType, ...given }));
    expect(shape.isUsable).toBe(false);
    expect(shape.misshapen).toEqual([{ path, isModifier: true, effect: 'resource' }]);
  });

  test('but a display too many beside a code that is read does not', () => {
    const verificationStatus = { coding: [{ code: 'confirmed', note: 'x' }] };
    expect(readShape(resource({ resourceType: 'Condition', verificationStatus }))).toEqual({
      resource: { resourceType: 'Condition', verificationStatus: { coding: [{ code: 'confirmed' }] } },
      isUsable: true,
      misshapen: [],
      foreign: ['verificationStatus.coding[0].note'],
    });
  });
});

describe('a Patient is never left out', () => {
  test.each([
    [{ active: 'false' }, 'active'],
    [{ deceasedBoolean: 'true' }, 'deceasedBoolean'],
    [{ deceasedDateTime: {} }, 'deceasedDateTime'],
    [{ modifierExtension: {} }, 'modifierExtension'],
  ])('%o is to be asked', (given, path) => {
    const shape = readShape(resource({ resourceType: 'Patient', id: 'p', ...given }));
    expect(shape).toEqual({
      resource: { resourceType: 'Patient', id: 'p' },
      isUsable: true,
      misshapen: [{ path, isModifier: true, effect: 'ask' }],
      foreign: [],
    });
  });

  test('a link that cannot be read is passed over, the others stay', () => {
    const good = { other: { reference: 'Patient/2' }, type: 'seealso' };
    const shape = readShape(
      resource({ resourceType: 'Patient', link: [good, { other: 'Patient/3', type: 'replaced-by' }, 'x'] }),
    );
    expect(shape.resource).toEqual({ resourceType: 'Patient', link: [good, {}, {}] });
    expect(shape.misshapen).toEqual([
      { path: 'link[1]', isModifier: true, effect: 'part', part: 'link[1]' },
      { path: 'link[2]', isModifier: true, effect: 'part', part: 'link[2]' },
    ]);
  });
});

describe('what FHIR R4 does not have is not read and is named', () => {
  test('elements of R5', () => {
    const shape = readShape(
      resource({
        resourceType: 'MedicationRequest',
        status: 'active',
        medication: { concept: { text: 'Methotrexate 2.5 MG Oral Tablet' } },
        reason: [{ concept: { text: 'Rheumatoid arthritis' } }],
      }),
    );
    expect(shape.resource).toEqual({ resourceType: 'MedicationRequest', status: 'active' });
    expect(shape.foreign).toEqual(['medication', 'reason']);
    expect(readShape(resource({ resourceType: 'Coverage', insurer: { reference: 'Organization/1' } })).foreign).toEqual(
      ['insurer'],
    );
  });

  test('D20 keys that reach into every object have no effect', () => {
    const shape = readShape(
      parsed(
        '{"resourceType":"Patient","__proto__":{"active":true},"constructor":{"prototype":{"x":1}},' +
          '"name":[{"__proto__":{"family":"X"},"family":"Fenwick","toString":1}]}',
      ),
    );
    expect(shape.foreign).toEqual(['__proto__', 'constructor', 'name[0].__proto__', 'name[0].toString']);
    expect(Object.keys(shape.resource)).toEqual(['resourceType', 'name']);
    expect(Reflect.get(shape.resource, 'active')).toBeUndefined();
    expect(Object.getPrototypeOf(shape.resource)).toBe(Object.prototype);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test('D20 a type that is a key of every object is a type that nobody knows', () => {
    for (const resourceType of ['__proto__', 'constructor', 'toString'])
      expect(readShape(resource({ resourceType, id: 'x' })).resource).toEqual({ resourceType, id: 'x' });
  });

  test('a key that is no name of an element is not repeated', () => {
    expect(readShape(resource({ resourceType: 'Patient', '<b>Ada Fenwick</b>': 1 })).foreign).toEqual([
      '(no name of an element)',
    ]);
  });
});

test('what is nested without end is cut off', () => {
  const depth = 100_000;
  const nested = `${'{"url":"u","extension":['.repeat(depth)}{"url":"u"}${']}'.repeat(depth)}`;
  const shape = readShape(parsed(`{"resourceType":"Patient","extension":[${nested}]}`));
  expect(shape.isUsable).toBe(true);
  expect(shape.misshapen).toHaveLength(1);
  expect(JSON.stringify(shape.resource).length).toBeLessThan(2_000);
});
