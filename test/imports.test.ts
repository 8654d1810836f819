import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

// Imports point only downward: a room may import from rooms of a lower rank, from itself, and from the leaf files; a
// leaf only from fhir.
const ranks: Record<string, number> = {
  fhir: 0,
  fhirpath: 1,
  codes: 1,
  mapping: 2,
  roles: 3,
  documents: 3,
  evidence: 4,
  'ehr-chart': 4,
  chart: 5,
  smart: 5,
  service: 5,
  writeback: 5,
  store: 6,
  audit: 7,
  proof: 6,
  index: 6,
  overlay: 7,
  web: 7,
  cases: 7,
  work: 8,
  batch: 8,
  app: 8,
  operations: 8,
  doctor: 8,
  process: 9,
  sandbox: 10,
  server: 10,
  worker: 10,
  cli: 11,
};
const leaves = new Set(['errors', 'config', 'vault', 'log', 'package', 'metrics', 'telemetry', 'outgoing', 'counted']);
const peers: Record<string, readonly string[]> = {
  web: ['cases'],
  writeback: ['service'],
  roles: ['documents'],
  sandbox: ['server'],
};

const root = join(import.meta.dirname, '..');

test('imports point only downward, and src imports mappings only in the process files', () => {
  const wrong: string[] = [];
  for (const file of sources(join(root, 'src'))) {
    const from = relative(join(root, 'src'), file);
    const room = roomOf(from);
    for (const target of importsOf(file)) {
      const resolved = relative(root, join(file, '..', target));
      if (resolved.startsWith('mappings')) {
        if (!['process', 'server', 'cli', 'sandbox'].includes(room)) wrong.push(`${from} imports ${resolved}`);
        continue;
      }
      const other = roomOf(relative('src', resolved));
      if (other === room || leaves.has(other)) continue;
      if (leaves.has(room) && other !== 'fhir') wrong.push(`${from} is a leaf and imports ${resolved}`);
      else if (leaves.has(room)) continue;
      else if (ranks[other] === undefined || ranks[room] === undefined) wrong.push(`${from}: unknown room ${other}`);
      else if (ranks[other] >= ranks[room] && !(peers[room] ?? []).includes(other))
        wrong.push(`${from} imports upward: ${resolved}`);
    }
  }
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
    sources(join(root, 'src/sandbox', room)).flatMap((file) =>
      importsOf(file)
        .map((target) => relative(join(root, 'src'), join(file, '..', target)))
        .filter((target) => !/^(errors|log|proof\/fixture-chart)\.ts$/.test(target))
        .filter((target) => !target.startsWith('sandbox/control/') && !target.startsWith(`sandbox/${room}/`))
        .map((target) => `${relative(root, file)} imports ${target}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('fhir, fhirpath, mapping and roles do no I/O and know neither clock nor randomness', () => {
  const wrong = ['fhir', 'fhirpath', 'mapping', 'roles'].flatMap((room) =>
    sources(join(root, 'src', room))
      .filter((file) =>
        /from 'node:(?!util)|Math\.random|Date\.now|new Date\(\)|\bfetch\(/.test(readFileSync(file, 'utf8')),
      )
      .map((file) => relative(root, file)),
  );
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

function roomOf(path: string): string {
  return path.split('/')[0]!.replace(/\.tsx?$/, '');
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1]!);
}
