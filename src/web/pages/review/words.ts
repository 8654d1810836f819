import { dayText } from '../../../core/fhir/time/day-text.ts';
import { capitalized, plural } from '../../ui/common-words.ts';

export const review = {
  /** The drug as written in the order, if the page's title is shorter. */
  inOrder: (words: string) => `in the order: “${words}”`,
  pageTitle: {
    'prior-auth': 'Review the prior authorization',
    enrollment: 'Review the enrollment',
    'benefit-verification': 'Review the benefit verification',
  },
  aside: 'State of this request',
  verdict: 'Can it be sent',
  /** The button below the verdict, for each next step. */
  goOn: { send: 'Review and send', sign: 'Review and hand over', signs: 'Review, sign and send', asked: 'Review' },
  next: 'Next question',
  nextHelp: 'Press F8 anywhere on this page to go to the next question.',
  sendHelp: 'Press F8 anywhere on this page to come to this button.',
  withAnswers: 'Review with answers to payer questions',
  withAnswersHelp: 'Press F9 anywhere on this page to come to this button.',
  save: 'Save',
  refresh: 'Refresh from chart',
  chartAsOf: 'Chart data as of',
  saved: 'Saved. Your entries stay when you refresh from the chart.',
  saving: 'Saving…',
  savedAt: 'Saved',
  notSaving:
    'Not saving: the server cannot be reached. Keep this page open; what you enter is saved as soon as it answers.',
  showTechnical: 'Show technical details (for IT support)',
  hideTechnical: 'Hide technical details',
  notSent: 'Not sent yet. Answer what is open below.',
  changedSinceConfirmed: 'Something changed since you confirmed. Review the request and confirm again.',
  rulesWhileOpen:
    'Nothing was sent: the rules that fill this request changed while the last page was open. Review the request and ' +
    'confirm again.',
  rulesChanged: 'The rules that fill this request have changed since somebody reviewed it.',
  sameAsDenied: 'It says the same as the denied request: add what was missing, or the payer may deny it again.',
  refreshedNothing: 'Chart refreshed. Nothing changed.',
  entryKept: ' (your entry is kept)',
  answered: 'Answered',
  answeredBy: 'Answered by',
  leftEmpty: 'left empty',
  askedAbove: 'asked above',
  fromChart: 'From the chart',
  notInChart: 'not in the chart',
  warnings: 'Warnings',
  aboutChart: 'About this chart',
  stopped: 'Cannot be sent',
  documents: 'Supporting documents',
  onlyChecked: 'Only checked items are sent. Attach what supports medical necessity, nothing more.',
  noDocuments: 'The chart has no earlier treatment, result or note that could go with the request.',
  noDocumentsRead:
    'Nothing that was read could go with the request; not all of the chart could be read. Refresh from chart, or ' +
    'attach a file.',
  cardGoes: 'The picture of the insurance card goes with the request.',
  moreDocuments: 'More from the chart',
  cannotBeSent: 'Cannot be sent',
  sentBefore: (value: string, day: string) => `${value}, as sent ${day}`,
  npiSentFor: (name: string) => `This NPI was sent for ${name} before. Check whose it is.`,
  consentUnfinished: (faults: readonly string[]) =>
    `The consent is not recorded: ${faults.join(', ')}. What you typed is kept; nothing is sent before it is complete.`,
} as const;

/** For a drug that was approved before. */
export const renewed = {
  approved: ({
    payer,
    from,
    until,
  }: {
    readonly payer?: string | undefined;
    readonly from: string;
    readonly until?: string | undefined;
  }) => {
    const by = payer === undefined || payer === '' ? '' : ` by ${payer}`;
    const days = until === undefined ? `on ${dayText(from)}` : `from ${dayText(from)} through ${dayText(until)}`;
    return `This drug was approved here${by} ${days}. The answers below know the chart only, not this approval.`;
  },
  onlyOld: (start: string) =>
    `Nothing that is attached is newer than the approval of ${dayText(start)}. Attach what shows how the patient has ` +
    'done since.',
} as const;

/** For entries that another window overwrote. */
export const replacedWords = {
  title: 'Changed in another window at the same time',
  by: (name: string) => `entered by ${name}`,
  was: 'was replaced by the later entry.',
  use: 'Put this one back',
  keep: 'Keep the later one',
  nothing: 'nothing',
  coverage: 'Coverage',
} as const;

/** `2 answers needed`, `1 answer needed, 1 to fix`. */
export function neededWords(needed: number, wrong: number): string {
  return [
    ...(needed === 0 ? [] : [plural(needed, 'answer needed', 'answers needed')]),
    ...(wrong === 0 ? [] : [`${wrong} to fix`]),
  ].join(', ');
}

export function warningWords(count: number): string {
  return plural(count, 'warning', 'warnings');
}

const readyTo = { send: 'Ready to send', sign: 'Ready to be signed' } as const;

/** The heading of the page for a draft with a signature. */
export const handedWords = {
  asked: 'Waiting for the signature',
  returned: 'Returned: correct it and hand it over again',
};

/** `Ready to send`; `Ready, with 2 warnings. No documents attached`. */
export function readyWords(warnings: number, documents: string | undefined, to: 'send' | 'sign' = 'send'): string {
  const ready = warnings === 0 ? readyTo[to] : `Ready, with ${warningWords(warnings)}`;
  return documents === undefined ? ready : `${ready}. ${capitalized(documents)}`;
}

export function attachedWords(count: number): string {
  return count === 0 ? 'no documents attached' : plural(count, 'document attached', 'documents attached');
}

/** The text beside the heading of the documents: `none attached, 3 suggested`. */
export function documentsWords(attached: number, suggested: number): string {
  const open = suggested === 0 ? '' : `, ${suggested} suggested`;
  return attached === 0 ? `none attached${open}` : `${attached} attached${open}`;
}

/** The button that selects the documents listed. */
export function attachListed(count: number): string {
  return count === 1 ? 'Attach this one' : `Attach these ${count}`;
}
