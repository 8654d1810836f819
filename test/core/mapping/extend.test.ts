import { expect, test } from 'vitest';
import { z } from 'zod';
import { BridgeError } from '../../../src/core/errors.ts';
import { describeMapping, describeOverlays } from '../../../src/core/mapping/review/describe-mapping.ts';
import { defineMapping, extendMapping } from '../../../src/core/mapping/words/define.ts';
import { each, from, omit, within } from '../../../src/core/mapping/words/rules.ts';

const Old = z.strictObject({
  name: z.string(),
  unit: z.string(),
  amount: z.strictObject({ value: z.number() }),
  notes: z.array(z.strictObject({ text: z.string() })).optional(),
});
const base = defineMapping('old', Old, {
  name: from('%patient.name.family'),
  unit: from('%order.dispenseRequest.quantity.unit'),
  amount: { value: from('%order.dispenseRequest.quantity.value') as never },
  notes: each('%order.note', { text: from('text') }),
});

const New = z.strictObject({
  name: z.string(),
  amount: z.strictObject({ value: z.number() }),
  notes: z.array(z.strictObject({ text: z.string(), file: z.string().optional() })).optional(),
  reason: z.string().optional(),
});

test('what the new target lacks falls away, what it adds is stated, and the rest is the base’s', () => {
  const mapping = extendMapping(
    base,
    'new',
    New,
    { reason: omit('a person enters it'), notes: within({ file: omit('a person attaches it') }) },
    {},
  );
  expect(describeMapping(mapping).map(({ to, rule }) => `${to} ${rule}`)).toEqual([
    'name old',
    'amount.value old',
    'notes[] old',
    'notes[].text old',
    'notes[].file new',
    'reason new',
  ]);
  const [changes] = describeOverlays(mapping);
  expect(changes?.changes.filter(({ after }) => after === undefined).map(({ to }) => to)).toEqual(['unit']);
});

test.each([
  ['reason', { notes: within({ file: omit('a person attaches it') }) }],
  ['notes[].file', { reason: omit('a person enters it') }],
])('a leaf that neither states (%s) stops it', (leaf, rules) => {
  const extend = () => extendMapping(base, 'new', New, rules as never, {});
  expect(extend).toThrow(BridgeError);
  expect(extend).toThrow(
    expect.objectContaining({
      code: 'mapping_invalid',
      facts: { mapping: 'new', reason: `no rule says what is sent as ${leaf}` },
    }),
  );
});
