import type { Io } from './io.ts';

/** Asks at a terminal, line by line; `done` lets go of standard input. */
export interface Prompter {
  /** What was typed; `usual` for an empty line. undefined when standard input has ended. */
  ask(question: string, usual?: string): Promise<string | undefined>;
  /** One of the choices, however its letters are written; asked again until it is one. */
  choose(question: string, choices: readonly string[], usual: string): Promise<string | undefined>;
  done(): Promise<void>;
}

/** undefined where nobody sits: standard input or output is no terminal. */
export function questionsFor({ stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>): Prompter | undefined {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return undefined;
  const chunks = stdin[Symbol.asyncIterator]();
  let typed = '';
  const line = async (): Promise<string | undefined> => {
    while (!typed.includes('\n')) {
      const next = await chunks.next();
      if (next.done === true) return undefined;
      typed += next.value.toString('utf8');
    }
    const end = typed.indexOf('\n');
    const first = typed.slice(0, end);
    typed = typed.slice(end + 1);
    return first.trim();
  };
  const ask = async (question: string, usual?: string): Promise<string | undefined> => {
    stdout.write(`${question}${usual === undefined ? '' : ` [${usual}]`}: `);
    const answer = await line();
    return answer === '' ? usual : answer;
  };
  return {
    ask,
    async choose(question, choices, usual) {
      for (;;) {
        const answer = (await ask(question, usual))?.toLowerCase();
        if (answer === undefined || choices.includes(answer)) return answer;
        stdout.write(`“${answer}” is none of them.\n`);
      }
    },
    async done() {
      await chunks.return?.();
    },
  };
}
