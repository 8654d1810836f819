import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mappings } from '../../../mappings/index.ts';
import { systems } from '../../../src/core/fhir/codes/systems.ts';
import { defineMapping, type Mapping } from '../../../src/core/mapping/words/define.ts';
import { each, from, type Transform } from '../../../src/core/mapping/words/rules.ts';
import { checkPaths, checkRolePaths, type PathIssue, type RoleTypes } from '../../../src/core/roles/check-paths.ts';
import { defineRoles } from '../../../src/core/roles/define.ts';
import {
  advises,
  choose,
  every,
  given,
  has,
  joined,
  latest,
  namedBy,
  pick,
  when,
} from '../../../src/core/roles/index.ts';
import type { RoleRules } from '../../../src/core/roles/words.ts';

const roles: RoleTypes = {
  patient: ['Patient'],
  order: ['MedicationRequest'],
  coverage: ['Coverage'],
  observation: ['Observation'],
  practice: ['Organization', 'Location'],
  site: ['country'],
};
const text: Transform<string> = {
  name: 'text',
  apply: (value) => (typeof value === 'string' ? { value } : { refused: 'nothing_to_say' }),
};

function issuesOf(expression: string): string[] {
  const mapping = defineMapping('sample', z.object({ leaf: z.string() }), { leaf: from(text, expression) });
  return checkPaths(mapping, roles).map(({ position, message }) => `${position}: ${message}`);
}

describe('every mapping of this project', () => {
  const all: (readonly [string, () => PathIssue[]])[] = [
    ...checksOf(mappings['prior-auth']),
    ...checksOf(mappings.enrollment),
  ];

  test.each(all)('%s names only elements, types and roles that exist', (_, check) => {
    expect(check()).toEqual([]);
  });

  test('no role has the name of a system variable', () => {
    expect(mappings.roles.names.filter((role) => Object.hasOwn(systems, role))).toEqual([]);
  });
});

describe('a misspelt or impossible path is found', () => {
  test.each([
    ['%patient.nane.given', '9: Patient has no element nane; did you mean name?'],
    ['%patient.name.firstName', '14: HumanName has no element firstName'],
    [
      "%coverage.class.where(type.coding.exists(kode = 'rxbin')).value",
      '41: Coding has no element kode; did you mean code?',
    ],
    ['%patient.contact.address.zip', '25: Address has no element zip'],
    [
      '%order.dispenseRequest.intialFill.quantity.value',
      '23: MedicationRequest.dispenseRequest has no element intialFill; did you mean initialFill?',
    ],
    ['%observation.valueQuantity.value', '13: Observation has no element valueQuantity; write value.ofType(...)'],
    [
      '%order.subject.ofType(Reference).reference',
      '15: it is always Reference here; only an element of several types can be asked for its type',
    ],
    ['%order.medication.ofType(Medication).code', '18: Medication is not one of CodeableConcept or Reference'],
    ['%order.subject.resolve().ofType(Coverage).status', '25: Coverage is not one of Patient or Group'],
    [
      '%order.requester.resolve().qualifications',
      '27: Practitioner or PractitionerRole or Organization or Patient or RelatedPerson or Device has no element ' +
        'qualifications; did you mean qualification?',
    ],
    ['%patient.name.resolve()', '14: HumanName is no Reference'],
    ['%patient.birthDate.year', '19: date has no element year'],
    ["%patient.extension('urn:x').valeu", '28: Extension has no element valeu; did you mean value?'],
    ["%patient.where(maritalStatus = 'M').id", '15: CodeableConcept never equals string'],
    ["%patient.where(active = 'true').id", '15: boolean never equals string'],
    ['%pateint.name.family', '0: there is no role %pateint; did you mean %patient?'],
    ['%site.contry', '6: %site has no element contry; did you mean country?'],
  ])('%s', (expression, issue) => {
    expect(issuesOf(expression)).toContain(issue);
  });

  test.each([
    ["%order.where(dosageInstruction.count() = 'one').id", /integer never equals string$/],
    ['%patient.where((birthDate | name.family) = true).id', /date or string never equals boolean$/],
  ])('%s compares what is never equal', (expression, issue) => {
    expect(issuesOf(expression)).toEqual([expect.stringMatching(issue)]);
  });

  test.each([
    "%patient.name.where(use = 'official').given.first()",
    "%patient.birthDate.extension('urn:x').value.ofType(dateTime)",
    '%patient.generalPractitioner.resolve().name.family',
    '%order.medication.ofType(Reference).resolve().code.coding.display',
    '%order.contained.ofType(Medication).form.text',
    '%order.dosageInstruction.doseAndRate.dose.ofType(Quantity).value',
    "%practice.telecom.where(system = 'phone').value",
    '%practice.hoursOfOperation.openingTime',
    'Patient.name',
    '%observation.where(effective > @2026-01-01).value.unit',
    '%observation.component.value.ofType(CodeableConcept).text',
    '%site.country',
    "%coverage.identifier.where(system = %npi or type.coding.exists(code in ('MB' | 'SN'))).value",
  ])('%s passes', (expression) => {
    expect(issuesOf(expression)).toEqual([]);
  });

  test('a part with parts needs a transform', () => {
    const mapping = defineMapping('sample', z.object({ leaf: z.string() }), { leaf: from('%patient.name') });
    expect(checkPaths(mapping, roles)).toEqual([
      {
        to: 'leaf',
        rule: 'sample',
        expression: '%patient.name',
        position: 0,
        message: 'HumanName has parts; name one of them or use a transform',
      },
    ]);
  });

  test('relative paths of an each are checked against its items', () => {
    const mapping = defineMapping('sample', z.object({ list: z.array(z.object({ code: z.string() })) }), {
      list: each('%observation.component', { code: from('kode.text') }),
    });
    expect(checkPaths(mapping, roles)).toEqual([
      {
        to: 'list[].code',
        rule: 'sample',
        expression: 'kode.text',
        position: 0,
        message: 'Observation.component has no element kode; did you mean code?',
      },
    ]);
  });
});

