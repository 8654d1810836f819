import type { Remark } from '../../core/answers/answer-text.ts';
import type { Cost, CriterionVerdict } from '../../core/answers/criteria/judge.ts';
import type { CriterionRow } from '../../core/answers/criteria/words.ts';
import { type CellName, personCells } from '../../core/contract/answers-sheet.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { plural } from '../ui/common-words.ts';

export const payerWords = {
  title: 'Payer questions',
  answered: (count: number, of: number) => `${count} of ${of} answered`,
  send: 'Send these answers with the request',
  why: 'Payers ask these questions about most drugs. No answer is sent unless this box is checked.',
  goes: (lines: number, said: number) => `${plural(lines + said, 'answer is sent', 'answers are sent')}`,
  stays: 'not sent',
  unchecked: (count: number) => `${count} not checked`,
  missing: (count: number) => `${count} not in the chart`,
  showAll: 'Show the answers',
  reading: 'Reading the answers from the chart…',
  shown: 'the answers',
  fromChart: 'From the chart',
  onlyChecked: 'Uncheck what should not be sent.',
  sensitive: (category: string) => `Sensitive (${category}). Sent only if you check it.`,
  old: 'Older than your clinic’s limit for this result, or its day is not known. Sent only if you check it.',
  contradicted: 'Look at its dates first. Sent only if you check it.',
  changed: (labels: readonly string[]) =>
    `The request was changed from the chart (${labels.join('; ')}), and this answer says what the chart says. Sent ` +
    'only if you check it.',
  leftByChange: (questions: readonly string[]) =>
    `Not sent, because the request was changed from the chart there: ${questions.join(' ')}`,
  remark: ({ text, judges }: Remark) =>
    `${text.charAt(0).toUpperCase()}${text.slice(1)}. ${
      judges === undefined
        ? 'Only you see this; it is not sent.'
        : `“${judges}” is part of the answer and goes with it. Only you see this reason; it is not sent.`
    }`,
  source: (first: string, others: number) =>
    `From the ${first}${others === 0 ? '' : ` and ${plural(others, 'more place', 'more places')}`}`,
  calculated: 'Calculated from the chart',
  notInChart: 'Not in the chart',
  notInChartHint: 'You can answer these yourself. What you type is sent under your name.',
  tests: 'Results that payers often ask for with this drug, not in the chart',
  lookFor: 'Look in',
  person: 'Only you can say',
  personHint: 'Nothing is filled in here for you. What you type is sent under your name, with the answers.',
  notSentYet: 'Kept, and not sent until you check “Send these answers with the request”.',
  statedBy: (by: string, at: string) => `Stated by ${by}, ${dayText(at)}`,
  earlier: (by: string, at: string) => `${by} stated on ${dayText(at)} for this drug:`,
  use: 'Use this text',
  carried:
    'Your last request for this drug had answers, so the checked answers of the chart are sent again. They were read ' +
    'from it again.',
  offered: 'Typed for an earlier request',
  offeredHint: 'What was typed then is sent only if you take it below.',
  typedBefore: (count: number) => `${count} typed for an earlier request`,
  carriedOver: 'Carried over from an earlier request.',
  leftOut: 'None. The answers are not sent.',
  trials: 'Other drugs tried',
  trialDrug: 'Drug',
  trialTaken: 'When and how long',
  trialEnded: 'How it ended',
  askedBefore: 'This payer asked about this drug before',
  askedBeforeHint: 'Colleagues at your site kept these questions. Answering them now may save a question later.',
  keptBy: (by: string, at: string) => `Kept by ${by}, ${dayText(at)}`,
  question: 'Question',
  answer: 'Answer',
} as const;

/** The cells that can be answered from a chart. */
export const chartCells = (names: readonly CellName[]) => names.filter((name) => !personCells.includes(name));

/** Where staff may find an answer that the chart does not have. */
export const placesToLook: Readonly<Partial<Record<CellName, string>>> = {
  therapy: 'the medication list, fill history or infusion record',
  diagnosis: 'the order’s reason, or choose it under Diagnoses',
  severity: 'the specialist’s last note: a score, stage or grade with its date',
  trials: 'the medication history, the pharmacy’s records, or records from earlier doctors',
  intolerance: 'the allergy list and notes on why drugs were stopped',
  response: 'visit notes: the same measure before the first dose and at the last visit',
  tests: 'lab results, also from other labs',
  patient: 'the last visit’s vital signs',
  specialty: 'the prescriber’s record',
  dose: 'the order',
  concurrent: 'the medication list; if there is none, say so yourself',
  place: 'the order and the patient’s pharmacy',
};

export const criteriaWords = {
  title: 'This payer’s criteria, as your clinic read them',
  hint: 'They are a help for you and never stop the request. Nobody here knows what the payer will decide.',
  all: (count: number) => `All ${count} are met by what the chart shows.`,
  list: (count: number) => plural(count, 'criterion', 'criteria'),
  others: (count: number) => plural(count, 'more criterion', 'more criteria'),
  verdict: { met: 'Met', 'not met': 'Not met', unknown: 'Not known' } satisfies Readonly<
    Record<CriterionVerdict, string>
  >,
  cost: {
    'a person says it': 'You can say it.',
    'somewhere in the chart': 'It may stand in the chart.',
    'a record from elsewhere': 'A record from another clinic or pharmacy may show it.',
    'a new test': 'It takes a new test.',
  } satisfies Readonly<Record<Cost, string>>,
  source: ({ source, edition, readOn, readBy }: CriterionRow) =>
    [
      source ?? 'source not stated',
      edition === undefined ? undefined : `edition ${edition}`,
      readOn === undefined ? undefined : `read ${dayText(readOn)}`,
      readBy === undefined ? undefined : `by ${readBy}`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
} as const;
