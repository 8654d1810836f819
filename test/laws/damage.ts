import type { Readings } from '../../src/core/fhir/documents/readings.ts';
import type { Base } from './bases.ts';
import { canaryEntries } from './canaries.ts';
import type { Draft } from './draft.ts';
import { random } from './generator.ts';
import { isRefusal, judgeOutcome, type Law } from './laws.ts';
import { mapChart } from './product.ts';

/** What a damaged chart broke: the law, and the damage by which it can be made again. */
export interface Damaged {
  readonly law: Law;
  readonly base: string;
  readonly seed: number;
  readonly damage: readonly string[];
  readonly detail: string;
}

/**
 * Charts with one to four random places damaged: something else than FHIR, something of another place, nothing, or
 * twice.
 * A refusal by name (the order is gone, or is another patient's) is an answer.
 */
export function* damagedCharts(
  bases: readonly (Base & { readonly readings: Readings })[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Generator<Damaged> {
  for (let index = 0; index < count; index += 1) {
    const base = bases[index % bases.length]!;
    const next = random(seed + index);
    const { entries: whole, site } = base.open();
    const damage = Array.from({ length: 1 + next(4) }, () => damageOne(whole, next));
    const entries = asFile([...whole, ...canaryEntries()]);
    for (const [law, detail] of judged(entries, base, site))
      yield { law, base: base.name, seed: seed + index, damage, detail };
  }
}

// What a file can hold: a hole in a list is null there.
function asFile(entries: Draft['entries']): Draft['entries'] {
  return JSON.parse(JSON.stringify(entries));
}

function judged(
  entries: Draft['entries'],
  { order, readings }: { readonly order: string; readonly readings: Readings },
  site: object,
): (readonly [Law, string])[] {
  try {
    return [...judgeOutcome(mapChart(entries, { order, site, readings }), entries, site)];
  } catch (error) {
    if (isRefusal(error)) return [];
    return [['failure', error instanceof Error ? `${error.name}: ${error.message}` : 'unknown']];
  }
}

interface Place {
  readonly holder: object;
  readonly key: string;
  readonly path: string;
}

const odd: readonly unknown[] = [
  null,
  '',
  ' ',
  'x',
  'NA',
  0,
  -1,
  1e21,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  { value: 'x' },
  { coding: {} },
  { coding: [null] },
  { start: 7 },
  { reference: 7 },
  { reference: '#nothing' },
  '\u0000\u202e\u200b',
  '2026-13-45',
  '0,5 MG',
  'toString',
  '__proto__',
  `${'('.repeat(2000)} 1 MG`,
  ' '.repeat(5000),
];

type Damage = (place: Place, other: Place, next: (limit: number) => number) => void;

const damages: Readonly<Record<string, Damage>> = {
  odd: ({ holder, key }, _other, next) => void Reflect.set(holder, key, structuredClone(odd[next(odd.length)])),
  gone: ({ holder, key }) => void Reflect.deleteProperty(holder, key),
  copied: ({ holder, key }, other) =>
    void Reflect.set(holder, key, structuredClone(Reflect.get(other.holder, other.key))),
  listed: ({ holder, key }) => void Reflect.set(holder, key, [Reflect.get(holder, key)]),
  doubled: ({ holder, key }) => {
    const value: unknown = Reflect.get(holder, key);
    Reflect.set(holder, key, Array.isArray(value) ? [...value, ...structuredClone(value)] : value);
  },
  turned: ({ holder, key }) => {
    const value: unknown = Reflect.get(holder, key);
    if (typeof value === 'string') Reflect.set(holder, key, [...value].reverse().join(''));
    if (typeof value === 'number') Reflect.set(holder, key, -value);
  },
  renamed: ({ holder, key }, other) => {
    if (Array.isArray(holder)) return;
    Reflect.set(holder, other.key, Reflect.get(holder, key));
    Reflect.deleteProperty(holder, key);
  },
};

function damageOne(entries: Draft['entries'], next: (limit: number) => number): string {
  const place = somewhere(entries, next);
  const other = somewhere(entries, next);
  const names = Object.keys(damages);
  const name = names[next(names.length)] ?? 'odd';
  damages[name]?.(place, other, next);
  return `${name} ${place.path}`;
}

// Down from a resource, and sooner or later it stays.
function somewhere(entries: Draft['entries'], next: (limit: number) => number): Place {
  const resource = entries[next(entries.length)]?.resource ?? entries[0]!.resource;
  let place: Place = { holder: { resource }, key: 'resource', path: resource.resourceType };
  for (;;) {
    const value: unknown = Reflect.get(place.holder, place.key);
    const isOpen = typeof value === 'object' && value !== null;
    const keys = isOpen ? Object.keys(value).filter((key) => key !== 'resourceType') : [];
    if (!isOpen || keys.length === 0 || (value !== resource && next(4) === 0)) break;
    const key = keys[next(keys.length)] ?? '';
    place = { holder: value, key, path: `${place.path}.${key}` };
  }
  return place;
}
