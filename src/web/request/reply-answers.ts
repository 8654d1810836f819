import { z } from 'zod';
import { type Case, type RequestContent, recordOf } from '../../cases/case.ts';
import { questionsIn } from '../../cases/question.ts';
import type { ReplyDocument } from '../../cases/rounds/reply.ts';
import type { Round } from '../../cases/rounds/round.ts';
import { maskedText } from '../../cases/rounds/secrets.ts';
import { mayBeShown } from '../../cases/rounds/shown.ts';
import type { Site } from '../../config/config.ts';
import { cellTexts } from '../../core/answers/answer-text.ts';
import { cellsFor, type QuestionRow, unsaidIn } from '../../core/answers/cells-for.ts';
import { type AnswerLine, goesByItself } from '../../core/answers/lines.ts';
import { meantBy } from '../../core/answers/named-in.ts';
import { statedText } from '../../core/answers/request-parts.ts';
import { sentAnswersIn } from '../../core/answers/sent-answers.ts';
import { type CellName, cellNames } from '../../core/contract/answers-sheet.ts';
import type { EvidenceType } from '../../core/evidence/finding.ts';
import { dayIn } from '../../core/fhir/time/time-zone.ts';
import type { Candidate } from '../../core/roles/chart.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Deps } from '../http/deps.ts';
import { packetWords } from '../pages/case/question-words.ts';
import { placeText, readPlaces } from './answer-places.ts';
import type { Draft } from './draft.ts';
import { keyOf, readSheet } from './payer-answers.ts';
import { payerWords } from './payer-words.ts';

type Sent = Case & RequestContent;

/** Lines of the answers sheet that a reply can include. */
export interface ReplyAnswers {
  /** `chart`: read from the chart now; `sent`: as sent with the request, because the chart cannot be read now. */
  readonly from: 'chart' | 'sent';
  /** The date of the answers in the site's time zone. */
  readonly day: string;
  readonly lines: readonly ReplyLine[];
}

export interface ReplyLine extends AnswerLine {
  /**
   * A hash of the line's identity and text. If the text has changed since a person checked the line, the key no longer
   * matches and the person decides again.
   */
  readonly key: string;
  /** true for a statement that a person made with the request. */
  readonly isStated?: true;
}

/** Answers from the chart as it is now, and statements that people made with the request. */
export function answersNow(deps: Deps, launch: Launch, draft: Draft): ReplyAnswers {
  const { lines } = readSheet(deps, launch, draft);
  const { statements = [] } = draft.case.sheet ?? {};
  const stated = statements.map((one) => ({
    ...{ id: `stated ${one.cell}`, cell: one.cell, texts: [statedText(one)], places: [], isOld: false },
    isStated: true as const,
  }));
  const all: readonly Omit<ReplyLine, 'key'>[] = [...lines, ...stated];
  return {
    from: 'chart',
    day: draft.chart.today ?? '',
    lines: cellNames
      .flatMap((cell) => all.filter((line) => line.cell === cell && line.texts.length > 0))
      .map((line) => ({ ...line, key: keyOf(['chart', line.id, ...line.texts].join('\n')) })),
  };
}

export function answersSent({ body, sentAt }: Pick<Sent, 'body'> & { readonly sentAt: string }, site: Site) {
  const { answers = [], trials = [] } = sentAnswersIn(body) ?? {};
  const ofTrials = trials.map(({ drug, taken, ended }) =>
    [drug, taken, ended].filter((part) => part !== '').join('; '),
  );
  const said = cellNames.flatMap((cell) => [
    ...(cell === 'trials' ? ofTrials : []).map((text) => ({ cell, text })),
    ...answers.filter((one) => one.cell === cell).flatMap(({ lines }) => lines.map((text) => ({ cell, text }))),
  ]);
  const lines = said.map(({ cell, text }, index): ReplyLine => {
    const id = `sent ${index}`;
    return { key: keyOf([id, text].join('\n')), id, cell, texts: [text], places: [], isOld: false };
  });
  return { from: 'sent', day: dayIn(Date.parse(sentAt), site.timeZone), lines } satisfies ReplyAnswers;
}

export interface QuestionAnswers extends Omit<ReplyAnswers, 'lines'> {
  /** The cells that the question asks for, in the order of the question; empty if no cell matches its text. */
  readonly asked: readonly AskedAnswer[];
  /** The lines of all other cells. */
  readonly others: readonly ReplyLine[];
  /** Keys of lines and references of documents that are preselected. */
  readonly proposed: ReadonlySet<string>;
}

export interface AskedAnswer {
  readonly cell: CellName;
  /** Empty if the chart has no answer, or if only a person can answer. */
  readonly lines: readonly ReplyLine[];
  /** Items that the question mentions and no line covers: `BMI`. */
  readonly missing: readonly string[];
  /** Documents of the chart about items that no line covers. */
  readonly documents: readonly Candidate[];
}

interface AnsweredBy {
  readonly questions: readonly QuestionRow[];
  readonly evidence: Site['evidence'];
  /** Documents of the chart that a reply can include. */
  readonly candidates?: readonly Candidate[];
}

/**
 * The answers to a question, and all other lines. Some answers are not preselected: lines that always need a person's
 * choice, statements of people, answers that were sent with the request, and answers that match the question only
 * weakly.
 */
