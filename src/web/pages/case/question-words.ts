import { counted } from '../../../core/counted.ts';

/** The texts about a payer's question: on the page of its request, for its reply, and on prints. */

function replyOf(by: string | undefined): string {
  return by === undefined ? 'Your reply' : `The reply of ${by}`;
}

export const questionWords = {
  heading: (number: number, of: number) =>
    of > 1 ? `What the payer asks (${number} of ${of})` : 'What the payer asks',
  before: 'Earlier questions',
  overCount: (count: number) => (count === 1 ? 'one, with what was answered' : `${count}, with what was answered`),
  by: 'Answer by',
  noDeadline: 'No deadline is stated.',
  asked: 'Asked',
  notedBy: 'noted by',
  channels: {
    fax: 'by fax',
    direct: 'by direct message',
    direct_message: 'by direct message',
    phone: 'by phone',
    portal: 'on a website',
    mail: 'by mail',
  } as Readonly<Record<string, string>>,
  states: {
    expired: 'expired; it may come again',
    failed: 'not delivered; it may come again',
  } as Readonly<Record<string, string>>,
  hidden: '••••••',
  hiddenNote: 'Passwords, codes and keys are hidden.',
  reveal: 'Show them',
  revealed: 'The question with its passwords and codes',
  revealedNote: 'That you looked is in the audit trail. Close this page when you are done.',
  unsigned: 'The text of this message was not signed. Check it in the service before you follow an address in it.',
  held: (service: string) =>
    `A message came that may tell a decision. It is shown once the request has ended; ${service} has it now.`,
  noText: (service: string) => `What is asked is shown in ${service}.`,
  whole: 'the whole question',
  files: 'Files',
  fileDue: 'being fetched',
  fileGone: (service: string) => `could not be fetched; look in ${service}`,
  answers: 'From the chart, for this question',
  answersGo: 'Checked lines go with your reply. Uncheck what should not be sent.',
  answersChoose: 'Check what should go with your reply.',
  asSent: (day: string) =>
    `The chart cannot be read now. These are the answers as they were sent on ${day}; the payer has them already.`,
  noneSent: 'The chart cannot be read now, and no answers were sent with the request.',
  openChart: 'Open the patient’s chart to read it again',
  openChartHint: 'To read it again, open this patient in your EHR and start this app there.',
  noMatch: 'The words of the question do not tell which answers it is about. Choose from all of them.',
  otherAnswers: (count: number) => `${counted(count, 'other answer')} of the chart`,
  allAnswers: (count: number) => `All ${counted(count, 'answer')} of the chart`,
  noAnswers: 'The chart answers nothing that payers ask about this drug.',
  notInChart: 'Not in the chart.',
  /** Names of what a question asks for, shown before `notInChart`. */
  named: (names: readonly string[]) => `${names.join(', ')}:`,
  lookIn: (place: string) => `Look in ${place}.`,
  onlyYou: 'Only you can say. Write it in your reply.',
  twoWays: 'Two ways to answer',
  onPaper: 'Or print and fax a reply',
  onPaperHow: 'Choose the answers and documents, make the reply to print, fax it, then say that you sent it.',
  reply: 'Your reply',
  notTaken: 'Your reply was not sent',
  typed: 'What you wrote',
  copyTyped: 'It is not kept here. Copy it if you need it elsewhere.',
  documents: 'Documents from the chart',
  documentsCount: (count: number) => `${counted(count, 'document')} to choose from`,
  noDocuments: 'The chart offers no documents now. You can reply in words.',
  sensitive: (what: string) => `sensitive: ${what}`,
  all: 'This is all: close the payer’s question',
  noAll: (service: string) =>
    `The question stays open after your reply until ${service} closes it. Your IT support can turn on closing it here.`,
  send: 'Send the reply',
  make: 'Make the reply to print',
  close: 'Close without a reply',
  states_of_reply: {
    queued: 'waits to be sent',
    leaving: 'is being sent',
    accepted: 'has reached the service',
    unclear: 'was sent; no confirmation received',
    not_arrived: 'did not arrive',
    refused: 'was refused',
    not_sent: 'was not sent',
    printed: 'is ready to print',
    unsigned: 'waits for a signature',
    returned: 'was returned by the signer',
    sent: 'was sent by hand',
  } as Readonly<Record<string, string>>,
  /** Shown at the top of the page after a reply. `by` is absent if the reader is the author. */
  said: {
    queued: (by?: string) => `${replyOf(by)} is being sent.`,
    leaving: (by?: string) => `${replyOf(by)} is being sent.`,
    accepted: (by?: string) => `${replyOf(by)} was sent.`,
    sent: (by?: string) => `${replyOf(by)} is recorded as sent by hand.`,
    unsigned: (by?: string) => `${replyOf(by)} was handed over to be signed.`,
  } as Readonly<Record<string, (by?: string) => string>>,
  otherState: (state: string) => `is in a state that this version of the app does not know: “${state}”`,
  replyOf: (by: string) => `Reply of ${by}`,
  enclosed: 'With',
  unclearHeading: 'Did the reply arrive?',
  unclearHelp: (service: string) => `Look in ${service}. This app does not send it a second time by itself.`,
  arrived: 'Yes, it is there',
  notArrived: 'No, it is not there',
  packet: 'Open the reply to print (PDF)',
  sentHow: 'Sent by',
  ways: { fax: 'Fax', portal: 'The payer’s website', phone: 'Phone', mail: 'Mail' } as Readonly<Record<string, string>>,
  sentOn: 'On',
  noteSent: 'I sent it',
  keep: 'Keep for next time',
  kept: 'Kept for next time. Change or remove it',
  unknown: 'This question is in a state that this version of the app does not know. It is kept as it is.',
  news: 'The payer’s questions have changed. Reload the page to see them. What you are writing is not sent yet.',
  ended: {
    all: 'Answered',
    closed: 'Closed without a reply',
    service: 'Closed by the service',
    decided: 'Closed: the request has ended',
  } as Readonly<Record<string, string>>,
  endedOther: 'Closed',
  faxCame: 'A fax came from the payer',
  faxHelp: (service: string) => `Look at it in ${service} first. If it asks you something, open it here as a question.`,
  faxOpen: 'The fax is a question',
  noted: 'The payer asked something',
  back: 'Back to the request',
} as const;

