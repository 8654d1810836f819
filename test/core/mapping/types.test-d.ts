// Compiled by `npm run typecheck`: every mistake below must stay a compile error, every line without a mark must
// compile.
import { z } from 'zod';
import { defineMapping, overlay } from '../../../src/core/mapping/words/define.ts';
import { constant, each, firstOf, from, omit, type Transform, within } from '../../../src/core/mapping/words/rules.ts';

const Target = z.strictObject({
  name: z.string(),
  count: z.number().optional(),
  flag: z.boolean(),
  kind: z.enum(['a', 'b']),
  lines: z.array(z.strictObject({ code: z.string(), note: z.string().optional() })),
  part: z.strictObject({ city: z.string(), kind: z.enum(['x', 'y']).optional() }).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  anything: z.unknown(),
});

declare const count: Transform<number>;
declare const flag: Transform<boolean>;
declare const kind: Transform<'a' | 'b'>;
declare const text: Transform<string>;

const rules = {
  name: from('%patient.name.text'),
  count: from(count, '%order.count'),
  flag: from(flag, '%order.flag'),
  kind: from(kind, '%order.kind'),
  lines: each('%line', { code: from(text, 'code'), note: omit('not sent') }),
  part: { city: firstOf(from('%address.city'), from(text, '%address.text')), kind: constant('x', 'the only one') },
  extra: { rxnorm: from('%order.code'), deep: { more: constant(1, 'one') } },
  anything: omit('not sent'),
} as const;
const { name, ...withoutName } = rules;

export const sound = defineMapping('sound', Target, rules);
export const alsoSound = defineMapping('sound', Target, {
  ...rules,
  count: omit('none'),
  part: omit('none'),
  lines: omit('none'),
  anything: { free: from('%x') },
});

// 1. Keys of the target

// @ts-expect-error a key is forgotten
export const forgotten = defineMapping('bad', Target, withoutName);
// @ts-expect-error an optional key is forgotten too
export const forgottenOptional = defineMapping('bad', Target, {
  name,
  flag: rules.flag,
  kind: rules.kind,
  lines: rules.lines,
  part: rules.part,
  extra: rules.extra,
  anything: rules.anything,
});
// @ts-expect-error a key is misspelt
export const misspelt = defineMapping('bad', Target, { ...rules, naem: name });
export const misspeltInside = defineMapping('bad', Target, {
  ...rules,
  // @ts-expect-error a key of a part is misspelt
  part: { city: from('%address.city'), kind: omit('none'), town: from('%address.city') },
});
export const forgottenInList = defineMapping('bad', Target, {
  ...rules,
  // @ts-expect-error a key of a list's items is forgotten
  lines: each('%line', { code: from('code') }),
});

// 2. Types of leaves

// @ts-expect-error a text where a number is wanted
export const textForNumber = defineMapping('bad', Target, { ...rules, count: from('%order.count') });
// @ts-expect-error a number where a text is wanted
export const numberForText = defineMapping('bad', Target, { ...rules, name: from(count, '%order.count') });
// @ts-expect-error any text where an enum is wanted
export const textForEnum = defineMapping('bad', Target, { ...rules, kind: from('%order.kind') });
// @ts-expect-error a constant that the enum does not have
export const wrongConstant = defineMapping('bad', Target, { ...rules, kind: constant('c', 'no such value') });
// @ts-expect-error a bare value instead of a rule
export const bare = defineMapping('bad', Target, { ...rules, name: 'Birke' });
export const itemForList = defineMapping('bad', Target, {
  ...rules,
  // @ts-expect-error one item where a list is wanted
  lines: { code: from('%line.code'), note: omit('none') },
});
export const listForPart = defineMapping('bad', Target, {
  ...rules,
  // @ts-expect-error a list where one part is wanted
  part: each('%address', { city: from('city'), kind: omit('none') }),
});

// 3. Overlays

export const layered = overlay(sound, 'sound@site', {
  name: from('%patient.name.family'),
  part: { city: from('%site.city') },
  lines: within({ code: from(text, 'other') }),
  extra: { more: from('%site.more') },
});
export const twice = overlay(layered, 'sound@site@clinic', {
  lines: each('%line', { code: from('code'), note: from('note') }),
  part: omit('not here'),
});
// @ts-expect-error an overlay names a key that the target does not have
export const wrongKey = overlay(sound, 'sound@site', { nmae: from('%patient.name.text') });
// @ts-expect-error an overlay's leaf has another type
export const wrongType = overlay(sound, 'sound@site', { count: from('%order.count') });
export const wrongInside = overlay(sound, 'sound@site', {
  // @ts-expect-error an overlay names a key that the part does not have
  part: { town: from('%address.city') },
});
export const wrongWithin = overlay(sound, 'sound@site', {
  // @ts-expect-error an overlay names a key that the items do not have
  lines: within({ kode: from('code') }),
});
// @ts-expect-error a source without a path
export const noPath = from();
// @ts-expect-error a reason is owed
export const noReason = omit();
