import { expect, test } from 'vitest';
import { slimBundle, unreadEntry } from '../../src/batch/slim-bundle.ts';
import { unreadTypes } from '../../src/batch/unread-types.ts';
import { syntheaBundles } from '../bench/synthea.ts';

const unread = unreadTypes({ choices: false });
const unchecked = { unread, isFast: true };
const checked = { unread, isFast: false };

/** What a Bundle holds with what stands for the entries of unread types. */
function reduced(bundle: unknown): unknown {
  if (!isObject(bundle) || !Array.isArray(bundle.entry)) return bundle;
  const entry = bundle.entry.map((one: unknown) => {
    const resource = isObject(one) && isObject(one.resource) ? one.resource : {};
    return typeof resource.resourceType === 'string' && unread.has(resource.resourceType) ? unreadEntry : one;
  });
  return { ...bundle, entry };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const claim = {
  resourceType: 'Claim',
  id: 'c1',
  text: { div: 'a "quoted" } brace ] and \\ slash' },
  item: [{ x: [1] }],
};
const patient = { resourceType: 'Patient', id: 'p1', name: [{ family: 'Élan' }] };
const small = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: [{ fullUrl: 'urn:uuid:1', resource: claim }, { fullUrl: 'urn:uuid:2', resource: patient }, { request: {} }],
};

test('entries of types that nobody reads are not parsed, the others are as they stand', () => {
  for (const text of [JSON.stringify(small), JSON.stringify(small, undefined, 2), `\uFEFF${JSON.stringify(small)}`]) {
    const bytes = Buffer.from(text);
    const slim = slimBundle(bytes, unchecked);
    expect(slim?.value).toEqual({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [unreadEntry, { fullUrl: 'urn:uuid:2', resource: patient }, { request: {} }],
    });
    expect(slim?.unread).toEqual({ Claim: 1 });
    expect(slim?.parsed).toBeLessThan(bytes.length - JSON.stringify(claim).length + 20);
  }
});

test.each([
  ['another resource', JSON.stringify(patient)],
  ['a list', JSON.stringify([small])],
  ['two lists of entries', JSON.stringify(small).replace('"type"', '"entry":[],"type"')],
  ['a key spelled with escapes', JSON.stringify(small).replace('"entry"', '"entr\\u0079"')],
  ['entries that are no list', JSON.stringify({ ...small, entry: {} })],
  ['something behind the end', `${JSON.stringify(small)}x`],
])('%s is left to the parser', (_, text) => {
  expect(slimBundle(Buffer.from(text), unchecked)).toBeUndefined();
});

test.each([
  ['the type', '"resourceType":"Claim","id":"c1"', '"resource\\u0054ype":"Patient","resourceType":"Claim","id":"c1"'],
  ['the resource', '"fullUrl":"urn:uuid:1",', '"resourc\\u0065":{},'],
])('%s, spelled with escapes, is left to the parser', (_, text, spelled) => {
  const bytes = Buffer.from(JSON.stringify(small).replace(text, spelled));
  expect(bytes.includes('\\u00')).toBe(true);
  expect(slimBundle(bytes, unchecked)).toBeUndefined();
});

test.each([
  ['a value that says resourceType', '"id":"c1"', '"id":"resourceType"'],
  ['a key that ends like it', '"id":"c1"', '"a\\"resourceType":"Patient"'],
  ['a resource in it', '"id":"c1"', '"contained":[{"resourceType":"Patient"}],"x":{"resourceType":"Patient"}'],
  ['an entry in it', '"id":"c1"', '"x":[{"resource":{"resourceType":"Patient"}}],"y":{"entry":[{"resource":{}}]}'],
  ['the type behind other members', '"resourceType":"Claim","id":"c1"', '"id":"c1" , "resourceType" : "Claim"'],
])('an entry that nobody reads with %s is not parsed', (_, text, other) => {
  const whole = JSON.stringify(small).replace(text, other);
  expect(whole).not.toBe(JSON.stringify(small));
  expect(slimBundle(Buffer.from(whole), unchecked)?.value).toEqual(reduced(JSON.parse(whole)));
  expect(slimBundle(Buffer.from(whole), unchecked)?.unread).toEqual({ Claim: 1 });
});

