import { styleText } from 'node:util';
import type { Io } from './io.ts';

/** `good`, `attention` and `bad` for an outcome; `title` for a heading. */
export type TextTone = 'good' | 'attention' | 'bad' | 'title';
export type Paint = (tone: TextTone, text: string) => string;

const styles = { good: 'green', attention: 'yellow', bad: 'red', title: 'bold' } as const;

/** Colors on a terminal; plain text everywhere else, and if NO_COLOR is set. https://no-color.org */
export function paintFor({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Paint {
  const isPlain = stdout.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  if (isPlain) return (_, text) => text;
  return (tone, text) => styleText(styles[tone], text, { validateStream: false });
}
