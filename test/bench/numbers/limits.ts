import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.ts';
import type { Size } from './row.ts';

/**
 * One line of the table in docs/develop/speed.md: what a number is over, how it is measured, and how large it may be.
 */
export interface Stated {
  readonly name: string;
  /** What the number is over. */
  readonly floor: string;
  readonly measure: 'processor' | 'clock' | 'count' | 'memory';
  /** The largest ratio allowed; undefined where there is none. */
  readonly limit: Readonly<Record<Size, number | undefined>>;
}

const measures = ['processor', 'clock', 'count', 'memory'] as const;

/** The table of docs/develop/speed.md, the one place where limits stand. Throws where a line cannot be read. */
export function statedNumbers(): ReadonlyMap<string, Stated> {
  const [, table = ''] = readFileSync(join(root, 'docs/develop/speed.md'), 'utf8').split('<!-- limits -->');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const all = lines.slice(2).map((line) => statedIn(line));
  if (all.length === 0) throw new Error('docs/develop/speed.md has no table of limits');
  return new Map(all.map((one) => [one.name, one]));
}

function statedIn(line: string): Stated {
  const [name = '', floor = '', stated = '', full = '', short = ''] = line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const measure = measures.find((one) => one === stated);
  if (measure === undefined) throw new Error(`speed.md: ${stated} is none of ${measures.join(', ')}: ${line}`);
  return { name, floor, measure, limit: { full: limitOf(full, line), short: limitOf(short, line) } };
}

function limitOf(cell: string, line: string): number | undefined {
  if (cell === '') return undefined;
  const limit = Number(cell);
  if (!(limit > 0)) throw new Error(`docs/develop/speed.md: ${cell} is no limit: ${line}`);
  return limit;
}
