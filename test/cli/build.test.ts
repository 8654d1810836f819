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
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

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

function moduleOf(file: string): string {
  return pathToFileURL(join(checkout, file)).href;
}

/** The exit code and what the compiler said, in a process of its own. */
function compile(): { readonly code: number | null; readonly said: string } {
  const script = `
    import { compile } from ${JSON.stringify(moduleOf('bin/compile.mjs'))};
    import { build } from ${JSON.stringify(moduleOf('bin/staged.mjs'))};
    const root = ${JSON.stringify(root)};
    process.exitCode = await build(root, (out) => compile(root, out));`;
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

test('a build that fails leaves the last one whole, and nothing beside it', () => {
  compile();
  const before = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).sort();
  write('src/rooms/two.ts', "export const two: number = 'two';\n");
  write('src/rooms/three.ts', 'export const three = 3;\n');
  expect(compile().code).not.toBe(0);
  expect(readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
  expect(readFileSync(join(root, 'dist/src/rooms/two.js'), 'utf8')).toContain('two = 2');
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});

test('what a killed build left is no part of the next one', () => {
  write('dist.4194999/src/half.js', 'export const half');
  expect(compile().code).toBe(0);
  expect(built()).toEqual(allOfIt);
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});

test('an old Node is refused in a sentence', () => {
  const script = `
    Object.defineProperty(process.versions, 'node', { value: '20.19.2' });
    await import(${JSON.stringify(moduleOf('bin/build.mjs'))});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr:
      'This Node.js is too old to build (20.19.2; 22.20 or later is needed); dist/ is as it was. ' +
      'Next: npm run build, which takes the Node.js that npm ci brought along.\n',
  });
});

describe('test, over a build that is older than the sources', () => {
  beforeEach(() => {
    for (const file of ['bin/prior-auth-bridge.cjs', 'bin/built.mjs'])
      cpSync(join(checkout, file), join(root, file), { preserveTimestamps: true });
    write('src/cli.ts', "console.log('ran');\n");
    compile();
  });

  const command = (name: string) =>
    spawnSync(process.execPath, [join(root, 'bin/prior-auth-bridge.cjs'), name], { encoding: 'utf8' });

  test('is refused with the source', () => {
    expect(command('test').stdout).toBe('ran\n');
    write('src/rooms/two.ts', 'export const two: number = 22;\n');
    utimesSync(join(root, 'src/rooms/two.ts'), new Date(Date.now() + 2_000), new Date(Date.now() + 2_000));
    expect(command('test')).toMatchObject({
      status: 3,
      stdout: '',
      stderr: 'prior-auth-bridge: The build is older than src/rooms/two.ts. Next: npm run build\n',
    });
    expect(command('map').stdout).toBe('ran\n');
  });

  test('runs again after the build', () => {
    write('src/rooms/two.ts', 'export const two: number = 22;\n');
    compile();
    expect(command('test').stdout).toBe('ran\n');
  });
});
