import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultScopes } from '../src/config/scopes.ts';
import { cli } from './cli/run-cli.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'scripts',
  Record<string, string>
>;

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('api/'))
    .map((name) => `docs/${name}`),
];

test('running.md names every environment variable of the configuration', () => {
  const environment = [...read('src/config/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): z\./gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'NODE_ENV');
  expect(environment.length).toBeGreaterThan(8);
  const running = read('docs/operate/running.md');
  const isInTable = (name: string) => new RegExp(`^\\| \`[^|]*\\b${name}\\b`, 'm').test(running);
  expect(environment.filter((name) => !isInTable(name))).toEqual([]);
});

test('add-a-site.md prints the default scopes as they are [S26]', () => {
  const printed = /## Default scopes\n\n```\n([^`]*)```/.exec(read('docs/sites/add-a-site.md'))?.[1] ?? '';
  expect(printed.trim().split(/\s+/)).toEqual(defaultScopes);
});

test('every file that the documents link to exists, and every heading', () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, link = '', heading]) => {
        const file = link === '' ? join(root, document) : join(root, document, '..', link);
        return !existsSync(file) || (heading !== undefined && !headingsOf(file).includes(heading));
      })
      .map(([link]) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});

/** The headings of a page as GitHub makes addresses of them. */
function headingsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every npm script that a document, a source or a test names exists, and every proof, measure and page', () => {
  const files = [
    ...documents,
    ...['src', 'test', 'bin'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|[cm]?js)$/.test(name) && !name.includes('generated'))
        .map((name) => `${folder}/${name}`),
    ),
  ];
  const runner = read('bin/run.mjs');
  const unknown = files.flatMap((file) =>
    [...read(file).matchAll(/\bnpm run (?:--silent )?([a-z]\w*(?::\w+)?)(?: -- ([a-z][a-z-]*))?/g)]
      .filter(([, script = '', name]) => {
        if (!(script in manifest.scripts)) return true;
        const isNamed = ['proof', 'bench', 'docs'].includes(script) && name !== undefined;
        return isNamed && !new RegExp(`^ {4}'?${name}'?: `, 'm').test(runner);
      })
      .map(([command]) => `${file}: ${command}`),
  );
  expect(unknown).toEqual([]);
});

test('every command that a document shows exists, with every option that it shows', async () => {
  const shown = documents.flatMap((document) => [
    ...read(document).matchAll(/npm run (?:--silent )?bridge -- ((?:site )?[a-z]+)([^#`]*?)(?=[#`\n])/g),
    ...read(document).matchAll(/npm (start) -- ([^`#\n]*)/g),
  ]);
  expect(shown.length).toBeGreaterThan(5);
  for (const [name = '', lines] of Map.groupBy(shown, ([, command]) => command)) {
    const { code, out } = await cli([...(name === 'start' ? ['sandbox'] : name.split(' ')), '--help']);
    expect(code, name).toBe(0);
    const options = lines.flatMap(([, , rest = '']) => rest.match(/--[a-z-]+/g) ?? []);
    expect(
      options.filter((option) => !out.includes(option)),
      name,
    ).toEqual([]);
  }
});

test('the exit codes of README are those of the help', async () => {
  const { out } = await cli(['--help']);
  const codes = [...readme.matchAll(/^\| (\d) \| (.+) \|$/gm)];
  expect(codes).toHaveLength(4);
  for (const [, code, meaning] of codes) expect(out).toContain(`${code}  ${meaning?.split(':')[0]}`);
});

test('every dependency has its reason in dependencies.md', () => {
  const named = new Set(
    [...read('docs/develop/dependencies.md').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) =>
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

test('the overlay of overlays.md is the one of the example sites file, and changes what it says', async () => {
  const file = 'docs/sites/overlays/lakeside.json';
  const page = read('docs/mapping/overlays.md');
  const [, shown] = /```json\n\/\/ docs\/sites\/overlays\/lakeside\.json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(JSON.parse(shown ?? '')).toEqual(JSON.parse(read(file)));
  const sites = join(root, 'docs/sites/sites.example.json');
  const { out } = await cli(['describe', '--site', 'lakeside', '--sites', sites, '--changes']);
  expect(out).toContain('| `insurance_content.rx_bin` |');
  expect(out).toContain('| `%coverage` | prefer | 1 of 4 |');
  expect(out).toContain('| dispense unit | `tabl.` | tablet |');
});

describe('what a reader can take in', () => {
  test('README has at most 8 KB', () => {
    expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(8 * 1024);
  });

  test('the overview of the architecture has at most 1,500 words', () => {
    expect(read('docs/develop/architecture.md').split(/\s+/).length).toBeLessThanOrEqual(1500);
  });

  test('a decision has at most twenty lines, a number of its own and a place in the list', () => {
    const folder = 'docs/develop/decisions';
    const decisions = readdirSync(join(root, folder)).filter((name) => name !== 'README.md');
    const long = decisions.filter((name) => read(join(folder, name)).trimEnd().split('\n').length > 20);
    expect(long).toEqual([]);
    const numbers = decisions.map((name) => Number.parseInt(name, 10));
    expect(new Set(numbers).size).toBe(decisions.length);
    const list = read(join(folder, 'README.md'));
    expect(decisions.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  });

  test('package.json has at most 18 scripts', () => {
    expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(18);
  });

  test('lines of documents end at 120 columns, but for tables, examples and links', () => {
    const long = documents.flatMap((document) =>
      read(document)
        .replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
        .split('\n')
        .flatMap((line, at) =>
          [...line].length > 120 && !/^\s*\||\]\(\S{60,}\)|^!\[/.test(line) ? [`${document}:${at + 1}`] : [],
        ),
    );
    expect(long).toEqual([]);
  });
});