test.each([
  ['members behind the resource', '}},{"fullUrl":"urn:uuid:2"', '},"search":{"mode":"match"}},{"fullUrl":"urn:uuid:2"'],
  [
    'blanks around the key of the resource',
    '"resource":{"resourceType":"Claim"',
    ' "resource" :\n{"resourceType":"Claim"',
  ],
  [
    'a key that ends like that of the resource',
    '"fullUrl":"urn:uuid:1",',
    '"a\\"resource":{"resourceType":"Patient"},',
  ],
  ['a text that ends like that key', '"fullUrl":"urn:uuid:1",', '"fullUrl":",\\"resource\\":",'],
  ['a list before the resource', '"fullUrl":"urn:uuid:1",', '"link":[{"url":"x"}],'],
  ['the resource alone', '"fullUrl":"urn:uuid:1",', ''],
  ['no resource before the resource', '"fullUrl":"urn:uuid:1",', '"resource":null,'],
  ['a list of that name', '"resource":{"resourceType":"Claim"', '"resource":[],"x":{"resourceType":"Claim"'],
  ['the resource twice', '"fullUrl":"urn:uuid:1",', '"resource":{"resourceType":"Patient"},'],
])('an entry with %s is read as the parser reads it', (_, text, other) => {
  const whole = JSON.stringify(small).replace(text, () => other);
  expect(whole).not.toBe(JSON.stringify(small));
  const slim = slimBundle(Buffer.from(whole), unchecked);
  expect(slim === undefined ? reduced(JSON.parse(whole)) : slim.value).toEqual(reduced(JSON.parse(whole)));
});

test('bytes that are no UTF-8 read as the parser reads them', () => {
  const bytes = Buffer.from(JSON.stringify(small).replace('lan"', '@an"').replace('slash', 'sl@sh'));
  for (let at = bytes.indexOf('@'); at !== -1; at = bytes.indexOf('@', at)) bytes[at] = 0xff;
  expect(slimBundle(bytes, unchecked)?.value).toEqual(reduced(JSON.parse(bytes.toString())));
});

test('half of a byte order mark is left to the parser', () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0x20, 0x20]), Buffer.from(JSON.stringify(small))]);
  expect(slimBundle(bytes, unchecked)).toBeUndefined();
});

test.each([
  ['a comma too many', '"id":"c1"', '"id":"c1",'],
  ['a number that is none', '"x":[1]', '"x":[01]'],
  ['a word that is none', '"x":[1]', '"x":[nul]'],
  ['an escape that is none', '\\\\ slash', '\\x slash'],
  ['a line end in a text', 'slash"', 'slash\n"'],
  ['brackets that do not match', '"x":[1]', '"x":[1}]'.replace('}]', ']]')],
])('with %s, an entry that nobody reads is left to the parser where it is checked', (_, text, other) => {
  const whole = JSON.stringify(small).replace(text, () => other);
  expect(whole).not.toBe(JSON.stringify(small));
  expect(parsed(whole)).toBeUndefined();
  expect(slimBundle(Buffer.from(whole), checked)).toBeUndefined();
});

test('an entry larger than what is checked at once is checked too', () => {
  const large = { ...small, entry: [{ resource: { ...claim, note: 'x'.repeat(2 << 20) } }, ...small.entry] };
  const text = JSON.stringify(large);
  expect(slimBundle(Buffer.from(text), checked)?.unread).toEqual({ Claim: 2 });
  expect(slimBundle(Buffer.from(text.replace('xxx"', 'xxx\\x"')), checked)).toBeUndefined();
});