export function answersTo(
  question: string,
  { lines, ...answers }: ReplyAnswers,
  { questions, evidence, candidates = [] }: AnsweredBy,
): QuestionAnswers {
  const found = cellsFor(question, questions);
  const asked = found.map((one): AskedAnswer => {
    const own = lines.filter(({ cell }) => cell === one.cell);
    const texts = own.flatMap((line) => line.texts);
    const documents = one.cell === 'trials' ? otherTrials(candidates, own) : [];
    return { cell: one.cell, lines: own, missing: unsaidIn(question, one, texts), documents };
  });
  const cells = asked.map(({ cell }) => cell);
  const proposes = answers.from === 'chart' && evidence !== 'each';
  const meant = asked.filter((_, index) => proposes && found[index]?.row.last !== true).map(offeredIn);
  return {
    ...answers,
    asked,
    others: lines.filter(({ cell }) => !cells.includes(cell)),
    proposed: new Set(meant.flatMap((offered) => proposedOf(meantBy(question, offered)))),
  };
}

interface Offered {
  readonly key: string;
  readonly texts: readonly string[];
  readonly goes: boolean;
}

function offeredIn({ lines, documents }: AskedAnswer): readonly Offered[] {
  return [
    ...lines.map((line) => ({ ...line, goes: goesByItself(line) && line.isStated !== true })),
    ...documents.map((one) => ({ key: one.reference, texts: [drugIn(one)], goes: one.sensitive === undefined })),
  ];
}

function proposedOf(offered: readonly Offered[]): readonly string[] {
  return offered.flatMap(({ key, goes }) => (goes ? [key] : []));
}

/** Documents about trials of drugs that no line mentions. */
function otherTrials(candidates: readonly Candidate[], lines: readonly ReplyLine[]): readonly Candidate[] {
  const named = lines.map(({ texts: [first = ''] }) => (first.split(/[;:]/)[0] ?? '').toLowerCase());
  const cited = new Set(lines.flatMap(({ places }) => places.map(({ source }) => source?.resource)));
  return candidates
    .filter(({ group, reference }) => group === trialGroup && !cited.has(reference))
    .filter((one) => !named.some((name) => isOneName(name, drugIn(one))));
}

// One of the names may include strength and form.
function isOneName(one: string, other: string): boolean {
  return one !== '' && (one.startsWith(other) || other.startsWith(one));
}

const trialGroup: EvidenceType = 'Prior Therapy';

/** The drug in the label of a document: `cetirizine` in `Prior therapy: cetirizine, Feb 3, 2026`. */
function drugIn({ label }: Candidate): string {
  return (/: ([^,]+)/.exec(label)?.[1] ?? label).toLowerCase();
}

/**
 * The text of a round's questions, with `mask` in place of credentials. Parts that may reveal a decision are left out.
 */
export function questionText(one: Case, round: Round, mask = ''): string {
  const shown = { hasEnded: one.state === 'ended', isOwn: round.from !== 'service' };
  const texts = round.asked
    .filter((asking) => mayBeShown(asking, shown))
    .flatMap(({ fields }) => fields.map((field) => maskedText(field, mask)));
  return [...new Set(texts)].join('\n');
}

/** `questionText`; for a question without a message, the notes of calls that ask something. */
export function askedText(one: Case, round: Round, mask = ''): string {
  const text = questionText(one, round, mask);
  if (text !== '' || one.state !== 'open') return text;
  return questionsIn(recordOf(one))
    .map((question) => question.text)
    .join('\n');
}

/** The chosen answers as one document of a reply; undefined if none is chosen. */
export function answersDocument(
  { from, day, lines }: ReplyAnswers,
  chosen: ReadonlySet<string>,
): ReplyDocument | undefined {
  const taken = lines.filter(({ key }) => chosen.has(key));
  if (taken.length === 0) return undefined;
  const answers = [...Map.groupBy(taken, ({ cell }) => cell)].map(([cell, own]) => ({
    question: cellTexts[cell].question,
    answers: own.map(({ texts, places }) => {
      const read = readPlaces(places);
      return {
        answer: texts.join('\n'),
        ...(read.length === 0
          ? {}
          : { source: payerWords.source(placesText(read), 0), resources: read.map(({ resource }) => resource) }),
      };
    }),
  }));
  const kind = from === 'chart' ? packetWords.answersNow : packetWords.answersSent;
  return { title: kind, date_created: `${day}T00:00:00.000000`, content: { kind, answers } };
}

const Answered = z.object({
  kind: z.enum([packetWords.answersNow, packetWords.answersSent]),
  answers: z.array(
    z.object({
      question: z.string(),
      answers: z.array(z.object({ answer: z.string(), source: z.string().optional() })),
    }),
  ),
});
/** A question and its answers in a document of a reply. */
export type AnsweredQuestion = z.infer<typeof Answered>['answers'][number];

/** The answers in a document of a reply; undefined for any other document. */
export function answersIn(content: unknown): readonly AnsweredQuestion[] | undefined {
  return Answered.safeParse(content).data?.answers;
}

function placesText(read: ReturnType<typeof readPlaces>): string {
  return [...new Set(read.map(placeText))].join(', ');
}
