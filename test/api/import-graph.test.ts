import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { entries, root } from './exports.ts';

const graph = graphOf(Object.values(entries).map((entry) => join(root, entry)));

test('the core and the mappings load zod and date-fns, and of Node nothing', () => {
  const allowed = /^(?:zod|date-fns\/\w+)$/;
  const others = graph.packages.filter(({ specifier }) => !allowed.test(specifier));
  expect(others).toEqual([]);
});

test('no server, store, thread or network is in the imports of the core and the mappings', () => {
  const rooms = new Set(graph.files.map((file) => /^src\/[\w-]+|^mappings/.exec(file)?.[0]));
  expect([...rooms].sort()).toEqual(['mappings', 'src/core', 'src/index']);
  const reaches = /(?<=[\s(=!])(?:(?:fetch|setTimeout|setInterval)\(|process\.(?:env|argv|cwd|on)\b)/;
  const reaching = graph.files.filter((file) => reaches.test(codeOf(join(root, file))));
  expect(reaching).toEqual([]);
});

interface Graph {
  /** From the root. */
  readonly files: readonly string[];
  readonly packages: readonly { readonly specifier: string; readonly file: string }[];
}

/** All files that these load, over any number of steps, and the packages that they load. */
function graphOf(starts: readonly string[]): Graph {
  const files = new Set(starts);
  const packages: { specifier: string; file: string }[] = [];
  for (const file of files)
    for (const specifier of loadedBy(file))
      if (specifier.startsWith('.')) files.add(join(dirname(file), specifier));
      else packages.push({ specifier, file: relative(root, file) });
  return { files: [...files].map((file) => relative(root, file)), packages };
}

// What is imported as a type alone is not loaded; the compiler keeps every other import.
function loadedBy(file: string): string[] {
  const imports = codeOf(file).matchAll(/^(?:import|export) (?!type\b)(?:[^'";]*? from )?'([^']+)';/gm);
  const dynamic = codeOf(file).matchAll(/\b(?:import|require)\(\s*'([^']+)'\s*\)/g);
  return [...imports, ...dynamic].map(([, specifier = '']) => specifier);
}

function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