test('a type that stands twice in a resource is read as the parser reads it', () => {
  const text = JSON.stringify(small).replace('"id":"c1"', '"resourceType":"Patient"');
  const slim = slimBundle(Buffer.from(text), unchecked);
  expect(slim === undefined ? reduced(JSON.parse(text)) : slim.value).toEqual(reduced(JSON.parse(text)));
});

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A text with one to four places changed: parts of it moved, left out or said twice, single characters replaced. */
function mutated(text: string, pick: (below: number) => number): string {
  let out = text;
  for (let change = pick(4); change >= 0; change -= 1) {
    const at = pick(out.length);
    const parts = out.match(/"[A-Za-z]+":|[{}[\],]|"[^"]{0,20}"/g) ?? [];
    const part = parts[pick(parts.length)] ?? '';
    const found = out.indexOf(part, at);
    const place = found === -1 ? at : found;
    const kind = pick(8);
    if (kind === 0) out = out.slice(0, place) + out.slice(place + part.length);
    else if (kind === 1) out = out.slice(0, place) + (parts[pick(parts.length)] ?? '') + out.slice(place + part.length);
    else if (kind === 2) out = out.slice(0, place) + (parts[pick(parts.length)] ?? '') + out.slice(place);
    else if (kind === 3) out = out.slice(0, place) + (' \n\t"\\{}[]:,a1é'[pick(14)] ?? '') + out.slice(place + 1);
    else if (kind === 4) {
      const [from, to] = objectsOf(out, pick);
      const moved = objectsOf(out, pick);
      out = out.slice(0, from) + out.slice(moved[0], moved[1]) + out.slice(to);
    } else if (kind === 5) out = out.slice(0, place) + ' \n'.repeat(pick(3)) + out.slice(place);
    else if (kind === 6) out = nested(out, place, pick);
    else out = out.slice(0, place) + out.slice(place).replace(/"[a-z]\w*"/, (name) => spelled(name, pick));
  }
  return out;
}

/** An object of the text put into a list or a member of another, or strings that look like structure. */
function nested(text: string, place: number, pick: (below: number) => number): string {
  const [from, to] = objectsOf(text, pick);
  const at = text.indexOf('{', place) + 1;
  if (at === 0 || to === from) return text;
  const inner = text.slice(from, to);
  const members = [
    `"nested":[${inner},[${inner}]],`,
    `"resource":${inner},`,
    `"entry":[${inner}],`,
    `"resourceType":"${pick(2) === 0 ? 'Claim' : 'Patient'}",`,
    `"note":"${'\\\\'.repeat(pick(40))}${'}]{['.repeat(pick(20))}\\"",`,
    '"note":"resourceType",',
  ];
  return text.slice(0, at) + (members[pick(members.length)] ?? '') + text.slice(at);
}

/** A name with one of its letters as an escape. */
function spelled(name: string, pick: (below: number) => number): string {
  const at = 1 + pick(name.length - 2);
  const code = name.charCodeAt(at).toString(16).padStart(4, '0');
  return `${name.slice(0, at)}\\u${code}${name.slice(at + 1)}`;
}

/** The range of some object in the text: moved elsewhere it gives JSON that is mostly valid and of an odd shape. */
function objectsOf(text: string, pick: (below: number) => number): readonly [number, number] {
  const from = text.indexOf('{', pick(text.length));
  if (from === -1) return [0, 0];
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return [from, at + 1];
    }
  }
  return [0, 0];
}

// SLIM_BUNDLES=100000 for the long run.
const wanted = Number(process.env.SLIM_BUNDLES ?? 1000);

test(
  'of mutated bundles none reads otherwise than the parser reads it, and what the parser rejects is rejected',
  () => {
    const pick = random(20261122);
    const texts = [small, ...syntheaBundles({ size: 6000, count: 5 }).map(({ bytes }) => JSON.parse(bytes.toString()))];
    const shapes = texts.flatMap((value) => [JSON.stringify(value), JSON.stringify(value, undefined, 2)]);
    let [accepted, rejected, slim] = [0, 0, 0];
    while (accepted < wanted) {
      const text = mutated(shapes[pick(shapes.length)] ?? '', pick);
      const whole = parsed(text);
      const read = slimBundle(Buffer.from(text), checked);
      if (whole === undefined) {
        rejected += 1;
        if (read !== undefined) expect.unreachable(`read, and no JSON: ${text}`);
        continue;
      }
      accepted += 1;
      expect(JSON.stringify(slimBundle(Buffer.from(text), unchecked)?.value)).toBe(JSON.stringify(read?.value));
      if (read === undefined) continue;
      slim += 1;
      if (JSON.stringify(sorted(read.value)) !== JSON.stringify(sorted(reduced(whole.value))))
        expect(read.value, text).toEqual(reduced(whole.value));
    }
    expect(slim).toBeGreaterThan(wanted / 3);
    expect(rejected).toBeGreaterThan(wanted / 3);
  },
  300_000 + wanted * 20,
);

test('a bundle that is cut off is never read', () => {
  const [{ bytes } = { bytes: Buffer.alloc(0) }] = syntheaBundles({ size: 6000, count: 1 });
  for (let end = 0; end < bytes.length; end += 1) expect(slimBundle(bytes.subarray(0, end), unchecked)).toBeUndefined();
});

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
