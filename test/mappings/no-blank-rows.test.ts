import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// Each file of rows is imported below by its name; this tells `npm run proof -- mutants` that they are tested here.
import '../../mappings/index.ts';

// A blank code, word or pattern in a row would be met by every chart.

const root = join(import.meta.dirname, '../../mappings');
const files = ['knowledge', 'tables']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.ts'))
  .toSorted();

test.each(files)('no row of %s has a blank code, word or pattern', async (file) => {
  const rows = (await import(/* @vite-ignore */ join(root, file))) as Readonly<Record<string, unknown>>;
  expect(Object.entries(rows).flatMap(([name, value]) => blanksIn(value, name, new Set()))).toEqual([]);
});

function blanksIn(value: unknown, path: string, seen: Set<unknown>): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [path] : [];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  if (value instanceof RegExp) return new RegExp(value.source, 'i').test('') ? [`${path} ${value}`] : [];
  const entries =
    value instanceof Map || value instanceof Set
      ? [...value.entries()].flatMap(([key, one]) => [
          [`${String(key)} key`, key] as const,
          [String(key), one] as const,
        ])
      : Object.entries(value);
  return entries.flatMap(([key, one]) => blanksIn(one, `${path}.${key}`, seen));
}
