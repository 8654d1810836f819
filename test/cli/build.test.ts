import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const checkout = join(import.meta.dirname, '../..');
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(checkout, file), join(root, file));
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  write('src/one.ts', "import { two } from './rooms/two.ts';\nexport const one: number = two + 1;\n");
  write('src/rooms/two.ts', 'export const two: number = 2;\n');
  write('mappings/page.tsx', 'export const page = <p>page</p>;\n');
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** The exit code and what the compiler said, in a process of its own. */
function compile(): { readonly code: number | null; readonly said: string } {
  const module = pathToFileURL(join(checkout, 'bin/compile.mjs')).href;
  const script = `
    import { compile } from ${JSON.stringify(module)};
    process.exitCode = await compile(${JSON.stringify(root)});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { code: status, said: stdout };
}

function built(): string[] {
  return readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .sort();
}

const allOfIt = ['mappings/page.js', 'src/one.js', 'src/rooms/two.js'];

test('every source becomes a file of dist', () => {
  expect(compile().code).toBe(0);
  expect(built()).toEqual(allOfIt);
});

test('nothing is written again when nothing changed', () => {
  compile();
  const before = allOfIt.map((file) => statSync(join(root, 'dist', file)).mtimeMs);
  expect(compile().code).toBe(0);
  expect(allOfIt.map((file) => statSync(join(root, 'dist', file)).mtimeMs)).toEqual(before);
});

test('what a deleted source had become goes', () => {
  write('src/one.ts', 'export const one: number = 1;\n');
  compile();
  rmSync(join(root, 'src/rooms/two.ts'));
  expect(compile().code).toBe(0);
  expect(built()).toEqual(['mappings/page.js', 'src/one.js']);
});

test('a renamed source, as old as before, is compiled under its new name alone', () => {
  write('src/one.ts', 'export const one: number = 1;\n');
  compile();
  renameSync(join(root, 'src/rooms/two.ts'), join(root, 'src/rooms/three.ts'));
  expect(compile().code).toBe(0);
  expect(built()).toEqual(['mappings/page.js', 'src/one.js', 'src/rooms/three.js']);
});

test('an older file in place of a source is compiled', () => {
  compile();
  write('src/rooms/two.ts', 'export const two: number = 22;\n');
  utimesSync(join(root, 'src/rooms/two.ts'), new Date('2020-01-01'), new Date('2020-01-01'));
  expect(compile().code).toBe(0);
  expect(readFileSync(join(root, 'dist/src/rooms/two.js'), 'utf8')).toContain('22');
});

test('what was deleted from dist is made again', () => {
  compile();
  rmSync(join(root, 'dist/src/one.js'));
  expect(compile().code).toBe(0);
  expect(built()).toEqual(allOfIt);
});

test('a wrong source fails with its file and line, and again until it is right', () => {
  compile();
  write('src/rooms/two.ts', "export const two: number = 'two';\n");
  const first = compile();
  expect(first.code).not.toBe(0);
  expect(first.said).toContain('src/rooms/two.ts');
  expect(first.said).toContain('TS2322');
  expect(compile().code).not.toBe(0);
  write('src/rooms/two.ts', 'export const two: number = 2;\n');
  expect(compile().code).toBe(0);
});
