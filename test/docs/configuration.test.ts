import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadSites, Site } from '../../src/config/config.ts';
import { scopesOf, systemScopesOf } from '../../src/config/presets/preset-scopes.ts';
import { presets } from '../../src/config/presets/presets.ts';
import { defaultScopes, scopeRows, typesWrittenBy, writeScope } from '../../src/config/scopes.ts';
import { covers, scopeList } from '../../src/core/fhir/scopes.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';

const path = join(import.meta.dirname, '../../docs/sites/configuration.md');
const page = readFileSync(path, 'utf8');

const required = {
  id: 'a',
  name: 'A',
  iss: 'https://ehr.example/r4',
  client: { auth: 'public', id: 'b' },
  service: { url: 'https://service.example', tokenEnv: 'TOKEN' },
};
const whenLeftOut: unknown = Site.parse(required);

/** What is written by hand: the meaning of a key, the last cell of its row. */
const meanings = new Map([...page.matchAll(/^\| `([^`]+)` \|.*\| ([^|]*) \|$/gm)].map(([, key, text]) => [key, text]));

const rows = keysOf('', z.toJSONSchema(Site, { io: 'input', unrepresentable: 'any' }) as Shape).map(
  ({ key, values, preset, isRequired }) => [
    `\`${key}\``,
    values,
    isRequired && (has(required, key) || !has(whenLeftOut, key)) ? 'required' : presetText(key, preset),
    meanings.get(key) ?? '',
  ],
);

// `npx vitest run test/docs/configuration.test.ts -u` writes keys, values and defaults anew and keeps the meanings.
test('configuration.md has every key of a site with the values and the default of its schema [S27]', async () => {
  const table = markdownTable(['key', 'values', 'when left out', 'meaning'], rows);
  await expect(withTables(page, { site: table })).toMatchFileSnapshot(path);
});

test('docs/sites/configuration.md says of every key what it means', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(([, , , meaning]) => (meaning ?? '').length < 15).map(([key]) => key)).toEqual([]);
});

const scopeHead = ['scope of a launch', 'of Backend Services', 'asked', 'what for'];
const inCode = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``).join(', ');
const scopeTable = scopeRows.map(({ scopes, system, when, what }) => [inCode(scopes), inCode(system), when, what]);

// The same `-u` writes this table anew.
test('[E7] docs/sites/configuration.md has the scopes as the code has them, Provenance included', async () => {
  await expect(withTables(page, { scopes: markdownTable(scopeHead, scopeTable) })).toMatchFileSnapshot(path);
});

const known = scopeRows.flatMap(({ scopes, system }) => [...scopes, ...system]);

test('[E7] what a launch asks for by default stands in that table, and nothing else does by default', () => {
  const byDefault = scopeRows.filter(({ when }) => when === 'by default').flatMap(({ scopes }) => scopes);
  expect(byDefault).toEqual(defaultScopes);
});

test('[E7] a preset asks for nothing of another type than that table has', () => {
  const typesOf = (scopes: readonly string[]) => scopes.flatMap((scope) => /\/(\w+)\./.exec(scope)?.[1] ?? []);
  const types = new Set(typesOf(known));
  for (const preset of presets)
    expect(
      typesOf([...scopesOf(preset), ...systemScopesOf(preset)]).filter((type) => !types.has(type)),
      preset.id,
    ).toEqual([]);
});

const example = join(import.meta.dirname, '../../docs/sites/sites.example.json');
const exampleScopes = loadSites(example).flatMap(({ writeback }) =>
  writeback.system === undefined ? [] : [{ ...writeback.system, channels: writeback.channels }],
);

test('[E7] the example of Backend Services asks for all that its channels write, and for Provenance', () => {
  expect(exampleScopes.length).toBeGreaterThan(0);
  for (const { scopes, channels } of exampleScopes)
    expect(scopeList(scopes)).toEqual(
      [...typesWrittenBy(channels), 'Provenance' as const].map((type) => writeScope(type, 'system')),
    );
});

test('[E7] every scope that a document names is one that the code asks for', () => {
  const named = [
    'add-a-site.md',
    'configuration.md',
    'ehrs.md',
    'launch.md',
    '../operate/running.md',
    '../operate/errors.md',
    '../develop/sandbox.md',
  ].flatMap((name) => [
    ...readFileSync(join(path, '..', name), 'utf8').matchAll(/`((?:patient|user|system)\/[^`\s]+)`/g),
  ]);
  const asked = [...known, ...presets.flatMap((preset) => [...scopesOf(preset), ...systemScopesOf(preset)])];
  expect(named.length).toBeGreaterThan(100);
  expect(named.map(([, scope = '']) => scope).filter((scope) => !covers(asked, scope))).toEqual([]);
});

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

interface Key {
  readonly key: string;
  readonly values: string;
  readonly preset: unknown;
  readonly isRequired: boolean;
}

function keysOf(parent: string, shape: Shape): Key[] {
  const properties = Object.entries(shape.properties ?? {});
  return properties.flatMap(([name, inner]) => {
    const key = parent === '' ? name : `${parent}.${name}`;
    if (inner.oneOf !== undefined) return eitherOf(key, inner.oneOf);
    if (inner.properties !== undefined) return keysOf(key, inner);
    if (inner.items?.properties !== undefined) return keysOf(`${key}[]`, inner.items);
    return [
      { key, values: valuesOf(inner), preset: inner.default, isRequired: shape.required?.includes(name) === true },
    ];
  });
}

/** Keys of one of several forms, told apart by the constant of their first key. */
function eitherOf(parent: string, forms: readonly Shape[]): Key[] {
  const all = forms.flatMap((form) => keysOf(parent, form));
  return [...Map.groupBy(all, ({ key }) => key).values()].flatMap(([one, ...others]) => {
    if (one === undefined) return [];
    const values = [...new Set([one, ...others].map(({ values: text }) => text))].join(', ');
    return [{ ...one, values, isRequired: one.isRequired && others.length === forms.length - 1 }];
  });
}

function valuesOf({ type, items, const: one, enum: several, format, pattern }: Shape): string {
  if (one !== undefined) return `\`${one}\``;
  if (several !== undefined) return several.map((value) => `\`${value}\``).join(', ');
  if (type === 'array') return `list of: ${valuesOf(items ?? {})}`;
  if (type === 'boolean') return '`true`, `false`';
  if (format === 'uri') return 'an address';
  if (pattern === '^[A-Z][A-Z0-9_]*$') return 'name of a variable';
  const names: Readonly<Record<string, string>> = { integer: 'a whole number', number: 'a number' };
  return names[type ?? ''] ?? 'text';
}

/** What counts when the key is left out, as the parsed file has it. */
function presetText(key: string, stated: unknown): string {
  if (key === 'timeZone') return 'the machine’s zone';
  const preset = stated ?? at(whenLeftOut, key);
  if (preset === undefined || (Array.isArray(preset) && preset.length === 0)) return 'none';
  return (Array.isArray(preset) ? preset : [preset]).map((value) => `\`${value}\``).join(', ');
}

function has(value: unknown, key: string): boolean {
  return at(value, key) !== undefined;
}

function at(value: unknown, key: string): unknown {
  return key.split('.').reduce(inside, value);
}

function inside(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
