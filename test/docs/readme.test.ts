import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The examples of README and of the pages that it leads to first run as printed, in a copy of the build with few
// mapping cases. Each `npm run bridge` is handed to the built command in one process: a start for each would cost more
// than all that they do.
const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'docs/mapping/mapping-cases.md', 'docs/operate/running.md'];
const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
const commands = blocks.flatMap((text) => text.split('\n')).map((line) => line.replace(/ +# .*$/, '').trim());
const ofBridge = commands.flatMap((line) => /^npm run (?:--silent )?bridge -- (.+)$/.exec(line)?.[1] ?? []);

const cases = [
  'coverage-answer-of-a-person-decides',
  'everything-in-the-chart-is-complete',
  'story-complete',
  'story-snomed-only',
];
const driver = `
  const { run } = await import(process.argv[1]);
  const ran = [];
  for (const line of JSON.parse(process.argv[2])) {
    const [out, err] = [[], []];
    const io = {
      stdout: { write: (text) => out.push(text) }, stderr: { write: (text) => err.push(text) },
      stdin: (async function* () {})(), env: process.env, clock: () => new Date(), stopped: async () => 'SIGTERM',
    };
    ran.push({ line, code: await run(line.split(' '), io), out: out.join(''), err: err.join('') });
  }
  process.stdout.write(JSON.stringify(ran));`;

interface Ran {
  readonly line: string;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let checkout = '';
let ran: readonly Ran[] = [];

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'readme-'));
  for (const part of ['dist', 'bin', 'package.json'])
    cpSync(join(root, part), join(checkout, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'dir');
  for (const name of cases)
    cpSync(join(root, 'fixtures/charts', name), join(checkout, 'fixtures/charts', name), { recursive: true });
  mkdirSync(join(checkout, 'export'));
  cpSync(join(root, 'fixtures/charts/story-snomed-only/bundle.json'), join(checkout, 'export/chart-17.json'));
  cpSync(join(root, 'fixtures/charts/story-complete/bundle.json'), join(checkout, 'export/chart-18.json'));
  cpSync(join(root, 'fixtures/charts/story-snomed-only/bundle.json'), join(checkout, 'chart.json'));
  const program = join(checkout, 'dist/src/cli/program.js');
  const argv = ['--input-type=module', '-e', driver, program, JSON.stringify(ofBridge)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: checkout, maxBuffer: 64 * 1024 * 1024 });
  ran = JSON.parse(stdout);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

test('every npm line of these pages is one that is run here, or starts what other tests start', () => {
  const isRun = (line: string) => ofBridge.some((one) => line.endsWith(`-- ${one}`));
  expect(commands.filter((line) => /\bnpm\b/.test(line) && !isRun(line))).toEqual([
    'npm ci && npm start',
    'npm ci && npm run build && npm prune --omit=dev',
    'npm ci --omit=dev --omit=optional',
    '(umask 077; npm run --silent bridge -- keys > bridge.env)',
    'BRIDGE_URL=https://bridge.example.org BRIDGE_SITES=sites.json npm run serve',
  ]);
});

test('no example fails: each ends with 0, or with 1 where a chart has gaps', () => {
  expect(ran.map(({ line, code }) => `${line}: ${code}`)).toEqual([
    'map export/ --out today --report today.html: 1',
    'map export/ --json: 1',
    'explain export/chart-17.json: 1',
    'test: 0',
    'test coverage: 0',
    'test: 0',
    // Few cases prove little.
    'coverage: 1',
    'describe prior-auth: 0',
    'record chart.json --out fixtures/charts/sig-with-two-doses: 0',
    'fidelity export/: 0',
    'fidelity export/ --audit: 0',
  ]);
  expect(ran.filter(({ err }) => err.includes('prior-auth-bridge:'))).toEqual([]);
});

test('the examples do what stands beside them', () => {
  const said = (line: string) => ran.find((one) => one.line === line)?.out ?? '';
  expect(readdirSync(join(checkout, 'today'))).toEqual(['digests.txt', 'drafts', 'report.json', 'requests']);
  expect(readFileSync(join(checkout, 'today.html'), 'utf8')).toMatch(/^<!doctype html>/);
  expect(JSON.parse(said('map export/ --json'))).toMatchObject({ report: { totals: { files: 2 } } });
  expect(existsSync(join(checkout, 'prior-auth-out'))).toBe(false);
  expect(said('test')).toContain(`${cases.length} passed`);
  expect(said('test coverage')).toContain('1 passed');
  expect(said('describe prior-auth')).toMatch(/^# prior-auth\n\n- `/m);
  expect(said('fidelity export/')).toMatch(/^\| /m);
  expect(existsSync(join(checkout, 'fixtures/charts/sig-with-two-doses'))).toBe(true);
});

test('the keys of running.md are read back by a shell as they were made', async () => {
  const made = `npm() { shift 4; "${process.execPath}" bin/prior-auth-bridge.cjs "$@"; }`;
  const [keys = '', read = ''] = commands.filter((line) => line.includes('bridge.env'));
  const script = `${made}\n${keys}\n${read}\nprintf '%s\\n%s' "$BRIDGE_KEYS" "$BRIDGE_JWKS"; ls -l bridge.env >&2`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { cwd: checkout });
  const [key = '', jwks = ''] = stdout.split('\n');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(JSON.parse(jwks)).toMatchObject({ keys: [{ alg: 'ES384' }, { alg: 'RS384' }] });
  expect(stderr).toMatch(/^-rw------- /);
});
