import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { MappingInput, Node } from '../../../src/core/mapping/input.ts';
import { describeMapping } from '../../../src/core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { defineMapping, overlay } from '../../../src/core/mapping/words/define.ts';
import { concat, each, from, within } from '../../../src/core/mapping/words/rules.ts';

const List = z.object({
  items: z.array(z.object({ name: z.string(), note: z.string().min(3).optional() })).optional(),
});
const mapping = defineMapping('lists', List, {
  items: concat(
    each('%patient.name', { name: from('family'), note: from('use') }),
    each('%patient.contact', { name: from('name.family'), note: from('gender') }),
  ),
});

function input(patient: object, more: Partial<Node> = {}): MappingInput {
  const source = { resource: 'Patient/1', path: 'Patient' };
  const root = { nodes: [{ value: patient, source, ...more }] };
  return { root: (role) => (role === 'patient' ? root : undefined), resolve: () => undefined, questions: () => [] };
}

describe('concat() makes one list of several', () => {
  const patient = { name: [{ family: 'Reed' }, { family: 'Vale' }], contact: [{ name: { family: 'Ash' } }] };

  test('in the order of the lists, each item with its own source', () => {
    const result = runMapping(mapping, input(patient));
    expect(result).toMatchObject({ body: { items: [{ name: 'Reed' }, { name: 'Vale' }, { name: 'Ash' }] } });
    expect(result.provenance.map(({ target, source }) => `${target} ${source?.path}`)).toEqual([
      'items[0].name Patient.name[0].family',
      'items[1].name Patient.name[1].family',
      'items[2].name Patient.contact[0].name.family',
    ]);
  });

  test('a list that finds nothing takes no place', () => {
    expect(runMapping(mapping, input({ contact: patient.contact }))).toMatchObject({
      body: { items: [{ name: 'Ash' }] },
    });
    expect(runMapping(mapping, input({}))).toMatchObject({ status: 'complete', body: {} });
  });

  test('a gap of an item looks where the rules of its own list look', () => {
    const result = runMapping(mapping, input({ name: [{ family: 'Reed' }], contact: [{ gender: 'female' }] }));
    const [gap] = result.gaps.filter(({ target }) => target === 'items[1].name');
    expect(gap?.looks.map(({ expression }) => expression)).toEqual(['name.family']);
  });

  test('an overlay reaches into the items of every list', () => {
    const site = overlay(mapping, 'lists@site', { items: within({ note: from("'seen'") }) });
    expect(runMapping(site, input(patient))).toMatchObject({
      body: { items: [{ note: 'seen' }, { note: 'seen' }, { note: 'seen' }] },
    });
  });

  test('is described list by list', () => {
    expect(describeMapping(mapping).map(({ to, from: [source] }) => `${to} ${source?.expression}`)).toEqual([
      'items[] %patient.name',
      'items[].name family',
      'items[].note use',
      'items[] %patient.contact',
      'items[].name name.family',
      'items[].note gender',
    ]);
  });
});

test('each() of single values makes a list of them', () => {
  const names = defineMapping('names', z.object({ names: z.array(z.string()).optional() }), {
    names: each('%patient.name.family', from('$this')),
  });
  expect(runMapping(names, input({ name: [{ family: 'Reed' }, { family: 'Vale' }] }))).toMatchObject({
    body: { names: ['Reed', 'Vale'] },
    provenance: [
      { target: 'names[0]', source: { path: 'Patient.name[0].family' } },
      { target: 'names[1]', source: { path: 'Patient.name[1].family' } },
    ],
  });
});

describe('a value that was put together from several resources', () => {
  const parts = {
    'name[1]': { resource: 'Person/7', version: '2', path: 'Person.name[0]' },
    'contact[0].name.family': { resource: 'RelatedPerson/3', path: 'RelatedPerson.name[0].family' },
  };
  const value = {
    name: [{ family: 'Reed' }, { family: 'Vale' }],
    contact: [{ name: { family: 'Ash' }, gender: 'other' }],
  };
  const sources = runMapping(mapping, input(value, { whole: true, parts })).provenance.map(({ target, source }) => [
    target,
    source,
  ]);

  test('is cited part by part, and what has no place of its own by the whole', () => {
    expect(Object.fromEntries(sources)).toEqual({
      'items[0].name': { resource: 'Patient/1', path: 'Patient' },
      'items[1].name': { resource: 'Person/7', version: '2', path: 'Person.name[0].family' },
      'items[2].name': { resource: 'RelatedPerson/3', path: 'RelatedPerson.name[0].family' },
      'items[2].note': { resource: 'Patient/1', path: 'Patient' },
    });
  });
});