export const noteWords = {
  title: 'The payer asked something',
  lead: 'By phone, fax, mail or on a website. You can then reply from here, with documents of the chart.',
  text: 'What is asked',
  textHint: 'As the payer put it. Or attach a scan of the letter.',
  until: 'Answer by, if the payer named a day',
  how: 'How it came',
  choose: 'Choose…',
  file: 'Scan of the fax or letter (PDF or picture)',
  save: 'Save the question',
  empty: 'Write what is asked, or choose a file.',
  badDate: 'Enter the day as a date.',
  badFile: 'This file cannot be read. Choose a PDF or a picture.',
  tooLarge: 'This file is larger than 15 MB. Scan it with a lower resolution.',
} as const;

export const keepWords = {
  title: 'Keep this question for next time',
  lead: (drug: string, payer: string) =>
    `The next time somebody at your site asks ${payer} for ${drug}, for any patient, they see this question before ` +
    'they send the request, with what the chart then says about it.',
  payer: 'this payer',
  what: 'Only the text below is kept, and which answers it is about. Nothing of this patient’s answers is kept.',
  names: 'Read it first. Take out names, dates of birth, numbers, addresses and everything about this patient.',
  removed: 'Passwords, and the patient’s name, birth date and record number, are replaced by “…” already.',
  until: 'It is removed when this request is removed or the patient is erased. Other sites never see it.',
  text: 'The question, without names',
  read: 'I have read it. It names nobody.',
  save: 'Keep it',
  remove: 'Remove it',
  unread: 'Read the text and check the box first.',
  empty: 'Write the question.',
} as const;

/** Files from the person's computer that are sent with a reply. */
export const replyFileWords = {
  summary: 'Attach files from your computer',
  file: (pictures: boolean) =>
    `Files (PDF, ${pictures ? 'JPEG or PNG picture, ' : ''}RTF, HTML or text), at most 15 MB together`,
  title: 'Title of the files',
  date: 'Date of the files',
  noTitle: 'Say what the files are.',
  noDate: 'Enter the day of the files, today or earlier.',
  tooMany: 'A reply takes at most 10 files. Combine some of them into one PDF.',
  refusedPicture: (isHeavy: boolean) =>
    isHeavy ? 'This picture is too large. Save it smaller.' : 'This picture cannot be read. Save it again as JPEG.',
  tooLarge: 'The files are larger than 15 MB together, so nothing was sent. Choose fewer or smaller files.',
  again: 'Then choose the files again.',
} as const;

/** Errors for items that a person chose for a reply and that no longer exist or changed. */
export const replyGone = {
  file: (title: string) =>
    `“${title}” cannot be printed: it is locked, damaged or too large. Uncheck it and send it separately.`,
  document: 'A document you chose is no longer in the chart. Look at the list again.',
  answer: 'An answer you checked reads differently in the chart now. Look at the answers again.',
} as const;

export const packetWords = {
  answersNow: 'Answers from the chart',
  answersSent: 'Answers as sent with the request',
  title: 'Reply to the payer',
  cover: 'Prior authorization: additional information',
  to: 'To',
  toFax: 'Fax',
  from: 'From',
  date: 'Date',
  about: 'About',
  drug: 'Drug',
  memberId: 'Member ID',
  requestId: (service: string) => `Request ID in ${service}`,
  question: 'What was asked',
  noQuestion: 'See the payer’s own message.',
  answer: 'Our reply',
  noAnswer: 'See the enclosed documents.',
  enclosures: 'Enclosed',
  onPage: (page: number) => `page ${page}`,
  noEnclosures: 'Nothing is enclosed.',
  enclosure: (number: number, of: number) => `Enclosure ${number} of ${of}`,
  pageOfFile: (number: number, of: number) => ` (page ${number} of ${of})`,
  badPicture: 'The picture cannot be printed. Send it separately.',
  scan: 'a scan or picture, which nobody has read: look at it before you send it',
  separately: 'separately',
  leftOut: (title: string, why: string) => `${title}. It could not be added here: ${why}. Send it separately.`,
  tooLarge: 'the file is too large',
} as const;
