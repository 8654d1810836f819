import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, askedVariable, type PassedBy } from './asked.ts';
import { root } from './concern.ts';

export interface Run {
  readonly passed: boolean;
  /** It was ended at its limit. */
  readonly isCut: boolean;
  readonly tests: readonly TestRun[];
  readonly passedBy: readonly PassedBy[];
}

export interface TestRun {
  readonly file: string;
  /** As vitest takes it with `-t`. */
  readonly name: string;
  readonly status: string;
  readonly seconds: number;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly duration?: number | null;
    }[];
  }[];
}

/** Runs tests in a process of its own, which ends after `limit` seconds. */
export async function runTests(wanted: Omit<Asked, 'passedBy'>, limit: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const [asked, report, passedBy] = ['asked', 'report', 'passed-by'].map((name) => join(folder, `${name}.json`)) as [
    string,
    string,
    string,
  ];
  try {
    writeFileSync(asked, JSON.stringify({ ...wanted, passedBy }));
    const end = await endOf(asked, report, limit);
    return { ...end, tests: testsIn(report), passedBy: passedByIn(passedBy) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function endOf(asked: string, report: string, limit: number): Promise<Pick<Run, 'passed' | 'isCut'>> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${report}`];
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the tests start ends with it.
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, [askedVariable]: asked },
      stdio: 'ignore',
      detached: true,
    });
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    let isCut = false;
    const timer = setTimeout(() => {
      isCut = true;
      end();
    }, limit * 1000);
    process.once('exit', end);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve({ passed: code === 0, isCut });
    });
  });
}

// A run that was ended leaves no report.
function testsIn(report: string): readonly TestRun[] {
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ status, ancestorTitles, title, duration }) => ({
      file: file.slice(root.length + 1),
      name: [...ancestorTitles, title].join(' > '),
      status,
      seconds: (duration ?? 0) / 1000,
    })),
  );
}

function passedByIn(file: string): readonly PassedBy[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PassedBy)
    .map((one) => ({ ...one, test: one.test.slice(root.length + 1) }));
}
