import { z } from 'zod';
import { AnswersSheet, type CellName } from '../../core/contract/answers-sheet.ts';
import { BridgeError } from '../../core/errors.ts';
import { isSent, roundsOf, type User, userText } from '../case.ts';
import type { CaseContext } from '../context.ts';
import { drugKeys } from '../same-request.ts';

/**
 * A payer's question that a person has read and released: its text without names, and the cells that answered it. The
 * next request of the same site for the same drug and payer shows it. It is deleted with the case from which it came.
 */

const Kept = z.object({
  text: z.string(),
  cells: z.array(AnswersSheet.keyof()).catch([]),
  by: z.string(),
  at: z.string(),
});
export type KeptQuestion = z.infer<typeof Kept>;

export interface QuestionRelease {
  readonly round: number;
  readonly text: string;
  readonly cells: readonly CellName[];
  readonly by: User;
}

export interface QuestionsAbout {
  readonly site: string;
  /** As stated in the request. */
  readonly payer: string;
  readonly body: unknown;
}

const mostKept = 5;

/** Implements `Cases.keepQuestion`. */
export async function keepQuestion(
  context: Pick<CaseContext, 'store' | 'get' | 'now'>,
  id: string,
  { round, text, cells, by }: QuestionRelease,
): Promise<void> {
  const one = await context.get(id);
  const isKnown = roundsOf(one).some(({ number }) => number === round);
  if (!isSent(one) || !isKnown || text.trim() === '') throw new BridgeError('bad_request', { case: id });
  const about = aboutOf({ payer: one.payer ?? '', body: one.body });
  const content: KeptQuestion = { text: text.trim(), cells: [...cells], by: userText(by), at: context.now() };
  await context.store.questions.keep({ id, site: one.site, round, about }, content);
}

/** Implements `Cases.keptQuestions`. */
export async function keptQuestions(
  { store }: Pick<CaseContext, 'store'>,
  { site, ...request }: QuestionsAbout,
): Promise<readonly KeptQuestion[]> {
  const found = await store.questions.find(site, aboutOf(request), mostKept);
  return found.flatMap((content) => Kept.safeParse(content).data ?? []);
}

/** One lookup key for each key of the drug; empty when the payer or the drug is unknown. */
function aboutOf({ payer, body }: Omit<QuestionsAbout, 'site'>): string[] {
  const plain = payer
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? [] : drugKeys(body).map((drug) => JSON.stringify([plain, drug]));
}
