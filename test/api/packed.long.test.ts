import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../support/temp.ts';
import { root } from './exports.ts';

// What another project has: the package as npm packs it, beside zod, date-fns and the types of FHIR, and nothing else.
const others = ['zod', 'date-fns', '@types/fhir'];
const examples = readdirSync(join(root, 'docs/mapping/examples'));
const folder = tempFolder('packed');
const project = folder.path;
const installed = join(project, 'node_modules/prior-auth-bridge');

afterAll(folder.remove);

beforeAll(() => {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], root);
  const [tarball = ''] = readdirSync(project);
  run('tar', ['-xzf', tarball]);
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  renameSync(join(project, 'package'), installed);
  for (const name of others)
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(project, 'node_modules', name), 'junction');
  for (const file of examples) cpSync(join(installed, 'docs/mapping/examples', file), join(project, file));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings));
});

const settings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    resolveJsonModule: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'out',
  },
  include: ['*.ts', 'bundle.json'],
};

test('the examples compile against the types of the package', () => {
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), { cwd: project, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

test('a bundle is mapped in nine lines', () => {
  expect(readFileSync(join(root, 'docs/mapping/examples/map-a-bundle.ts'), 'utf8').trim().split('\n')).toHaveLength(9);
  const [first, ...told] = run(process.execPath, ['out/map-a-bundle.js']).trim().split('\n');
  expect(first).toBe('MedicationRequest/m1 incomplete');
  expect(told).toContain('  blocks prescription.quantity: Prescription: quantity is missing.');
  expect(told.at(-1)).toBe('MedicationRequest/m2 no candidate');
});

test('a mapping of one’s own with its own role and table gives what its case states', () => {
  expect(run(process.execPath, ['out/compare-a-case.js'])).toBe('MedicationRequest/m1 is as expected\n');
});

test('a case that states something else is told by path', () => {
  const file = join(project, 'out/compare-a-case.js');
  writeFileSync(
    join(project, 'out/other-case.js'),
    readFileSync(file, 'utf8').replace("day: 'today'", "day: 'this week'"),
  );
  expect(run(process.execPath, ['out/other-case.js'])).toContain("path: 'day'");
});

test('the types of the package name no other package', () => {
  const files = new Set(['index.d.ts', '../mappings/index.d.ts'].map((file) => join(installed, 'dist/src', file)));
  const packages = new Set<string>();
  for (const file of files)
    for (const name of importsOf(readFileSync(file, 'utf8')))
      if (name.startsWith('.')) files.add(join(dirname(file), name.replace(/\.(?:tsx?|js)$/, '.d.ts')));
      else packages.add(name);
  expect([...packages].sort()).toEqual(['fhir/r4.js', 'zod']);
});

function importsOf(declarations: string): string[] {
  const code = declarations.replace(/\/\*[\s\S]*?\*\//g, '');
  const found = code.matchAll(/(?:^(?:import|export) [^;'"]* from |^import |import\()["']([^"']+)["']/gm);
  return [...found].map(([, name = '']) => name);
}

function run(command: string, args: readonly string[], cwd = project): string {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
