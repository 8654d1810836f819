import type { CodeableConcept, Condition, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { chartFor, select, subject } from '../core/evidence/support.ts';

// A reason that is in doubt is no diagnosis, whatever code stands beside it: a person enters the code.

const coding = [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'L40.0' }];

function codesOf(focal: object, ...resources: Resource[]): unknown[] {
  const root = select([...chartFor('adalimumab', focal), ...resources]).root('diagnosis');
  return root.nodes.map(({ value }) => (value as CodeableConcept).coding?.[0]?.code);
}

function ofCondition(more: Partial<Condition>): unknown[] {
  const condition: Condition = { resourceType: 'Condition', id: 'c1', subject, code: { coding }, ...more };
  return codesOf({ reasonReference: [{ reference: 'Condition/c1' }] }, condition);
}

describe.each([
  ...['? psoriasis', '?psoriasis', 'psoriasis?', 'Psoriasis (?)', 'Not psoriasis', 'No psoriasis', 'R/O psoriasis'],
  ...['Rule out psoriasis', 'Possible psoriasis', 'Likely psoriasis', 'Suspected psoriasis', 'Query psoriasis'],
  ...['Concern for psoriasis', 'Evaluate for psoriasis', 'Presumed psoriasis', 'Without psoriasis'],
  ...['psoriasis, suspected', 'psoriasis - r/o', 'Psoriasis (unconfirmed)', 'psoriasis ruled out'],
  ...['Psoriasis vs eczema', 'Negative for psoriasis', 'Provisional: psoriasis', 'Differential: psoriasis'],
])('a reason in doubt: %s', (text) => {
  test('is no diagnosis beside a code', () => {
    expect(codesOf({ reasonCode: [{ coding, text }] })).toEqual([]);
    expect(codesOf({ reasonCode: [{ coding: coding.map((one) => ({ ...one, display: text })) }] })).toEqual([]);
    expect(ofCondition({ code: { coding, text } })).toEqual([]);
  });
});

test.each([
  ...['Psoriasis', 'Psoriasis, not otherwise specified', 'Psoriasis with no arthropathy', 'Non-pressure ulcer'],
  ...['History of myocardial infarction', 'Psoriasis without arthropathy', 'Northern psoriasis', 'Notalgia'],
  ...['Psoriasis or similar disorder', 'Nonscarring hair loss', 'Psoriasis, suspected trigger: lithium'],
  ...['Chronic graft-versus-host disease', 'Graft vs. host disease'],
])('a reason that is certain is a diagnosis: %s', (text) => {
  expect(codesOf({ reasonCode: [{ coding, text }] })).toEqual(['L40.0']);
});

test.each(['provisional', 'unconfirmed', 'differential', 'refuted', 'entered-in-error'])(
  'a Condition that is %s is no diagnosis, by its code or in words',
  (code) => {
    expect(ofCondition({ verificationStatus: { coding: [{ code }] } })).toEqual([]);
    expect(ofCondition({ verificationStatus: { text: code } })).toEqual([]);
  },
);

test('a code that names no disease says as little as its words', () => {
  const pregnancy = { coding: [{ ...coding[0], code: 'Z32.00' }], text: 'Possible pregnancy' };
  expect(codesOf({ reasonCode: [pregnancy] })).toEqual(['Z32.00']);
});
