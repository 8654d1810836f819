import { z } from 'zod';
import { type AnsweredTrial, AnswersSheet, type CellName, cellNames } from '../contract/answers-sheet.ts';
import { answerLines, cellTexts, type TrialParts, trialParts, trialRemarks } from './answer-text.ts';
import { outcomes } from './knowledge.ts';
import { answersTitle, statedText } from './request-parts.ts';

export interface SentAnswers {
  readonly answers: readonly SentAnswer[];
  readonly trials: readonly TrialParts[];
}

export interface SentAnswer {
  readonly cell: CellName;
  readonly question: string;
  readonly lines: readonly string[];
}

/**
 * The answers in a request body of any profile. Undefined when there are none.
 *
 * @example sentAnswersIn(body)?.trials.map(({ drug }) => drug)
 */
export function sentAnswersIn(body: unknown): SentAnswers | undefined {
  const { evidence = [], questionnaires = [] } = Body.safeParse(body).data ?? {};
  for (const item of evidence) {
    const content = sheetIn(item);
    if (content !== undefined) return inEvidence(content);
  }
  const ours = questionnaires.flatMap((one) => ourQuestions(one) ?? []);
  return ours.length === 0 ? undefined : inWords(ours);
}

export function isAnswersItem(item: unknown): boolean {
  return sheetIn(item) !== undefined;
}

const Body = z.object({
  evidence: z.array(z.unknown()).optional().catch(undefined),
  questionnaires: z.array(z.unknown()).optional().catch(undefined),
});

const Cell = AnswersSheet.keyof();
const Stated = z.object({ cell: Cell, text: z.string(), by: z.string(), at: z.string() });
const Content = AnswersSheet.extend({
  sources: z.partialRecord(Cell, z.array(z.string())),
  stated: z.array(Stated).optional(),
});
type Content = z.infer<typeof Content>;
const Item = z.object({ title: z.literal(answersTitle), content: Content });

function sheetIn(item: unknown): Content | undefined {
  return Item.safeParse(item).data?.content;
}

function inEvidence({ sources: _, stated = [], ...sheet }: Content): SentAnswers {
  const answers = cellNames.flatMap((cell): SentAnswer[] => {
    const said = stated.filter((one) => one.cell === cell).map(statedText);
    const lines = [...(cell === 'trials' ? [] : answerLines(cell, sheet[cell])), ...said].flatMap((text) =>
      text.split('\n'),
    );
    return lines.length === 0 ? [] : [{ cell, question: cellTexts[cell].question, lines }];
  });
  return { answers, trials: (sheet.trials ?? []).map(sentTrial) };
}

// Requests of version 0.1.0 also contain the remarks that are now shown only to staff.
function sentTrial(trial: AnsweredTrial): TrialParts {
  const { ended, ...parts } = trialParts(trial);
  return {
    ...parts,
    ended: [ended, ...trialRemarks(trial).map(({ text }) => text)].filter((part) => part !== '').join('; '),
  };
}

const Questionnaire = z.object({ questions: z.array(z.object({ question: z.string(), answer: z.string() })).min(1) });

// The questionnaire is ours only if every question is one of `cellTexts`.
function ourQuestions(item: unknown): SentAnswer[] | undefined {
  const questions = Questionnaire.safeParse(item).data?.questions ?? [];
  const known = questions.flatMap(({ question, answer }): SentAnswer[] => {
    const cell = cellNames.find((name) => cellTexts[name].question === question);
    return cell === undefined ? [] : [{ cell, question, lines: answer.split('\n') }];
  });
  return known.length === 0 || known.length < questions.length ? undefined : known;
}

/**
 * Matches the part of a trial line that says how the trial ended: an outcome or a quote from the chart. In requests of
 * version 0.1.0, the part may also state contradictory dates, or why the trial does not count.
 */
const beginsEnd = new RegExp(
  `^(?:(?:${outcomes.join('|')})\\b|[^“:]{0,40}: “|“|not counted: |\\S+ says that it was stopped on |` +
    '(?:ended|stopped|on hold)$)',
);

function trialIn(line: string): TrialParts {
  const [drug = '', ...parts] = line.split('; ');
  const found = parts.findIndex((part) => beginsEnd.test(part));
  const end = found < 0 ? parts.length : found;
  return { drug, taken: parts.slice(0, end).join('; '), ended: parts.slice(end).join('; ') };
}

function inWords(asked: readonly SentAnswer[]): SentAnswers {
  const trials = asked.filter(({ cell }) => cell === 'trials').flatMap(({ lines }) => lines);
  return {
    answers: asked.filter(({ cell }) => cell !== 'trials'),
    trials: trials.map(trialIn),
  };
}