describe('a misspelt or impossible path of a role is found', () => {
  const base: RoleRules = { patient: given('Patient'), order: given('MedicationRequest') };
  const found = (rules: RoleRules) =>
    checkRolePaths(
      defineRoles('roles', { ...base, ...rules }, { isSensitive: () => false, tellsSensitive: () => false }),
    );
  const issue = (to: string, expression: string, position: number, message: string) => [
    { to, rule: 'roles', expression, position, message },
  ];
  const noStatus = 'Coverage has no element statsu; did you mean status?';

  test('in what rules a candidate out', () => {
    const coverage = choose('Coverage', { unless: [when("statsu = 'active'", 'it is active')] });
    expect(found({ coverage })).toEqual(issue('%coverage', "statsu = 'active'", 0, noStatus));
  });

  test('in the words for it', () => {
    const coverage = choose('Coverage', { unless: [when("status = 'draft'", 'it is {statsu|missing}')] });
    expect(found({ coverage })).toEqual(issue('%coverage', 'statsu', 0, noStatus));
  });

  test('in a preference, and in what a preference compares with', () => {
    const message = 'HumanName has no element priod; did you mean period?';
    const name = pick(['HumanName'], ['%patient.name'], { prefer: [latest('priod.start')] });
    expect(found({ name })).toEqual(issue('%name', 'priod.start', 0, message));
    const coverage = choose('Coverage', {
      prefer: [has(when('statsu.exists()')), namedBy('%order.insurence', 'named')],
    });
    expect(found({ coverage })).toEqual([
      ...issue('%coverage', 'statsu.exists()', 0, noStatus),
      ...issue(
        '%coverage',
        '%order.insurence',
        7,
        'MedicationRequest has no element insurence; did you mean insurance?',
      ),
    ]);
  });

  test('in a label', () => {
    const coverage = choose('Coverage', { label: ['type.text | payor.dispaly'] });
    expect(found({ coverage })).toEqual(
      issue('%coverage', 'type.text | payor.dispaly', 18, 'Reference has no element dispaly; did you mean display?'),
    );
  });

  test('in a question, its words and the elements by which two candidates say the same', () => {
    const coverage = choose('Coverage', { asks: [advises(when("statsu = 'draft'"), 'It ends on {period.edn}.')] });
    expect(found({ coverage })).toEqual([
      ...issue('%coverage', "statsu = 'draft'", 0, noStatus),
      ...issue('%coverage', 'period.edn', 7, 'Period has no element edn'),
    ]);
    const name = pick(['HumanName'], ['%patient.name'], { same: ['famly'] });
    expect(found({ name })).toEqual(issue('%name', 'famly', 0, 'HumanName has no element famly; did you mean family?'));
  });

  test('in a question about what a text is joined from', () => {
    const dose = every(['Dosage'], ['%order.dosageInstruction']);
    const asks = [advises(when('timing.exists() and asNeded.exists()'), '{rout.text} as needed.')];
    const directions = joined('%dose', ['text', 'paitentInstruction'], asks);
    expect(found({ dose, directions }).map(({ message }) => message)).toEqual([
      'Dosage has no element paitentInstruction; did you mean patientInstruction?',
      'Dosage has no element asNeded; did you mean asNeeded?',
      'Dosage has no element rout; did you mean route?',
    ]);
  });

  test('where its candidates come from', () => {
    const name = pick(['HumanName'], ['%patient.nane']);
    expect(found({ name })).toEqual(
      issue('%name', '%patient.nane', 9, 'Patient has no element nane; did you mean name?'),
    );
  });

  test('the roles of this project have none', () => {
    expect(checkRolePaths(mappings.roles)).toEqual([]);
  });
});

function checksOf<T>(named: Readonly<Record<string, Mapping<T>>>): [string, () => PathIssue[]][] {
  return Object.entries(named).map(([name, mapping]) => [name, () => checkPaths(mapping, mappings.roles.types)]);
}
