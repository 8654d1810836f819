import { expect, test } from 'vitest';
import { asksSameDrug } from '../../src/cases/duplicate.ts';
import { codedBody, currentBody } from '../service/sample.ts';

function coded(extra: object) {
  const body = codedBody();
  return { ...body, prescription: { ...body.prescription, extra } };
}

test('a request with the drug by its NDC and one by its name are for the same drug', () => {
  expect(asksSameDrug(coded({ drug_name: 'OXAPROZIN' }), currentBody())).toBe(true);
  expect(asksSameDrug(coded({ drug_name: 'Humira' }), currentBody())).toBe(false);
  expect(asksSameDrug(coded({}), coded({}))).toBe(true);
});
