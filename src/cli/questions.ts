import type { Io } from './io.ts';

/** Asks questions at a terminal, line by line; `done` releases standard input. */
export interface Prompter {
  /**
   * Returns the typed answer, or `usual` for an empty line. Repeats the question while `refuse` returns a reason, and
   * shows the reason. Returns undefined if standard input has ended.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /** Returns one of the choices, ignoring case; repeats the question until the answer is one of them. */
  choose(question: string, choices: readonly string[], usual: string): Promise<string | undefined>;
  done(): Promise<void>;
}

export interface AskOptions {
  readonly usual?: string | undefined;
  /** Why an answer is not accepted; undefined if it is. */
  readonly refuse?: (answer: string) => string | undefined;
}

/** Returns undefined if standard input or output is not a terminal, so nobody can answer. */
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
  const ask = async (question: string, { usual, refuse = () => undefined }: AskOptions = {}) => {
    const offered = usual === undefined || refuse(usual) !== undefined ? undefined : usual;
    for (;;) {
      stdout.write(`${question}${offered === undefined ? '' : ` [${offered}]`}: `);
      const typed = await line();
      const answer = typed === '' ? (offered ?? '') : typed;
      const reason = answer === undefined ? undefined : refuse(answer);
      if (reason === undefined) return answer;
      stdout.write(`${answer === '' ? 'An answer is needed' : `“${answer}” cannot be`}: ${reason}.\n`);
    }
  };
  return {
    ask,
    async choose(question, choices, usual) {
      const refuse = (answer: string) =>
        choices.includes(answer.toLowerCase()) ? undefined : `it must be one of ${choices.join(', ')}`;
      return (await ask(question, { usual, refuse }))?.toLowerCase();
    },
    async done() {
      await chunks.return?.();
    },
  };
}
