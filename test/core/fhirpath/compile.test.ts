import { describe, expect, test } from 'vitest';
import { compilePath, variablesOf } from '../../../src/core/fhirpath/compile.ts';
import type { Environment } from '../../../src/core/fhirpath/environment.ts';
import { EvaluationError, PathError } from '../../../src/core/fhirpath/error.ts';
import { Item, itemPlace } from '../../../src/core/fhirpath/item.ts';

const patient = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId: '3' },
  name: [
    { family: 'Old', period: { end: '2020' } },
    { family: 'New', given: ['A', 'B'] },
  ],
  managingOrganization: { reference: '#o' },
  contained: [{ resourceType: 'Organization', id: 'o', name: 'Clinic' }],
};
const root = new Item(patient, { place: { resource: 'Patient/p1', version: '3', path: 'Patient' } });
const organization = new Item(
  { resourceType: 'Organization', id: 'o', name: 'Clinic' },
  { place: { resource: 'Organization/o in Patient/p1', path: 'Organization' } },
);
const environment: Environment = {
  variable: ({ name }) => (name === 'patient' ? [root] : []),
  resolve: () => organization,
};

function places(expression: string): unknown[] {
  return compilePath(expression).run([root], environment).map(itemPlace);
}

describe('where a value stands', () => {
  test('is told with every index written out, and with the version', () => {
    expect(places('%patient.name.where(period.empty()).given.last()')).toEqual([
      { resource: 'Patient/p1', version: '3', path: 'Patient.name[1].given[1]' },
    ]);
  });

  test('begins anew in a contained resource', () => {
    expect(places('contained.name')).toEqual([
      { resource: 'Organization/o in Patient/p1', version: '3', path: 'Organization.name' },
    ]);
  });

  test('is that of the resource a reference points to', () => {
    expect(places('managingOrganization.resolve().name')).toEqual([
      { resource: 'Organization/o in Patient/p1', path: 'Organization.name' },
    ]);
  });

  test('begins at the part of a resource that a root is', () => {
    const name = new Item({ family: 'New' }, { place: { resource: 'Patient/p1', path: 'Patient.name[1]' } });
    expect(
      compilePath('%name.family')
        .run([], { ...environment, variable: () => [name] })
        .map(itemPlace),
    ).toEqual([{ resource: 'Patient/p1', path: 'Patient.name[1].family' }]);
  });

  test('is unknown for literals and answers', () => {
    expect(places("'text'")).toEqual([undefined]);
    expect(places('name.count()')).toEqual([undefined]);
  });
});

describe('a trace', () => {
  test('tells how many items each step left and ends at the first that left none', () => {
    expect(compilePath("%patient.name.where(use = 'official').given.first()").trace([], environment)).toEqual({
      steps: [
        { step: 'Patient', items: 1 },
        { step: 'name', items: 2 },
        { step: "where(use = 'official')", items: 0 },
      ],
    });
  });

  test('names the role when nothing was chosen for it', () => {
    expect(compilePath('%coverage.class').trace([], environment)).toEqual({ steps: [{ step: '%coverage', items: 0 }] });
  });

  test('tells why an expression could not be answered', () => {
    expect(compilePath("%patient.name.family.startsWith('N')").trace([], environment)).toEqual({
      steps: [
        { step: 'Patient', items: 1 },
        { step: 'name', items: 2 },
        { step: 'family', items: 2 },
      ],
      failed: '2 items where one is expected',
    });
  });

  test('is one step for an expression of operators', () => {
    expect(compilePath('%patient.photo | %patient.link').trace([], environment)).toEqual({
      steps: [{ step: '%patient.photo | %patient.link', items: 0 }],
    });
  });
});

