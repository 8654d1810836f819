import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './concern.ts';
import { type Edit, type Mutation, mutationsOf } from './mutations.ts';

/** One small change of one file. */
export interface Mutant extends Mutation {
  readonly file: string;
  readonly line: number;
  /** The lines that it changes, as they are and as it makes them, without line ends. */
  readonly before: string;
  readonly after: string;
}

export function mutantsOf(file: string): readonly Mutant[] {
  const source = readFileSync(join(root, file), 'utf8');
  return mutationsOf(source).map((mutation) => ({ ...mutation, file, ...shown(source, mutation) }));
}

/** The text with the change in it. */
export function changed(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

function shown(source: string, mutation: Mutation): Pick<Mutant, 'line' | 'before' | 'after'> {
  const from = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const next = source.indexOf('\n', mutation.end);
  const to = next < 0 ? source.length : next;
  const longer = mutation.text.length - (mutation.end - mutation.start);
  return {
    line: source.slice(0, mutation.start).split('\n').length,
    before: inOne(source.slice(from, to)),
    after: inOne(changed(source, mutation).slice(from, to + longer)),
  };
}

function inOne(lines: string): string {
  return lines.replaceAll(/\s+/g, ' ').trim();
}
