import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, askedVariable, type TurnLine } from './asked.ts';
import { root } from './concern.ts';

export interface Run {
  readonly passed: boolean;
  /** It was ended at its limit. */
  readonly isCut: boolean;
  readonly tests: readonly TestRun[];
  readonly log: readonly TurnLine[];
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

/**
 * Runs tests in a process of its own, which ends after `limit` seconds; a run with turns ends where none of them begins
 * or ends for so long.
 */
export async function runTests(wanted: Omit<Asked, 'log'>, limit: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const files = { asked: join(folder, 'asked.json'), report: join(folder, 'report.json'), log: join(folder, 'log') };
  try {
    writeFileSync(files.asked, JSON.stringify({ ...wanted, log: files.log }));
    const end = await endOf(files, limit);
    return { ...end, tests: testsIn(files.report), log: linesIn(files.log) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Files {
  readonly asked: string;
  readonly report: string;
  readonly log: string;
}

function endOf({ asked, report, log }: Files, limit: number): Promise<Pick<Run, 'passed' | 'isCut'>> {
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
    const begin = Date.now();
    const timer = setInterval(() => {
      const heard = statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? begin;
      if (Date.now() - Math.max(begin, heard) < limit * 1000) return;
      isCut = true;
      end();
    }, 1000);
    process.once('exit', end);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(timer);
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

// The last line may be cut.
function linesIn(file: string): readonly TurnLine[] {
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as TurnLine);
}
