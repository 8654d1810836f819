import { setTimeout as pause } from 'node:timers/promises';
import type { Visitor } from '../../support/visitor.ts';
import type { LedgerReader, PeopleLedger } from '../ledgers.ts';
import type { Random } from '../random.ts';
import { hashOf, type QuestionOnPage, questionsOn } from './on-page.ts';
import { canaries, type Question, questionShown } from './questions.ts';

/** How one person answers what the payer asks about their request. */
export interface Answering {
  /** Looks at the questions of a case page, and does the next thing; true when something was sent. */
  act(visitor: Visitor): Promise<boolean>;
}

export interface AnsweringOptions {
  readonly request: number;
  /** Of all requests, by their number. */
  readonly questions: ReadonlyMap<number, Question>;
  readonly service: LedgerReader;
  readonly ledger: PeopleLedger;
  readonly random: Random;
  /** true from when nothing goes wrong any more: then every question is answered for good. */
  readonly isQuiet: () => boolean;
}

/** Longer than the service takes at most to do what it was asked: then who looks there sees what arrived. */
const lookAfterMs = 10_000;

export function createAnswering({
  request,
  questions: all,
  service,
  ledger,
  random,
  isQuiet,
}: AnsweringOptions): Answering {
  const closed = new Set<number>();
  const unclearSince = new Map<string, number>();
  const done = { replies: 0, typed: false };

  function notice(questions: readonly QuestionOnPage[]): void {
    for (const { number, isOpen, ended } of questions) {
      if (isOpen && closed.has(number)) ledger.add({ did: 'saw-reopened', request, round: number });
      if (/^(Answered|Closed without)/.test(ended)) closed.add(number);
    }
  }

  async function settle(visitor: Visitor, { replies }: QuestionOnPage): Promise<boolean> {
    const text = replies.at(-1)?.text ?? '';
    const since = unclearSince.get(text) ?? Date.now();
    unclearSince.set(text, since);
    if (Date.now() < since + lookAfterMs) return false;
    const hash = hashOf(text);
    const arrived = (await service.read()).some(
      ({ kind, texts }) => kind === 'prior_authorization.amended' && Array.isArray(texts) && texts.includes(hash),
    );
    ledger.add({ did: 'settled-reply', request, hash, arrived });
    unclearSince.delete(text);
    await visitor.press(arrived ? 'reply-arrived' : 'reply-not-arrived');
    return true;
  }

  async function reply(visitor: Visitor, { number }: QuestionOnPage): Promise<boolean> {
    // The form of another page may come with an answer meanwhile: what is sent is of this one.
    const page = visitor.body;
    const question = questionShown(page, all);
    if (question?.typesFor !== undefined && !done.typed) {
      done.typed = true;
      await pause(question.typesFor * 1000);
    }
    const completes = isQuiet() || random.chance(0.6);
    const form = { ...(completes ? { completes: 'yes' } : {}), ...documentOf(page, random) };
    const [text, other] = [nextText(number, completes), random.chance(0.15) ? nextText(number, completes) : undefined];
    const twice = other === undefined && random.chance(0.2);
    const sent = [text, ...(other === undefined ? [] : [other]), ...(twice ? [text] : [])];
    const before = visitor.address;
    const answers = await Promise.allSettled(sent.map((one) => visitor.press('reply', { ...form, text: one })));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (visitor.status === 422 && !sent.some((one) => visitor.body.includes(one)))
      ledger.add({ did: 'lost-words', request, round: number });
    await visitor.go(before.replace(/[?#].*/, ''));
    if (visitor.status >= 400) return true;
    for (const { text: shown } of questionsOn(visitor.body).flatMap(({ replies }) => replies))
      if (sent.includes(shown)) ledger.add({ did: 'saw-reply', request, hash: hashOf(shown) });
    return true;
  }

  function nextText(round: number, completes: boolean): string {
    done.replies += 1;
    const text = `${canaries.reply}-${request}-${done.replies}: 40 mg until March 2025.`;
    ledger.add({ did: 'replied', request, round, hash: hashOf(text), completes });
    return text;
  }

  return {
    async act(visitor) {
      const questions = questionsOn(visitor.body);
      notice(questions);
      const unclear = questions.find(({ asksArrived }) => asksArrived);
      if (unclear !== undefined) return await settle(visitor, unclear);
      const open = questions.find(({ takesReply }) => takesReply);
      if (open === undefined || (!isQuiet() && random.chance(0.3))) return false;
      // Of two people of one site the payer may ask one what was meant for the other.
      const mayClose = questionShown(visitor.body, all)?.mayClose === true;
      const canClose = mayClose && visitor.body.includes('name="action" value="close-round"');
      if (!canClose || random.chance(0.7)) return await reply(visitor, open);
      const [, round] = /name="round" value="(\d+)"(?:(?!<\/form>)[\s\S])*value="close-round"/.exec(visitor.body) ?? [];
      ledger.add({ did: 'closed-round', request, round: Number(round) });
      await visitor.press('close-round');
      return true;
    },
  };
}

function documentOf(page: string, random: Random): { readonly document?: string } {
  const [, document] = /name="document" value="([^"]*)"/.exec(page) ?? [];
  return document === undefined || random.chance(0.7) ? {} : { document };
}
