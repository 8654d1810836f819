import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setupLambdaEnvironment } from '@sparticuz/chromium';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const packaged = join(tmpdir(), 'chromium');
const libraries = join(tmpdir(), 'al2023');

/** The browser that CHROMIUM_PATH names, else the machine's own; undefined where it is the one of the npm package. */
export function ownChromium(): string | undefined {
  const path = process.env.CHROMIUM_PATH ?? installed.find((candidate) => existsSync(candidate));
  return path === 'npm' ? undefined : path;
}

/** The browser of the npm package, which `setup` unpacked, and the libraries that it is to find. */
export function packagedChromium(): string {
  setupLambdaEnvironment(join(libraries, 'lib'));
  return packaged;
}

/**
 * vitest calls it before the tests: unpacks the browser of the npm package, once for all processes. It comes to its
 * place whole: a program that is still being written cannot be started, and half of one would stay there.
 */
export function setup(): void {
  if (ownChromium() !== undefined || (existsSync(packaged) && existsSync(libraries))) return;
  const making = mkdtempSync(`${packaged}-`);
  try {
    // The package unpacks into the folder for temporary files, whichever that is.
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
