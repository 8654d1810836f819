import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Entries } from './told.ts';

/** What a process tells of each chart that may not make functions of text. */
export function toldPlainly(all: readonly Entries[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'));
  const [charts, told] = [join(folder, 'charts'), join(folder, 'told')];
  writeFileSync(charts, all.map((entries) => JSON.stringify(entries)).join('\n'));
  execFileSync(process.execPath, [
    '--disallow-code-generation-from-strings',
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'tell-plainly.ts'),
    charts,
    told,
  ]);
  const lines = readFileSync(told, 'utf8').split('\n');
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line) as string[]);
}

/** How many results were the same. */
export function compareAll(told: readonly string[][], plainly: readonly string[][]): number {
  for (const [at, texts] of told.entries()) expect(texts).toEqual(plainly[at]);
  return told.flat().length;
}
