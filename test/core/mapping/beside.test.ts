import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeMapping } from '../../../src/core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { defineMapping, overlay } from '../../../src/core/mapping/words/define.ts';
import { from, offering } from '../../../src/core/mapping/words/rules.ts';
import { number, patient, sampleInput } from './sample.ts';

const Letter = z.strictObject({ name: z.string(), city: z.string().optional() });

const other = { expression: '%patient.contact.name.text', what: 'the name of a contact' };
const letter = defineMapping('letter', Letter, {
  name: offering(from('%patient.name.given.first()'), other, {
    expression: '%patient.name.family',
    what: 'its family',
  }),
  city: offering(from('%patient.address.city'), { expression: '%patient.address.district', what: 'its district' }),
});
const contact = (...names: string[]) => ({ ...patient, contact: names.map((text) => ({ name: { text } })) });

test('what stands beside an empty leaf is offered, marked as not certain, and never sent [K18]', () => {
  const result = runMapping(letter, sampleInput({ patient: contact('Ada Birke', 'Ada Birke') }));
  expect(result).toMatchObject({ status: 'incomplete', draft: { city: 'Lakeside' } });
  expect(result.gaps).toMatchObject([
    {
      target: 'name',
      severity: 'blocks',
      options: [
        { value: 'Ada Birke', label: 'Ada Birke', reason: 'not certain: the name of a contact' },
        { value: 'Birke', label: 'Birke', reason: 'not certain: its family' },
      ],
    },
  ]);
  expect('name' in (result.status === 'incomplete' ? result.draft : {})).toBe(false);
});

test('a description of the mapping says what is offered, and from where', () => {
  expect(describeMapping(letter).map(({ to, reason }) => [to, reason])).toEqual([
    [
      'name',
      'offered where it is empty: the name of a contact (%patient.contact.name.text); ' +
        'offered where it is empty: its family (%patient.name.family)',
    ],
    ['city', 'offered where it is empty: its district (%patient.address.district)'],
  ]);
});

test('a person’s choice is their entry [K18]', () => {
  const result = runMapping(letter, sampleInput({ patient: contact('Ada') }), { edits: { name: 'Ada' } });
  expect(result.status).toBe('complete');
  expect(result.provenance.find(({ target }) => target === 'name')?.kind).toBe('entered');
});

test('beside a leaf that has a value, or that may be empty, nothing is offered [K18]', () => {
  const named = { ...contact('Ada'), name: [{ given: ['Eva'] }] };
  expect(runMapping(letter, sampleInput({ patient: named })).gaps).toEqual([]);
  const nowhere = { ...named, address: [{ district: 'Lake' }] };
  expect(runMapping(letter, sampleInput({ patient: nowhere })).gaps).toEqual([]);
});

test('what the leaf itself refuses, and damaged text, is no choice [K18]', () => {
  const { gaps } = runMapping(letter, sampleInput({ patient: contact('F\u{FFFD}nwick', ' ') }));
  expect(gaps[0]?.options?.map(({ value }) => value)).toEqual(['Birke']);
  const counted = defineMapping('counted', z.strictObject({ count: z.number() }), {
    count: offering(from(number, '%patient.multipleBirth.ofType(integer)'), {
      expression: '%patient.name.family',
      transform: { name: 'as it stands', apply: (value) => ({ value }) },
      what: 'a name',
    }),
  });
  expect(runMapping(counted, sampleInput()).gaps[0]?.options).toBeUndefined();
});

test('an overlay that reads a leaf elsewhere says itself what is offered [K18]', () => {
  const site = overlay(letter, 'letter@site', { name: from('%patient.name.prefix.first()') });
  expect(runMapping(site, sampleInput({ patient: contact('Ada') })).gaps[0]?.options).toBeUndefined();
});
