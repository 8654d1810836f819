import type { Request } from '../charts.ts';
import type { Order } from '../faults.ts';

/** Every way in which the sandbox's payer asks, in turn; each has its credentials, which may be nowhere in clear. */

export interface Question {
  /** For the sandbox of the service, given before the request is sent. */
  readonly order: Order;
  /** What is asked, first and then. */
  readonly texts: readonly string[];
  /** For so many seconds somebody types, until the deadline has closed it. */
  readonly typesFor?: number;
  /** A person may close it without a reply: the payer goes on by itself. */
  readonly mayClose: boolean;
}

interface Way {
  readonly twice?: true;
  readonly typesFor?: number;
  readonly mayClose?: true;
  readonly value: Readonly<Record<string, unknown>>;
}

const ways: readonly Way[] = [
  { value: { file: true } },
  { twice: true, value: {} },
  { value: { channels: ['fax', 'direct_message'] } },
  { value: { channels: ['fax', 'direct_message'], retried: true } },
  { value: { event: 'early', file: true } },
  { mayClose: true, value: { event: 'never', closesAfter: 90 } },
  { typesFor: 14, value: { closesAfter: 12 } },
  { twice: true, value: { channels: ['fax', 'direct_message'], retried: true, file: true } },
];

/** Of so many prior authorizations among the requests, spread over them: what their payers ask, by their number. */
export function questionsFor(requests: readonly Request[], asked: number): ReadonlyMap<number, Question> {
  const able = requests.filter(({ kind }) => kind === 'prior-auth');
  if (asked > able.length) throw new Error(`${asked} are to be asked back, of ${able.length} prior authorizations`);
  const chosen = able.filter(
    (_, index) => Math.floor(((index + 1) * asked) / able.length) > Math.floor((index * asked) / able.length),
  );
  return new Map(
    chosen.map(({ number, site }, index) => [number, questionOf(number, site, ways[index % ways.length])]),
  );
}

function questionOf(number: number, site: string, way: Way = { value: {} }): Question {
  const { twice, typesFor, mayClose = false, value } = way;
  return {
    order: {
      switch: 'payer-asks',
      value: { ...value, text: textOf(number, 'A'), ...(twice === undefined ? {} : { second: textOf(number, 'B') }) },
      times: 1,
      site,
    },
    texts: [textOf(number, 'A'), ...(twice === undefined ? [] : [textOf(number, 'B')])],
    ...(typesFor === undefined ? {} : { typesFor }),
    mayClose,
  };
}

/** Anything that begins with one of these is of a question, of its credentials, or of a reply. */
export const canaries = { question: 'QUESTIONCANARY', secret: 'SECRETCANARY', reply: 'REPLYCANARY' } as const;

/** By which a page is known to show a text. */
export function beginningOf(text: string): string {
  return text.slice(0, text.indexOf(':') + 1);
}

/** The question that a page shows, whoever sent the request that it was meant for. */
export function questionShown(html: string, questions: ReadonlyMap<number, Question>): Question | undefined {
  const [, number] = new RegExp(`${canaries.question} [AB](\\d+)`).exec(html) ?? [];
  return questions.get(Number(number));
}

function beginning(number: number, which: string): string {
  return `${canaries.question} ${which}${number}: which dose`;
}

// As payers write them: in an address, after a word, on a line of its own, in front of the word.
function textOf(number: number, which: string): string {
  const secret = (place: string) => `${canaries.secret}-${place}${which}${number}`;
  return [
    `${beginning(number, which)} was tried before, and until when?`,
    `Answer at https://payer.example/reply?case=${secret('q')} with the access code ${secret('c')}.`,
    `Password: ${secret('p')}`,
    `PIN`,
    `${secret('n')}`,
    `Use ${secret('b')} as the passcode.`,
  ].join('\n');
}