describe('what the subset does not have is refused with position and reason', () => {
  test.each([
    ['', 0, 'the expression is empty'],
    ['name.', 5, 'a name is missing'],
    ['name given', 5, '"given" is not expected here'],
    ['name.where(use = )', 17, '")" is not expected here'],
    ["name.where(use = 'official'", 27, '")" is missing'],
    ["name.where(use = 'official", 17, "the closing ' is missing"],
    [
      'name.select(given)',
      5,
      'the function select() is not part of the subset; it has where, exists, all, first, last, tail, empty, ' +
        'not, count, distinct, hasValue, resolve, extension, startsWith, endsWith, contains, iif, ofType, as, is',
    ],
    ['name.where()', 5, 'where() takes 1 argument(s), not 0'],
    ['name.first(1)', 5, 'first() takes 0 argument(s), not 1'],
    ['name[given]', 5, 'an index is a whole number from 0'],
    ['name[-1]', 5, 'an index is a whole number from 0'],
    ['1 + 2', 2, '"+" is not part of the FHIRPath subset'],
    ['name ~ name', 5, '"~" is not part of the FHIRPath subset'],
    ["name & 'x'", 5, '"&" is not part of the FHIRPath subset'],
    ['4 days', 2, '"days" is not expected here'],
    ['$index', 0, '"$index" is not part of the FHIRPath subset; only $this is'],
    ['-name', 1, '"-" stands only before a number; arithmetic is not part of the subset'],
    ['%', 0, 'a name is missing after "%"'],
    ['%resource.id', 0, '%resource is not part of the subset'],
    ['%`vs-gender`', 0, '%vs-gender is not part of the subset'],
    ["'\\q'", 2, '"\\q" is not an escape of FHIRPath'],
    ['name.constructor', 5, '"constructor" is not the name of an element'],
    ['name.__proto__', 5, '"__proto__" is not the name of an element'],
    [
      'name.family.ofType(string)',
      12,
      'ofType(string) can only follow a choice element (value, medication, ...), a resource or resolve()',
    ],
    ['value.ofType(quantiti)', 6, '"quantiti" is not a FHIR R4 type'],
    ['value.ofType(Referense)', 6, '"Referense" is not a FHIR R4 type'],
    ['value is System.String', 9, 'only types of FHIR are part of the subset'],
    ["birthDate = '1980-01-31'", 12, 'birthDate is a date; write @1980-01-31'],
    ['name and', 8, 'the expression ends too early'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 51, 'the expression is nested too deeply'],
  ])('%s', (expression, position, reason) => {
    const refusal = caught(() => compilePath(expression));
    expect(refusal).toBeInstanceOf(PathError);
    expect(refusal).toMatchObject({ expression, position, reason, code: 'mapping_invalid' });
  });
});

test.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty'])(
  'what every object can do is no function of the subset: %s()',
  (name) => {
    expect(caught(() => compilePath(`name.${name}()`))).toBeInstanceOf(PathError);
  },
);

describe('data that an expression cannot be answered on signals an error', () => {
  test.each([
    ['name.family and true', '2 items where one is expected'],
    ["name.family.contains('x')", '2 items where one is expected'],
    ['name.family > 1', '2 items where one is expected'],
    ['name.first().family > 1', 'values of these kinds have no order'],
    ['name.ofType(Quantity)', 'the type of a value is not known'],
  ])('%s', (expression, message) => {
    const thrown = caught(() => compilePath(expression).run([root], environment));
    expect(thrown).toEqual(new EvaluationError(message));
  });

  test('whole quantities are not compared', () => {
    const observation = new Item(
      {
        resourceType: 'Observation',
        valueQuantity: { value: 1, unit: 'mg' },
        component: [{ valueQuantity: { value: 1000, unit: 'ug' } }],
      },
      {},
    );
    expect(caught(() => compilePath('value = component.value').run([observation], environment))).toEqual(
      new EvaluationError('a whole Quantity cannot be compared; compare its value and code'),
    );
  });
});

test('an expression names the roles it uses, also inside arguments', () => {
  expect(
    variablesOf(
      compilePath('%order.subject | (%coverage.class.where(type.coding.exists(system = %npi and code = %site.code)))')
        .tree,
    ),
  ).toEqual(['order', 'coverage', 'site']);
});

test.each([
  ["coding.where(system = 'urn:oid:2.16.840.1.113883.6.96').code", ['1']],
  ["coding.where('https://snomed.info/sct/' = system).code", ['1']],
  ["coding.where(system in ('2.16.840.1.113883.6.1' | 'SNOMED CT')).code", ['1', '2']],
  ["coding.where(system != 'LN').code", ['1', '3']],
  ["coding.where(code = '1').code", ['1']],
  ["coding.where(display = 'LN').code", ['3']],
])('[K6] what is compared with a system may be spelled as charts do: %s', (expression, codes) => {
  const coding = [
    { system: 'http://snomed.info/sct', code: '1' },
    { system: 'http://loinc.org', code: '2' },
    { system: 'https://clinic.example.org/codes', code: '3', display: 'LN' },
  ];
  const found = compilePath(expression).run(
    [new Item({ coding }, { place: { resource: 'Condition/c1', path: 'Condition.code' } })],
    environment,
  );
  expect(found.map(({ value }) => value)).toEqual(codes);
});

test('system variables are the URIs of their systems', () => {
  expect(
    compilePath('%npi')
      .run([], environment)
      .map((item) => item.value),
  ).toEqual(['http://hl7.org/fhir/sid/us-npi']);
});

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
