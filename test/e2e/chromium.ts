import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setupLambdaEnvironment } from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly chromium: Chromium;
  }
}

/** How the browser of the tests is started. */
export interface Chromium {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * vitest calls it before the tests. The browser is the one that CHROMIUM_PATH names (`npm`: the one inside the npm
 * package), else the machine's own, else the package's, which is unpacked once for all processes.
 */
export function setup(project: TestProject): void {
  const path = process.env.CHROMIUM_PATH ?? installed.find((candidate) => existsSync(candidate));
  project.provide(
    'chromium',
    path === undefined || path === 'npm'
      ? packaged()
      : { executablePath: path, args: ['--no-sandbox'], env: environment() },
  );
}

function packaged(): Chromium {
  const [executablePath, libraries] = ['chromium', 'al2023'].map((name) => join(tmpdir(), name)) as [string, string];
  if (!existsSync(executablePath) || !existsSync(libraries)) unpack();
  setupLambdaEnvironment(join(libraries, 'lib'));
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--headless=shell'];
  return { executablePath, args, env: environment() };
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/**
 * The package unpacks into the folder for temporary files, whichever that is. From one of its own all comes to its
 * place whole: a program that is still being written cannot be started, and half of one would stay there.
 */
function unpack(): void {
  const making = mkdtempSync(join(tmpdir(), 'chromium-'));
  try {
    const env = { ...process.env, TMPDIR: making };
    execFileSync(process.execPath, ['--input-type=module', '--eval', unpacking], { cwd: import.meta.dirname, env });
    // The program comes last: it stands for all.
    const names = readdirSync(making).sort((one, other) => Number(one === 'chromium') - Number(other === 'chromium'));
    for (const name of names) putInPlace(join(making, name), join(tmpdir(), name));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

// The package unpacks its own NSS and NSPR only on a cloud provider's machines; others may lack them as well.
const packedLibraries = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '../bin/al2023.tar.br',
);
const unpacking = `
  import chromium, { inflate } from '@sparticuz/chromium';
  await inflate(${JSON.stringify(packedLibraries)});
  await chromium.executablePath();
`;

/** What is there already, of an earlier run or one at the same time, is as good. */
function putInPlace(made: string, place: string): void {
  try {
    renameSync(made, place);
  } catch (thrown) {
    if (!existsSync(place)) throw thrown;
  }
}
