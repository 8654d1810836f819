import { expect, test } from 'vitest';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import type { Environment, Items } from '../../../src/core/fhirpath/environment.ts';
import { EvaluationError } from '../../../src/core/fhirpath/error.ts';
import { Item, itemPlace } from '../../../src/core/fhirpath/item.ts';
import { type Cursor, nothing, nowhere, open } from '../../../src/core/fhirpath/plain.ts';
import { corpus } from './corpus.ts';
import { expressionsFor } from './expressions.ts';

const environment: Environment = { variable: () => [], resolve: () => undefined };

function itemsOf(values: readonly unknown[]): Items {
  return values.map((value, at) => new Item(value, { place: { resource: `R/${at}`, path: 'R' } }));
}

function found(run: () => Items): Items | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** What the quick form of an expression says; it has to say what the items say, or to leave it open. */
function quickly(expression: string, items: Items): 'value' | 'nothing' | 'open' | 'none' {
  const { plain, run } = compilePath(expression);
  if (plain === undefined) return 'none';
  const cursor: Cursor = { start: nowhere };
  const value = plain.read(items, cursor);
  if (value === open) return 'open';
  const all = found(() => run(items, environment));
  if (value === nothing) {
    expect(all, expression).toEqual([]);
    return 'nothing';
  }
  expect(all?.length, expression).toBe(1);
  expect(all?.[0]?.value, expression).toBe(value);
  const [walked] = plain.steps([cursor.start], environment);
  expect(walked?.value, expression).toBe(value);
  expect(walked && itemPlace(walked), expression).toEqual(all?.[0] && itemPlace(all[0]));
  return 'value';
}

test('a path that is read plainly finds the value and the place that its items have', () => {
  const counts = { value: 0, nothing: 0, open: 0, none: 0 };
  for (const resource of corpus)
    for (const expression of expressionsFor(resource)) {
      counts[quickly(expression, itemsOf([resource]))] += 1;
      counts[quickly(expression, itemsOf([{}, resource]))] += 1;
      counts[quickly(expression, itemsOf([resource, resource]))] += 1;
    }
  expect(counts.value).toBeGreaterThan(500);
  expect(counts.nothing).toBeGreaterThan(100);
});

test.each([
  ['name.family', { name: { family: 'A' } }, 'value'],
  ['name.family', { name: [{ family: 'A' }] }, 'value'],
  ['name.family', { name: [{ family: 'A' }, {}] }, 'open'],
  ['name.family', { name: [null] }, 'open'],
  ['name.family', { name: {}, _name: {} }, 'nothing'],
  ['birthDate', { _birthDate: { extension: [] } }, 'open'],
  ['birthDate', {}, 'nothing'],
  ['name.given[1]', { name: { given: ['A', 'B'] } }, 'value'],
  ['name.given[1]', { name: { given: [null, 'B'] } }, 'open'],
  ['name.given[1]', { name: { given: ['A'] } }, 'nothing'],
  ['name.given.first()', { name: { given: ['A', 'B'], _given: [{}] } }, 'open'],
  ["telecom.where(system = 'fax').value", { telecom: [{ system: 'fax', value: '1' }, { system: 'sms' }] }, 'value'],
  ["telecom.where(system = 'fax').value", { telecom: [{ system: 'fax' }, { system: 'fax' }] }, 'open'],
  ["telecom.where(system = 'fax').value", { telecom: ['fax'] }, 'open'],
  ["telecom.where(system = 'fax').value", { telecom: [{ system: 'sms' }] }, 'nothing'],
  ['medication', { medicationReference: { reference: 'Medication/1' } }, 'value'],
  ['Patient.birthDate', { birthDate: '2000' }, 'none'],
  ['name.count()', { name: [] }, 'none'],
] as const)('%s of %j: %s', (expression, value, says) => {
  expect(quickly(expression, itemsOf([value]))).toBe(says);
});
