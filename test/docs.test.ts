import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultScopes } from '../src/config/scopes.ts';
import { cli } from './cli/run-cli.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('README names every environment variable of the configuration', () => {
  const config = readFileSync(join(root, 'src/config/config.ts'), 'utf8');
  const environment = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): z\./gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'NODE_ENV');
  expect(environment.length).toBeGreaterThan(8);
  const isInTable = (name: string) => new RegExp(`^\\| \`[^|]*\\b${name}\\b`, 'm').test(readme);
  expect(environment.filter((name) => !isInTable(name))).toEqual([]);
});

test('README prints the default scopes as they are [S26]', () => {
  const printed = /#### Default scopes\n\n```\n([^`]*)```/.exec(readme)?.[1] ?? '';
  expect(printed.trim().split(/\s+/)).toEqual(defaultScopes);
});

test('every file that the documents link to exists', () => {
  const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith('.md'),
  );
  const dead = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
      .map((match) => match[1]!)
      .flatMap((link) => (existsSync(join(root, document, '..', link)) ? [] : [`${document}: ${link}`])),
  );
  expect(dead).toEqual([]);
});

test('every command that README shows exists, with every option it shows', async () => {
  const shown = [
    ...readme.matchAll(/npm run bridge -- ([a-z]+)([^#\n]*)/g),
    ...readme.matchAll(/npm (start) -- ([^`#\n]*)/g),
  ];
  expect(shown.length).toBeGreaterThan(5);
  for (const [, name, rest] of shown) {
    const { code, out } = await cli([name === 'start' ? 'sandbox' : name!, '--help']);
    expect(code, name).toBe(0);
    for (const [option] of (rest ?? '').matchAll(/--[a-z]+/g)) expect(out, `${name} ${option}`).toContain(option);
  }
});

test('the exit codes of README are those of the help', async () => {
  const { out } = await cli(['--help']);
  for (const [, code, meaning] of readme.matchAll(/^\| (\d) \| (.+) \|$/gm))
    expect(out).toContain(`${code}  ${meaning?.split(':')[0]}`);
});

test('every dependency has its reason in docs/architecture.md', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const named = new Set(
    [...architecture.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) =>
      cell!
        .replace('`vendor/empty` for', '')
        .split(',')
        .map((name) => name.trim()),
    ),
  );
  expect(
    Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) => !named.has(name)),
  ).toEqual([]);
});

test('the overlay of README is the one of the example sites file, and changes what it says', async () => {
  const [, shown] = /```json\n\/\/ docs\/overlays\/lakeside\.json\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(JSON.parse(shown ?? '')).toEqual(JSON.parse(readFileSync(join(root, 'docs/overlays/lakeside.json'), 'utf8')));
  const sites = join(root, 'docs/sites.example.json');
  const { out } = await cli(['describe', '--site', 'lakeside', '--sites', sites, '--changes']);
  expect(out).toContain('| `insurance_content.rx_bin` |');
  expect(out).toContain('| `%coverage` | prefer | 1 of 4 |');
  expect(out).toContain('| dispense unit | `tabl.` | tablet |');
});
