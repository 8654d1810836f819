import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putEmptyDatabase } from '../../src/store/empty-database.ts';
import { tempFolder } from '../support/temp.ts';

let folder: ReturnType<typeof tempFolder>;
let made: string;
let path: string;

beforeEach(() => {
  folder = tempFolder('empty-database');
  made = join(folder.path, 'made');
  path = join(folder.path, 'pg');
  const members = [
    { path: 'PG_VERSION', bytes: Buffer.from('18\n') },
    { path: 'base' },
    { path: 'base/1', bytes: Buffer.alloc(0) },
    { path: 'pg_notify' },
  ];
  writeFileSync(made, zstdCompressSync(serialize(members)));
});
afterEach(() => folder.remove());

const members = () => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();

test('stands where no database is, with its empty folders and files', () => {
  putEmptyDatabase(path, made);
  expect(members()).toEqual(['PG_VERSION', 'base', 'base/1', 'pg_notify']);
  expect(readFileSync(join(path, 'PG_VERSION'), 'utf8')).toBe('18\n');
});

test('is for the user of the process alone', () => {
  putEmptyDatabase(path, made);
  const all = [path, ...members().map((member) => join(path, member))];
  expect(all.filter((file) => (lstatSync(file).mode & 0o077) !== 0)).toEqual([]);
});

test('a database that is there stays as it is', () => {
  mkdirSync(path);
  writeFileSync(join(path, 'PG_VERSION'), '17\n');
  putEmptyDatabase(path, made);
  expect(members()).toEqual(['PG_VERSION']);
  expect(readFileSync(join(path, 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('what a process left that was killed meanwhile is begun anew', () => {
  mkdirSync(`${path}.unfinished/base`, { recursive: true });
  writeFileSync(join(`${path}.unfinished`, 'half'), 'of a file');
  putEmptyDatabase(path, made);
  expect(members()).toEqual(['PG_VERSION', 'base', 'base/1', 'pg_notify']);
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});

test('without a build nothing is put: PGlite makes the database itself', () => {
  putEmptyDatabase(path, join(folder.path, 'none'));
  expect(existsSync(path)).toBe(false);
});
