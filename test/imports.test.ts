import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** The rooms of src: each imports only itself and those above it. */
const rooms = [
  'core',
  'base',
  'config',
  'service',
  'ehr',
  'writeback',
  'store',
  'cases',
  'web',
  'batch',
  'cli',
  'dev',
] as const;

/** The same of the rooms of the core. */
const ofCore = ['fhir', 'drug', 'fhirpath', 'mapping', 'contract', 'roles', 'evidence', 'answers', 'overlay'];

const root = join(import.meta.dirname, '..');

// Only these may load what helps to write mappings, and only where it is asked for.
const loadsDev = ['src/cli/program.ts', 'src/web/app.ts'];

test('src has twelve rooms, and loose in it stand its two entries', () => {
  const found = readdirSync(join(root, 'src'), { withFileTypes: true });
  const names = (isFolder: boolean) => found.filter((one) => one.isDirectory() === isFolder).map(({ name }) => name);
  expect(names(true).sort()).toEqual([...rooms].sort());
  expect(names(false).sort()).toEqual(['cli.ts', 'index.ts']);
});

test('a room imports only itself and the rooms above it, and what is in dev is loaded when it is asked for', () => {
  const wrong: string[] = [];
  for (const file of sources(join(root, 'src'))) {
    const from = relative(root, file);
    const room = roomOf(from);
    if (room === undefined) continue;
    for (const target of importsOf(file)) {
      const resolved = relative(root, join(file, '..', target));
      const other = roomOf(resolved);
      if (other === undefined || rooms.indexOf(other) <= rooms.indexOf(room)) continue;
      const isLoadedThere = other === 'dev' && loadsDev.includes(from) && !staticImportsOf(file).includes(target);
      if (!isLoadedThere) wrong.push(`${from} imports ${resolved}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a room of the core imports only itself and the rooms above it', () => {
  const place = (path: string) => ofCore.indexOf(path.split('/')[2] ?? '');
  const wrong = sources(join(root, 'src/core')).flatMap((file) => {
    const from = relative(root, file);
    const to = importsOf(file).map((target) => relative(root, join(file, '..', target)));
    return to.filter((other) => place(other) > place(from)).map((other) => `${from} imports ${other}`);
  });
  expect(wrong).toEqual([]);
});

test('only processes and what is in dev import the mappings', () => {
  const wrong = sources(join(root, 'src'))
    .filter((file) => importsOf(file).some((target) => relative(root, join(file, '..', target)).startsWith('mappings')))
    .map((file) => relative(root, file))
    .filter((file) => !/^src\/(?:cli|dev)\//.test(file));
  expect(wrong).toEqual([]);
});

test('no file leads back to itself, not even by a type', () => {
  const leads = new Map(
    [...sources(join(root, 'src')), ...sources(join(root, 'mappings'))].map((file) => [
      file,
      importsOf(file).map((target) => join(file, '..', target)),
    ]),
  );
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file))
      circles.add([...way.slice(way.indexOf(file)), file].map((one) => relative(root, one)).join(' > '));
    if (done.has(file)) return;
    done.add(file);
    for (const next of leads.get(file) ?? []) visit(next, [...way, file]);
  };
  for (const file of leads.keys()) visit(file, []);
  expect([...circles]).toEqual([]);
});

// Its ledgers are held against what the bridge says of itself, and its contract against the bridge's.
test('neither sandbox knows the other, nor of the bridge more than errors, log and how a case’s chart is read', () => {
  const rooms = ['control', 'ehr', 'service'];
  const wrong = rooms.flatMap((room) =>
    sources(join(root, 'src/dev/sandbox', room)).flatMap((file) =>
      importsOf(file)
        .map((target) => relative(join(root, 'src'), join(file, '..', target)))
        .filter((target) => !/^(core\/errors|base\/log|base\/fixture-chart)\.ts$/.test(target))
        .filter((target) => !target.startsWith('dev/sandbox/control/') && !target.startsWith(`dev/sandbox/${room}/`))
        .map((target) => `${relative(root, file)} imports ${target}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('the core does no I/O and knows neither clock nor randomness', () => {
  const wrong = sources(join(root, 'src/core'))
    .filter((file) => /from 'node:(?!util)|Math\.random|Date\.now|new Date\(\)|\bfetch\(/.test(codeOf(file)))
    .map((file) => relative(root, file));
  expect(wrong).toEqual([]);
});

test('of date-fns only the functions in use are loaded: the whole of it takes a process two seconds to start', () => {
  const whole = sources(join(root, 'src'))
    .filter((file) => /^(?:import|export) (?!type\b).* from 'date-fns';$/m.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file));
  expect(whole).toEqual([]);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function roomOf(path: string): (typeof rooms)[number] | undefined {
  return rooms.find((room) => path.startsWith(`src/${room}/`));
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1]!);
}

function staticImportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*'(\.[^']+)'/g)].map((match) => match[1]!);
}

// Each folder may have an index, and each page has these.
const ofEveryFolder = ['index', 'route', 'view', 'page', 'words'];

test('no name of a file stands for more than two files of src and mappings', () => {
  const all = [...sources(join(root, 'src')), ...sources(join(root, 'mappings'))];
  const names = Map.groupBy(all, (file) => basename(file).replace(/\.tsx?$/, ''));
  const often = [...names].filter(([name, files]) => files.length > 2 && !ofEveryFolder.includes(name));
  expect(often.map(([name]) => name)).toEqual([]);
});
