import { run } from '../../src/cli/program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One command line, as a person would type it, on 21 November 2026. */
export async function cli(
  argv: readonly string[],
  {
    stdin = '',
    env = {},
    isTTY = false,
    sits = false,
  }: {
    stdin?: string;
    env?: Record<string, string>;
    /** Of standard output. */
    isTTY?: boolean;
    /** Somebody types `stdin` at a terminal. */
    sits?: boolean;
  } = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(argv, {
    stdout: { isTTY: isTTY || sits, write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    stdin: Object.assign(chunks(stdin), { isTTY: sits }),
    env,
    clock: () => new Date('2026-11-21T12:00:00'),
    stopped: () => Promise.resolve('SIGTERM'),
  });
  return { code, out: out.join(''), err: err.join('') };
}

async function* chunks(text: string): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text);
}
