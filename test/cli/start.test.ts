import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { mappingNames } from '../../mappings/names.ts';
import { mappingKinds } from '../../src/core/contract/kinds.ts';

const root = join(import.meta.dirname, '../..');

/** The rooms and packages whose modules a command line loads; of the core and of `ehr` the rooms in them. */
function loadedBy(argv: readonly string[]): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = join(folder, 'list');
  const transform = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  execFileSync(
    process.execPath,
    [...transform, '--import', join(import.meta.dirname, 'loaded.mjs'), join(root, 'src/cli.ts'), ...argv],
    {
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOADED: list },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const rooms = readFileSync(list, 'utf8')
    .split('\n')
    .map(
      (url) =>
        /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
        /\/((?:src\/(?:core|ehr)|src|mappings)\/[^/]+)/.exec(url)?.[1] ??
        '',
    );
  return new Set(rooms.filter((room) => room !== ''));
}

test('the help of a command comes without what the command works with', () => {
  const loaded = loadedBy(['map', '--help']);
  expect([...loaded].sort()).toEqual([
    'commander',
    'mappings/names.ts',
    'src/base',
    'src/cli',
    'src/cli.ts',
    'src/core/errors.ts',
    'src/core/fhir',
    'src/core/text-cache.ts',
  ]);
});

test('mapping exports loads nothing of the server', () => {
  const chart = join(root, 'fixtures/charts/everything-in-the-chart-is-complete');
  const loaded = loadedBy(['map', chart, '--json']);
  expect(loaded).toContain('src/core/mapping');
  const ofServer = ['src/web', 'src/ehr/smart', 'src/ehr/chart', 'src/store', 'src/cases', 'src/writeback', 'src/dev'];
  const packages = ['fastify', 'fhirclient', 'pino', 'jose', 'pg-boss', 'kysely', 'preact'];
  expect([...ofServer, ...packages].filter((room) => loaded.has(room))).toEqual([]);
});

test('the command line knows the mappings by their names', () => {
  expect(mappingNames).toEqual(mappingKinds.flatMap((kind) => Object.keys(mappings[kind])));
});
