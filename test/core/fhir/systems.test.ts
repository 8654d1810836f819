import { expect, test } from 'vitest';
import { type CodeSystem, codeSystems } from '../../../src/core/fhir/codes/code-systems.ts';
import {
  canonicalSystem,
  namesNoProduct,
  systemKind,
  systemName,
  systems,
} from '../../../src/core/fhir/codes/systems.ts';
import { readShape } from '../../../src/core/fhir/shape/read-shape.ts';
import { spellingsOf } from '../../support/spellings.ts';

const rows: readonly CodeSystem[] = Object.values(codeSystems);

test('[K6] every spelling of a system in the table is read as its one address', () => {
  for (const { url } of rows) for (const spelling of spellingsOf(url)) expect(canonicalSystem(spelling)).toBe(url);
});

test('no two systems share a spelling, and each says where its spellings come from', () => {
  const owners = new Map<string, string>();
  for (const { url, oids = [], also = [], names = [], source } of rows) {
    expect(source).not.toBe('');
    for (const spelling of [url, ...oids, ...also, ...names]) {
      expect([spelling, owners.get(spelling.toLowerCase()) ?? url]).toEqual([spelling, url]);
      owners.set(spelling.toLowerCase(), url);
    }
  }
});

test.each([
  ['2.16.840.1.113883.6.96', systems.sct],
  ['URN:OID:2.16.840.1.113883.6.88', systems.rxnorm],
  ['https://www.loinc.org/', systems.loinc],
  ['http://hl7.org/fhir/sid/icd-10-cm|2025', systems.icd10],
  ['http://hl7.org/fhir/sid/icd-10-us', systems.icd10],
  ['http://snomed.info/sct/731000124108/version/20240301', systems.sct],
  ['http://www.snomed.org/', systems.sct],
  ['ICD10CM', systems.icd10],
  ['SNOMED-CT', systems.sct],
  ['http://hl7.org/fhir/v2/0203', systems.v2identifier],
  ['urn:oid:2.16.840.1.113883.12.203', systems.v2identifier],
  ['urn:oid:2.16.840.1.113883.18.108', systems.v2identifier],
  ['HL70203', systems.v2identifier],
  ['http://terminology.hl7.org/3.1.0/CodeSystem-v2-0203', systems.v2identifier],
  ['http://hl7.org/fhir/v3/ActCode', systems.v3actcode],
  ['http://hl7.org/fhir/v3/ActCode/cs.html', systems.v3actcode],
  ['http://hl7.org/fhir/coverage-class', systems.coverageClass],
  ['http://hl7.org/fhir/condition-clinical', systems.conditionClinical],
  ['http://hl7.org/fhir/observation-category', 'http://terminology.hl7.org/CodeSystem/observation-category'],
  ['2.16.840.1.113883.5.25', 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality'],
])('[K6] %s is read as %s', (stated, url) => {
  expect(canonicalSystem(stated)).toBe(url);
});

test.each([
  'https://clinic.example.org/mrn/',
  'urn:oid:1.2.840.114350.1.13.9999.1.7.2.698084',
  'urn:ietf:rfc:3986',
  'http://snomed.info/xsct',
  'http://hl7.org/fhir/sid/icd-10-de',
  'local',
  '',
])('a system that is not known stays as it stands: %s', (stated) => {
  expect(canonicalSystem(stated)).toBe(stated);
  expect(systemKind(stated)).toBeUndefined();
});

test('an OID that is not known is a URI as FHIR has it', () => {
  expect(canonicalSystem('1.2.840.114350.1.13.9999')).toBe('urn:oid:1.2.840.114350.1.13.9999');
});

test('groups and bills name no product, drug codes do, and of an unknown system nothing is known', () => {
  for (const url of [systems.hcpcs, systems.cpt, systems.cvx, systems.atc, systems.medrt])
    for (const spelling of spellingsOf(url)) expect(namesNoProduct(spelling)).toBe(true);
  for (const url of [systems.rxnorm, systems.ndc, systems.gpi, systems.sct]) expect(namesNoProduct(url)).toBe(false);
  expect(namesNoProduct('https://clinic.example.org/drugs')).toBe(false);
  expect(systemKind('http://terminology.hl7.org/CodeSystem/observation-category')).toBe('hl7');
});

test('only an address has a name: the code I10 is no code system', () => {
  expect(systemName(systems.icd10who)).toBe('ICD-10 (not CM)');
  expect(systemName('I10')).toBeUndefined();
});

test('[K6] a resource is read with one spelling of its systems, wherever they stand, and the given one stays', () => {
  const given = {
    resourceType: 'Observation',
    id: 'o1',
    status: 'final',
    identifier: [{ system: '2.16.840.1.113883.4.6', value: '1' }],
    code: { coding: [{ system: 'urn:oid:2.16.840.1.113883.6.1', code: '34788-0' }] },
    valueQuantity: { value: 1, system: 'https://unitsofmeasure.org/', code: 'd' },
    contained: [{ resourceType: 'Practitioner', telecom: [{ system: 'phone', value: '1' }] }],
    extension: [{ url: 'https://loinc.org/', valueCoding: { system: 'http://loinc.org/', code: '1-8' } }],
  };
  const before = structuredClone(given);
  const { resource, misshapen, foreign } = readShape(given as never);
  expect([misshapen, foreign]).toEqual([[], []]);
  expect(given).toEqual(before);
  expect(resource).toEqual({
    ...given,
    identifier: [{ system: systems.npi, value: '1' }],
    code: { coding: [{ system: systems.loinc, code: '34788-0' }] },
    valueQuantity: { value: 1, system: systems.ucum, code: 'd' },
    extension: [{ url: 'https://loinc.org/', valueCoding: { system: systems.loinc, code: '1-8' } }],
  });
});
