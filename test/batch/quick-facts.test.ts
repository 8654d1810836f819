import { describe, expect, test } from 'vitest';
import { markOfText } from '../../src/batch/mark.ts';
import { QuickReader } from '../../src/batch/quick-facts.ts';

const factsOf = (line: string) => {
  const bytes = Buffer.from(line);
  return new QuickReader(bytes).facts(0, bytes.length);
};

const condition = '{"resourceType":"Condition","id":"c1","subject":{"reference":"Patient/p1"},"code":{"text":"x"}}';

describe('a line as servers write it tells type and patient without being parsed', () => {
  test('the patient by the id in its reference, relative or absolute, with blanks behind the colons or without', () => {
    const owner = markOfText('p1');
    expect(factsOf(condition)).toMatchObject({ type: 'Condition', owner, address: '', isRelative: true });
    expect(factsOf(condition.replaceAll(':', ': '))).toMatchObject({ owner });
    expect(
      factsOf('{"resourceType": "Condition", "id": "c1", "subject": {"reference": "Patient/p1", "display": "A {b}"}}'),
    ).toMatchObject({ owner });
    const address = 'https://ehr.example/fhir/Patient/p1';
    expect(factsOf(condition.replace('Patient/p1', address))).toMatchObject({ owner, address, isRelative: false });
    const elsewhere = factsOf(condition.replace('Patient/p1', 'urn:uuid:p1'));
    expect(elsewhere).toMatchObject({ owner, address: '', isRelative: false });
    expect(factsOf(condition.replace('Patient/p1', 'p1'))).toMatchObject({ owner, isRelative: false });
  });

  test('a Patient by its own id', () => {
    expect(factsOf('{"resourceType":"Patient","id":"p1","active":true}')).toMatchObject({ owner: markOfText('p1') });
  });

  test('what is about nobody has no patient', () => {
    expect(factsOf('{"resourceType":"Practitioner","id":"d1"}')).toMatchObject({ type: 'Practitioner', owner: 0 });
  });

  test('lines of several types one after the other', () => {
    const lines = [condition, '{"resourceType":"Patient","id":"p2"}', condition];
    const bytes = Buffer.from(lines.join('\n'));
    const reader = new QuickReader(bytes);
    let start = 0;
    const types = lines.map((line) => {
      const facts = reader.facts(start, start + line.length);
      start += line.length + 1;
      return facts?.type;
    });
    expect(types).toEqual(['Condition', 'Patient', 'Condition']);
  });
});

describe('whatever could mean something else is left to the parser', () => {
  test.each([
    ['a contained resource', condition.replace('"code"', '"contained":[{"resourceType":"Patient","id":"x"}],"code"')],
    ['the patient named twice', condition.replace('"code"', '"subject":{"reference":"Patient/p2"},"code"')],
    [
      'an escape that could spell a key',
      condition.replace('"code"', '"\\u0073ubject":{"reference":"Patient/p2"},"code"'),
    ],
    ['two references in one', condition.replace('"}', '","reference":"Patient/p2"}')],
    ['a patient named by identifier', condition.replace('"reference":"Patient/p1"', '"identifier":{"value":"1"}')],
    ['a patient named by a search', condition.replace('Patient/p1', 'Patient?identifier=1')],
    ['a reference to a version', condition.replace('Patient/p1', 'Patient/p1/_history/2')],
    ['a reference that ends with a slash', condition.replace('Patient/p1', 'Patient/p1/')],
    ['another order of keys', '{"id":"c1","resourceType":"Condition","subject":{"reference":"Patient/p1"}}'],
    ['no id', '{"resourceType":"Condition","subject":{"reference":"Patient/p1"}}'],
    ['no patient', '{"resourceType":"Condition","id":"c1"}'],
    ['a cut line', condition.slice(0, -2)],
    ['a Bundle', '{"resourceType":"Bundle","id":"b1","type":"collection"}'],
    ['a Patient with another id in it', '{"resourceType":"Patient","id":"p1","name":[{"id":"n"}]}'],
    ['a list', `[${condition}]`],
  ])('%s', (_, line) => {
    expect(factsOf(line)).toBeUndefined();
  });
});
