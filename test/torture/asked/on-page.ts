import { createHash } from 'node:crypto';

/** What a case page says of the payer's questions, by its HTML alone. */

export interface QuestionOnPage {
  readonly number: number;
  readonly isOpen: boolean;
  /** A reply can be written. */
  readonly takesReply: boolean;
  /** A person has to say whether the last reply arrived. */
  readonly asksArrived: boolean;
  readonly replies: readonly ReplyOnPage[];
  /** How it ended, in the words of the page; empty while it is open. */
  readonly ended: string;
}

export interface ReplyOnPage {
  readonly text: string;
  /** In the words of the page. */
  readonly state: string;
}

/** Oldest first. */
export function questionsOn(html: string): readonly QuestionOnPage[] {
  const open = [
    ...html.matchAll(/<section class="card question[^"]*" aria-labelledby="question-(\d+)"[\s\S]*?<\/section>/g),
  ].map(([part, number]) => openOne(part, Number(number)));
  const known = new Set(open.map(({ number }) => number));
  const parts = html.split('<div class="ended-question">').slice(1);
  // The page shows them newest first, without their numbers.
  const numbers = Array.from({ length: parts.length + open.length }, (_, index) => index + 1).filter(
    (number) => !known.has(number),
  );
  const ended = parts.map((part, index) => endedOne(part.split('</details>')[0] ?? '', numbers.at(-1 - index) ?? 0));
  return [...open, ...ended].sort((one, other) => one.number - other.number);
}

function openOne(part: string, number: number): QuestionOnPage {
  return {
    number,
    isOpen: true,
    takesReply: part.includes('name="action" value="reply"'),
    asksArrived: part.includes('name="action" value="reply-arrived"'),
    replies: repliesIn(part),
    ended: '',
  };
}

const ends = /<p class="quiet-text">((?:Answered|Closed)[^<]*)/;

function endedOne(part: string, number: number): QuestionOnPage {
  const ended = ends.exec(part)?.[1]?.trim() ?? 'unknown';
  return { number, isOpen: false, takesReply: false, asksArrived: false, replies: repliesIn(part), ended };
}

function repliesIn(part: string): readonly ReplyOnPage[] {
  return [...part.matchAll(/<div class="reply-line"><p>[\s\S]*?<\/time>\s*([^<]*)<\/p><blockquote>([^<]*)/g)].map(
    ([, state = '', text = '']) => ({ text, state: state.trim() }),
  );
}

/** Names the words of a reply in the ledgers. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
