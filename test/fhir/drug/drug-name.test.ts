import { describe, expect, test } from 'vitest';
import { isDrugNameSystem, usableDrugName } from '../../../src/fhir/drug/drug-name.ts';

describe('displays of class systems are no names of drugs (V5)', () => {
  test.each(['http://www.nlm.nih.gov/research/umls/rxnorm', 'http://hl7.org/fhir/sid/ndc'])(
    '%s names drugs',
    (system) => {
      expect(isDrugNameSystem(system)).toBe(true);
    },
  );

  test.each([
    'http://www.whocc.no/atc',
    'http://hl7.org/fhir/sid/icd-10-cm',
    'http://snomed.info/sct',
    'urn:oid:1.2.3',
    undefined,
  ])('%s does not', (system) => {
    expect(isDrugNameSystem(system)).toBe(false);
  });
});

describe('usableDrugName (V5)', () => {
  test.each([
    ['azathioprine 50 MG Oral Tablet [Imuran]', 'Imuran'],
    ['azathioprine', 'azathioprine'],
    ['Sandostatin LAR', 'Sandostatin LAR'],
  ])('%s', (text, name) => {
    expect(usableDrugName(text)?.name).toBe(name);
  });

  test.each(['ACE inhibitors, plain', '250 mg capsule', '10 MG', 'Oral Tablet', undefined])('%s is none', (text) => {
    expect(usableDrugName(text)).toBeUndefined();
  });
});
