import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putDatabase } from '../support/embedded.ts';
import { createVisitor } from '../support/visitor.ts';

// docs/mapping/tutorial.md is followed word by word in a copy of the checkout, with its build: that one command was
// followed before the tests began. UPDATE_TUTORIAL=1 writes what the commands print into it.
const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/mapping/tutorial.md');
const parts = [
  'dist',
  'src',
  'mappings',
  'fixtures',
  'test',
  'vendor',
  'bin',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
];

const build = 'npm run --silent build';

let checkout = '';
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tutorial-'));
  for (const part of parts)
    cpSync(join(root, part), join(checkout, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'dir');
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

interface Block {
  readonly info: string;
  readonly body: string;
}

test('the tutorial’s files and commands do what it says', async () => {
  const text = readFileSync(page, 'utf8');
  let followed = '';
  let end = 0;
  for (const { 0: whole, 1: info = '', 2: body = '', index } of text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)) {
    followed += `${text.slice(end, index)}\`\`\`${info}\n${await follow({ info, body })}\`\`\``;
    end = index + whole.length;
  }
  followed += text.slice(end);
  if (process.env.UPDATE_TUTORIAL === '1') writeFileSync(page, followed);
  expect(followed).toBe(text);
});

/** The block as it has to stand: files as they are, commands with what they print. */
async function follow({ info, body }: Block): Promise<string> {
  const file = /file=(\S+)/.exec(info)?.[1];
  if (file !== undefined)
    info.startsWith('diff') ? patch(join(checkout, file), body) : writeFileSync(join(checkout, file), body);
  const patient = /^text launch=(\S+)/.exec(info)?.[1];
  if (patient !== undefined) return launch(patient);
  if (info !== 'console') return body;
  let printed = '';
  for (const command of commandsOf(body)) printed += command === build ? `$ ${build}\n` : await run(command);
  return printed;
}

/**
 * The command of the page above, on free ports; then what the review page says of the coverage and its numbers.
 */
async function launch(patient: string): Promise<string> {
  const command = /^node (bin\/prior-auth-bridge\.cjs sandbox .*)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
  const argv = [...command.split(' '), '--port', '0', '--data', 'data'];
  await putDatabase(join(checkout, 'data/bridge'));
  const sandbox = spawn('node', argv, { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((done) => sandbox.on('close', done));
  try {
    const ehr = await new Promise<string>((resolve, reject) => {
      let told = '';
      sandbox.stdout.on('data', (chunk: Buffer) => {
        told += chunk.toString();
        const address = /^ +EHR +(\S+)/m.exec(told)?.[1];
        if (address !== undefined) resolve(address);
      });
      sandbox.on('exit', () => reject(new Error(`the sandbox ended: ${told}`)));
    });
    return shown(await reviewed(ehr, patient));
  } finally {
    sandbox.kill('SIGTERM');
    await closed;
  }
}

/** The review page as the button of the chart opens it, with the details for IT support. */
async function reviewed(ehr: string, patient: string): Promise<string> {
  const visitor = await createVisitor().go(`${ehr}/patients/${patient}`);
  const action = /<form method="post" action="([^"]*\/launch\?order=[^"]*)"/.exec(visitor.body)?.[1] ?? '';
  const answer = await fetch(new URL(action, ehr), { method: 'POST', redirect: 'manual' });
  const review = await visitor.go(answer.headers.get('location') ?? '');
  return (await visitor.go(`${review.address}?technical=1`)).body;
}

/** Of the insurance: why this coverage, and each number with where it is from. */
function shown(body: string): string {
  const text = (pattern: RegExp) => (pattern.exec(body)?.[1] ?? 'nothing').replaceAll('&#39;', "'");
  const why = text(/<legend>Coverage<\/legend><p class="hint">([^<]*)</);
  const fields = ['rx_bin', 'rx_pcn'].map((name) => {
    const at = body.indexOf(`<label for="field-insurance_content-${name}">`);
    const field = body.slice(at, body.indexOf('</details>', at));
    const fact = (term: string) => new RegExp(`<dt>${term}</dt><dd>([^<]*)</dd>`).exec(field)?.[1] ?? 'nothing';
    const label = />([^<]*)<\/label>/.exec(field)?.[1];
    const value = / value="([^"]*)"/.exec(field)?.[1];
    return `${label}: ${value}\n  ${fact('Resource')}, ${fact('Path')}, by the rule of ${fact('Rule')}\n`;
  });
  return `Coverage: ${why}\n${fields.join('')}`;
}

/** A command begins at `$ ` and goes on while its quotes are open; what stands below it is output. */
function commandsOf(body: string): string[] {
  const commands: string[] = [];
  let open = false;
  for (const line of body.split('\n')) {
    if (open) commands[commands.length - 1] += `\n${line}`;
    else if (line.startsWith('$ ')) commands.push(line.slice(2));
    else continue;
    open = ((commands.at(-1) ?? '').match(/"/g)?.length ?? 0) % 2 === 1;
  }
  return commands;
}

function run(command: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: checkout, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } } as const;
    execFile('sh', ['-c', command], options, (_, stdout, stderr) =>
      resolve(`$ ${command}\n${clean(stdout)}${clean(stderr)}`),
    );
  });
}

function clean(output: string): string {
  const lines = output
    .replaceAll(checkout, '.')
    .split('\n')
    .filter((line) => !line.startsWith('npm warn'));
  const kept = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
  return kept === '' ? '' : `${kept}\n`;
}

/** Lines with `+` come after the line before them, lines with `-` go; `...` skips. */
function patch(file: string, diff: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  let at = 0;
  for (const line of diff.trimEnd().split('\n')) {
    const content = line.slice(1);
    if (line === '...') continue;
    if (line.startsWith('+')) lines.splice(at++, 0, content);
    else {
      const found = lines.indexOf(content, at);
      if (found < 0) throw new Error(`${file} has no line: ${content}`);
      if (line.startsWith('-')) lines.splice(found, 1);
      at = line.startsWith('-') ? found : found + 1;
    }
  }
  writeFileSync(file, lines.join('\n'));
}
