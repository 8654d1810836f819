import { join } from 'node:path';
import { type Fixture, listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { random } from '../generator.ts';
import { isRefusal } from '../laws.ts';
import type { Broken, LongLaw } from '../long-law.ts';
import { mapFixtureByEach, type ResultOf } from '../product.ts';
import { type TextDamage, textDamages } from './damages.ts';

/**
 * A text of a mapping case is damaged, any one of its chart, twice in three times one that stands in a body. Whatever
 * comes of it, no text of a body or a draft holds the damage; and what was decoded is marked as derived.
 *
 * Another law than `random-damage`, which puts odd values at random places and asks whether the rest stays true.
 */
export const damagedTextLaw: LongLaw = {
  usual: 20_000,
  async run({ count, seed }) {
    const next = random(seed);
    const cases = await loadCases();
    const broken: Broken[] = [];
    for (let chart = 0; chart < count; chart += 1) {
      const one = cases[chart % cases.length]!;
      const damage = textDamages[next(textDamages.length)]!;
      const places = one.sent.length > 0 && next(3) > 0 ? one.sent : one.all;
      const place = places[next(places.length)];
      if (place === undefined) continue;
      broken.push(...(await judge(one.fixture, place, damage, next)));
    }
    return { charts: count, broken };
  },
};

interface Case {
  readonly fixture: Fixture;
  readonly all: readonly Place[];
  /** Those whose text stands in a body. */
  readonly sent: readonly Place[];
}

/** Where a text stands: the entry and the keys under it. */
interface Place {
  readonly entry: number;
  readonly keys: readonly (string | number)[];
}

const root = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts');

async function loadCases(): Promise<Case[]> {
  const cases = await Promise.all(listFixtures(root).map(loadFixture).map(caseOf));
  return cases.filter(({ all }) => all.length > 0);
}

// A case that begins with a damaged text has it in its own draft.
async function caseOf(fixture: Fixture): Promise<Case> {
  const bodies = await mapped(fixture);
  const said = bodies.flatMap(({ result }) => textsOf(result)).map(({ text }) => text.toLowerCase());
  const all = fixture.entries.flatMap(({ resource }, entry) => placesIn(resource, [], entry));
  const sent = all.filter((place) => {
    const text = textAt(fixture, place).toLowerCase();
    return text.length > 1 && said.some((one) => one.includes(text) || text.includes(one));
  });
  return { fixture, all, sent };
}

// What a resource is and whose is told by these; a chart without them is another one.
const structural = new Set(['resourceType', 'id', 'reference', 'url', 'fullUrl', 'div', 'status', 'intent']);
const longest = 5000;

function placesIn(value: unknown, keys: Place['keys'], entry: number): Place[] {
  if (typeof value === 'string') return value.length > 0 && value.length < longest ? [{ entry, keys }] : [];
  if (Array.isArray(value)) return value.flatMap((inner, index) => placesIn(inner, [...keys, index], entry));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    structural.has(key) ? [] : placesIn(inner, [...keys, key], entry),
  );
}

function textAt({ entries }: Pick<Fixture, 'entries'>, { entry, keys }: Place): string {
  return String(keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), entries[entry]?.resource));
}

async function judge(
  fixture: Fixture,
  place: Place,
  damage: TextDamage,
  next: (limit: number) => number,
): Promise<Broken[]> {
  const text = textAt(fixture, place);
  const at = next(text.length + 1);
  const damaged = text.slice(0, at) + damage.stands + text.slice(damage.replaces === true ? at + 1 : at);
  const path = `${fixture.entries[place.entry]?.resource.resourceType}.${place.keys.join('.')}`;
  const example = `${fixture.name}: ${path} as ${JSON.stringify(damaged.slice(0, 200))}`;
  const bodies = await mapped({ ...fixture, entries: withText(fixture, place, damaged) });
  return bodies.flatMap(({ mapping, result }) =>
    [...faultsIn(result, damage)].map((fault) => ({ kind: `${damage.name}: ${fault} (${mapping})`, example })),
  );
}

function withText({ entries }: Fixture, { entry, keys }: Place, text: string): Fixture['entries'] {
  const changed = structuredClone(entries[entry]!);
  const holder = keys.slice(0, -1).reduce<object>((value, key) => Reflect.get(value, key), changed.resource);
  Reflect.set(holder, keys.at(-1) ?? '', text);
  return entries.with(entry, changed);
}

async function mapped(fixture: Fixture): Promise<readonly ResultOf[]> {
  try {
    return await mapFixtureByEach(fixture);
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

// Read without the product: any character that is lost, any escape, any tag that a damage here can leave.
const notWhole = /[\ufffd-\uffff\u0080-\u009f]|ï¿½|&(?:#\w|\w{2,8};)|<\/?(?:br|b|i|s|sup|td|div)\b/;

function* faultsIn(result: ResultOf['result'], damage: TextDamage): Generator<string> {
  for (const { target, text } of textsOf(result)) {
    const field = target.replace(/\d+/g, 'n');
    if (text.includes(damage.stands) || notWhole.test(text) || !text.isWellFormed())
      yield `${result.status} with it at ${field}`;
    if (damage.reads === undefined || !text.includes(damage.reads.trim())) continue;
    const kind = result.provenance.find((one) => one.target === target)?.kind;
    if (kind === 'chart') yield `decoded and not marked at ${field}`;
  }
}

interface Said {
  readonly target: string;
  readonly text: string;
}

function textsOf(result: ResultOf['result']): Said[] {
  return textsIn(result.status === 'complete' ? result.body : result.draft, '');
}

function textsIn(value: unknown, target: string): Said[] {
  if (typeof value === 'string') return [{ target, text: value }];
  if (Array.isArray(value)) return value.flatMap((inner, index) => textsIn(inner, `${target}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, target === '' ? key : `${target}.${key}`));
}
