import type { CaseKind, CaseState, LedgerEntry } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import type { RenewalWindow } from '../../../config/renewal-window.ts';
import { counted } from '../../../core/counted.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';

const theService = 'the service';

/** The name that the site configures for the service, else `the service`. */
export function serviceName({ service }: Pick<Site, 'service'>): string {
  return service.name ?? theService;
}

/** Replaces "the service" in a text with the name that the site configures. */
export function inSiteWords(text: string, site: Pick<Site, 'service'>): string {
  const name = site.service.name;
  return name === undefined ? text : text.replaceAll(/\b[Tt]he service\b/g, name);
}

/** `4 minutes`, `3 hours`, `2 days`: the largest unit that is exact enough. */
export function durationText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

interface StateWords {
  readonly label: string;
  readonly meaning: string;
}

export const states: Readonly<Record<CaseState, StateWords>> = {
  draft: { label: 'Not sent yet', meaning: 'Review the request and send it.' },
  sending: { label: 'Sending', meaning: 'The request is on its way to the service.' },
  unknown: {
    label: 'We could not confirm delivery',
    meaning: 'Check the service for this request, then say whether it arrived. We will not resend until you do.',
  },
  refused: {
    label: 'Not accepted by the service',
    meaning: 'The service did not take the request. Correct what it names and send it again.',
  },
  open: { label: 'Sent', meaning: 'The service has the request.' },
  ended: { label: 'Finished', meaning: 'Nothing more happens.' },
};

/** A draft whose order has ended in the chart. */
export const orderEnded: StateWords = {
  label: 'Order no longer active',
  meaning:
    'The order was stopped, canceled or completed in the chart, so nothing can be sent for it. Mark this draft as ' +
    'done. If the patient still needs the drug, start from the new order.',
};

/** The same draft after a person marked it as done. */
export const orderClosed: StateWords = {
  label: orderEnded.label,
  meaning: 'This draft is marked as done. If the order becomes active again, it is back under “Needs you”.',
};

export const unusable = (reason: string) => `This order cannot be used: ${reason}.`;
export const closeDraft = 'In the worklist, mark the draft for it as done.';

/** The service's platform shows no enrollments, so these texts name the support program instead. */
export const enrollmentStates: Partial<Record<CaseState, StateWords>> = {
  unknown: {
    label: 'We could not confirm delivery',
    meaning:
      'Ask the support program whether it has the enrollment, then say whether it arrived. We will not resend until ' +
      'you do.',
  },
  ended: {
    label: 'Submitted to the program',
    meaning: 'The program has the enrollment and contacts the patient or the clinic.',
  },
};

/** States of an open request with a question from the payer. */
export const askedStates = {
  asked: { label: 'The payer asks', meaning: 'Read the question and reply to it.', tone: 'act' },
  printed: {
    label: 'The reply is ready to send',
    meaning: 'Print and fax it, or send it another way. Then say that you sent it.',
    tone: 'act',
  },
  unsigned: {
    label: 'Waiting: signature on the reply',
    meaning: 'Nothing is sent before the reply is signed. A new reply takes its place.',
    tone: 'act',
  },
  unclear: {
    label: 'We could not confirm the reply',
    meaning: 'Check the service for your reply, then say whether it arrived. We will not send it again until you do.',
    tone: 'act',
  },
  replying: { label: 'Sending your reply', meaning: 'The reply is on its way to the service.', tone: 'calm' },
  answered: { label: 'Reply sent', meaning: 'The payer has what it asked for. Nothing to do now.', tone: 'calm' },
} as const;

/** For a question without a message. */
export const askedThere = 'Answer it in the service, or print and fax a reply.';

export const approval = {
  through: (day: string) => `Approved through ${day}`,
  ended: (day: string) => `Approval ended ${day}`,
  fill: 'The pharmacy can fill it.',
  renew: (from: string, until: string) => `The renewal can be sent from ${from} until ${until}.`,
  renewOpen: (until: string) => `The renewal can be sent now, until ${until}.`,
  startRenewal: 'Start the renewal',
  renewNow: 'Send a new request if the patient still takes the drug.',
  noEnd: {
    here: 'The payer gave no end date. Look for one in the letter.',
    chart: 'The payer gave no end date. Open the patient’s chart to look for one in the letter.',
  },
  starts: (day: string) => `Valid from ${day}.`,
  notAsOrdered: (label: string) => `${label}, not as ordered`,
  otherwise: 'The payer approved something else than was ordered. Tell the prescriber and the pharmacy.',
  fromLetter: 'Entered from the payer’s letter.',
  datesFromLetter: 'Dates entered from the payer’s letter.',
  fromRecord: (service: string) => `From the record of ${service}. Check the payer’s letter.`,
  enter: 'The letter says something else',
  enterHint:
    'Enter the authorization number, and what differs from the order or from the dates above. Leave the rest empty.',
  terms: {
    quantity: 'Quantity approved',
    days: 'Days of supply approved',
    strength: 'Strength approved',
    from: 'Approved from',
    until: 'Approved through',
    number: 'Authorization number',
  },
  save: 'Save what was approved',
} as const;

/** When a renewal can be sent, as seen from `today` (YYYY-MM-DD). */
export function renewalText({ from, until }: RenewalWindow, today: string): string {
  return from <= today ? approval.renewOpen(dayText(until)) : approval.renew(dayText(from), dayText(until));
}

export const asked = {
  heading: 'What is asked',
  private: 'For the office. Do not tell the patient: nothing is decided.',
  since: 'Asked',
  closed: (service: string) => `What is asked is shown in ${service}.`,
  review: (service: string) => `Review in ${service}`,
  answer: (service: string) => `Answer in ${service}`,
} as const;

/** The step that fits a denial's reason: a new request with what was missing, an exception, or an appeal. */
export type DenialWay = 'again' | 'exception' | 'appeal';

export const denial = {
  openStarted: 'Open the new request',
  reason: 'Payer’s reason',
  noReason: {
    here: 'None came with the decision. See the payer’s letter.',
    chart: 'None came with the decision. Open the patient’s chart to see the payer’s letter.',
  },
  serviceReason: (service: string) => `Reason given by ${service}`,
  why: 'Why it was denied and what you can do',
  suggested: 'Suggested',
  ways: {
    again: 'Send again with what was missing',
    exception: 'Ask for an exception',
    appeal: 'Appeal the decision',
  } satisfies Record<DenialWay, string>,
  deadline: 'Appeal deadline',
  seeLetter: {
    here: 'See the letter for the deadline.',
    chart: 'Open the patient’s chart to see the letter with the deadline.',
  },
  fromLetter: (by: string | undefined) => `entered from the letter${by === undefined ? '' : ` by ${by}`}`,
  fromTable: (days: number, source: string) => `${days} days after the decision arrived here. Source: ${source}`,
  letterCounts: 'The letter counts: enter its date when you have it.',
  enter: 'Appeal deadline in the letter',
  byDays: 'The letter gives a number of days',
  days: 'Days to appeal',
  daysFrom: 'Counted from (date of the letter)',
  save: 'Save the deadline',
  passed: 'This day has passed.',
} as const;

export const follow = {
  by: 'Followed by a new request',
  after: 'Follows an earlier request',
  byCanceled: 'The new request was canceled',
  afterCanceled: 'Sent after an earlier request, which counts again',
  meaning: 'A new request was sent in its place.',
} as const;

export const steps = {
  name: 'Where the request is',
  sent: 'Sent',
  prepared: 'Prepared',
  payer: 'With the payer',
  decided: 'Decided',
  canceled: 'Canceled',
  notSubmitted: 'Not sent to the payer',
  stopped: 'Ended without a decision',
  program: 'With the program',
  plan: 'With the plan',
  answered: 'Answered',
  since: 'since',
  now: 'now',
  later: 'not yet',
  skipped: 'not reached',
} as const;

export const timeline = {
  heading: 'What happened',
  details: (count: number) => counted(count, 'more entry', 'more entries'),
  lasted: (duration: string) => `for ${duration}`,
  by: 'by',
  activities: {
    sent_fax: 'Fax sent to the payer',
    received_fax: 'Fax received from the payer',
    follow_up_call: 'Call to the payer',
  } as Readonly<Record<string, string>>,
  otherActivity: 'Activity at the service',
} as const;

export const chart = {
  heading: 'Documents and chart',
  nothingYet: 'Saved to chart: nothing yet.',
  nothingWritten: (ehr: string | undefined) =>
    ehr === undefined
      ? 'This clinic has nothing saved to the chart: open the documents here and file them by hand.'
      : `${ehr} lets no app save this to the chart: open the documents here and file them by hand.`,
  beforeSending: 'Nothing is saved to the chart before the request is sent.',
  things: {
    task: 'Task in the chart',
    document: 'Summary',
    determination: 'Payer’s letter',
    communication: 'Message in the chart',
    'closing-task': 'Task that tells the end',
    provenance: 'Provenance',
    double: 'Second copy',
  } satisfies Record<LedgerEntry['what'], string>,
  writes: {
    planned: 'will be saved',
    in_flight: 'being saved',
    done: 'in the chart',
    unknown: 'being checked',
    stored: 'in the chart',
    failed: 'could not be saved',
    waiting: 'saved when this app is opened from the chart',
    skipped: 'not possible in this EHR',
    retracted: 'marked as entered in error',
  } satisfies Record<LedgerEntry['state'], string>,
  open: 'Open',
  pdf: 'PDF',
  keptHere: 'not in the chart',
  wrong: 'This document is wrong',
  missingLetter: 'The payer’s letter is not in the chart',
  stoppedTrying: 'It could not be fetched. This app stopped trying',
  fetchOrFile: 'Choose “Fetch again” to try once more, or file the letter by hand.',
  lastAnswer: 'Last answer:',
  fetchAgain: 'Fetch again',
  notSaved: 'Not saved to the chart',
  notSavedNext: 'Save it again. If it keeps failing, file it by hand and contact your IT support.',
  saveAgain: 'Save to the chart again',
  saving: 'Saving to the chart…',
} as const;

export const actions = {
  heading: 'Next',
  aside: 'Actions',
  nothing: 'Nothing to do now.',
  updates: 'Check for updates',
  openService: (service: string) => `Open in ${service}`,
  newWindow: ' (new window)',
  again: 'New request for this drug',
  correct: 'Correct and send again',
  orders: 'All orders',
  print: 'Print or save as PDF',
  fax: 'Form to fax to the plan',
  pharmacyNotice: 'Notice for the pharmacy',
  patientNotice: 'Notice for the patient',
  cancel: 'Cancel this request',
  cancelReason: 'Reason',
  choose: 'Choose…',
  reasons: [
    'The drug was changed or stopped',
    'The patient’s insurance changed',
    'Sent by mistake',
    'Handled another way',
  ],
  arrivedHeading: 'Did the request arrive?',
  serviceId: (service: string) => `Request ID in ${service}`,
  arrived: 'Yes, it is there',
  notArrived: 'No, it is not there',
  waitsFor: 'Waiting for',
  sent: 'Sent',
  requestId: 'Request ID',
  furtherId: 'Further request',
  updated: 'Last updated',
  work: 'Effort',
  problem: 'Problem',
  written: 'what was written to the chart',
  ehrSays: (words: string) => `The EHR says: “${words}”`,
  outcomeCode: 'Code of the answer',
} as const;

export const sent = {
  heading: 'What was sent',
  counts: (values: number, documents: number) =>
    `${counted(values, 'value')}, ${documents === 0 ? 'no documents' : counted(documents, 'document')}`,
  copy: 'Download the copy (JSON)',
  hash: 'For IT support, SHA-256 of the copy',
  rules: 'Filled by',
  consent: 'Consent, not part of the request',
  recordedBy: 'recorded by',
} as const;

export const kinds: Readonly<Record<CaseKind, { readonly name: string; readonly sentence: string }>> = {
  'prior-auth': { name: 'Prior authorization', sentence: 'prior authorization' },
  enrollment: { name: 'Enrollment', sentence: 'enrollment' },
  'benefit-verification': { name: 'Benefit verification', sentence: 'benefit verification' },
};

export const benefits = {
  reason: 'Reason given by the service',
  startPa: 'Start the prior authorization',
  again: 'Verify again',
  verify: 'Verify benefits',
  see: 'See the benefits',
  isNoPromise: 'What the plan said when it was asked. It is no decision on a claim and no promise of payment.',
} as const;

export const again = {
  leads: {
    again: 'Nothing is sent from this page.',
    exception: 'Nothing is sent from this page. Say why the patient needs the exception.',
    appeal: 'Nothing is sent from this page. Attach the appeal letter to the new request.',
  } satisfies Record<DenialWay, string>,
  has: 'What the chart has for it',
  notInChart: 'The chart does not say.',
  onlyYou: 'Only a person can say.',
  noMatch: 'The reason does not say which information is missing. Read the letter.',
  earlier: 'Why the earlier request was denied',
  carried: 'What is carried over',
  entries: (count: number) => `${counted(count, 'entry', 'entries')} made by clinic staff`,
  documents: (count: number) => `${counted(count, 'document')} attached before, read again from the chart`,
  typed: (count: number) => `${counted(count, 'answer')} typed by clinic staff`,
  suggested: 'Not attached last time',
  suggestedHint: 'Suggested for this drug. What is checked is attached to the new request; uncheck what should not go.',
  nothing: 'Nothing was entered or attached in the earlier request. Everything comes from the chart.',
  dropped: 'Not carried over',
  aDocument: 'A document',
  gone: 'is no longer in the chart, or no longer offered for this order',
  notRead: 'could not be read from the chart now',
  sensitive: 'is marked sensitive now; attach it on the next page if it must go',
  answeredNow: (question: string) => `${question} The chart has an answer now. The new request offers what was typed.`,
  coverage: 'The insurance that was chosen is no longer in the chart. Choose again.',
  coverageNotRead: 'The insurance that was chosen could not be read from the chart now. Choose again.',
  changed: 'What changed since the earlier request',
  unchanged: 'Every value is as it was: the payer may deny it again. Add what was missing on the next page.',
  reason: 'Why the patient needs the exception',
  reasonGoes: 'It is sent under “What is new”. You can change it on the next page.',
  reasonGoesWithAnswers:
    'It is sent under your name, with the answers to payer questions. You can change both on the next page.',
  was: 'was',
  is: 'now',
  none: 'nothing',
  go: 'Continue to the new request',
  back: 'Back to the denied request',
  draftExists: 'A new request for this order has been started already. It stays as it is.',
} as const;

export const wrongLetter = {
  title: 'Wrong letter',
  heading: 'Is this letter wrong?',
  what:
    'It will be marked as entered in error in the EHR and is not saved again; only a later decision has a new ' +
    'letter. Where the EHR does not let this app mark it, the page of the request says so. The request and its ' +
    'decision stay as they are. This cannot be undone here.',
  go: (name: string) => `Mark as entered in error for ${name}`,
  back: 'Go back',
  savedOn: 'saved to the chart',
} as const;

export const ended = {
  page: 'Signed out',
  heading: 'You are signed out.',
  all: 'Every chart and worklist that you had open in this browser is closed.',
  text: 'Sent requests keep running. Open this app from the patient’s chart to see them.',
  waits: 'Decisions that arrive later are saved to the chart the next time this app is opened for this patient.',
  close: 'You can close this window.',
} as const;

export const problem = {
  page: 'Problem',
  tryAgain: 'Try again',
  ownWindow: 'Open in a new window',
  toCase: 'Open this request',
  toOrders: 'All orders of this patient',
  toReview: 'Back to the request',
  reference: 'Error reference',
} as const;

export const away = 'The server cannot be reached. This page may be out of date; it goes on by itself.';

export const print = {
  copy: {
    'prior-auth': 'Prior authorization request',
    enrollment: 'Enrollment in a support program',
    'benefit-verification': 'Benefit verification request',
  } satisfies Record<CaseKind, string>,
  fax: 'Prior authorization request form',
  to: 'To',
  plan: 'Plan or PBM',
  planFax: 'Plan fax',
  from: 'From',
  phone: 'Phone',
  faxNumber: 'Fax',
  date: 'Date',
  patient: 'Patient',
  drug: 'Drug',
  approved: 'Approved by',
  approvedBy: (name: string, at: string) => `${name}, ${at}`,
  approvedNote: 'The approval is recorded by name and time. It is not a legal signature.',
  name: 'Name',
  address: 'Address',
  pages: 'Number of pages',
  npi: 'NPI',
  urgency: 'Request type (the prescriber marks one)',
  standard: 'Standard',
  expedited:
    'Expedited: waiting for a standard decision could seriously harm the patient’s life, health or ability to function',
  sign: 'Prescriber’s signature',
  signDate: 'Date signed',
  notInRequest: 'not in the request',
  drugChanged: 'The clinic requested another drug than the order names.',
  documents: 'Supporting documents',
  noDocuments: 'None attached.',
  cardImages: (count: number) => `${counted(count, 'image')} of the insurance card went with the request.`,
  sentLine: (sent: string, id: string | undefined, service: string) =>
    `Sent ${sent} to ${service}${id === undefined ? '' : `, request ID ${id}`}.`,
  support: (hash: string, prescriber: string | undefined, records: readonly string[]) =>
    `For IT support: ${prescriber === undefined ? '' : `prescriber ${prescriber}; `}` +
    `${records.length === 0 ? '' : `records ${records.join(', ')}; `}SHA-256 of what was sent ${hash}`,
  cardAlt: 'Insurance card',
  cardUnreadable: 'This image of the insurance card cannot be printed. Attach a copy of the card.',
  confidential:
    'Confidential: this fax contains health information that is protected by law. If you received it by mistake, ' +
    'call the sender and destroy it.',
  notSigned: 'This form is filled from the request. It is not signed: check it, sign it and fax it.',
  page: (number: number, of: number) => `Page ${number} of ${of}`,
} as const;

const signedForm = 'Signed form';

export const consent = {
  legend: 'Patient’s consent',
  first: 'Record the patient’s consent first: who gave it, when and how.',
  wording: 'What the patient agrees to',
  standard: (clinic: string, program: string) =>
    `I allow ${clinic} to give ${program} my name, date of birth, address, phone and email, my insurance, and my ` +
    'prescription, so that it can enroll me in its support program and contact me about it. I can take this back at ' +
    'any time.',
  by: 'Given by',
  byHint: 'The patient or their legal representative',
  on: 'On',
  byPatient: (name: string) => `Given by ${name}`,
  today: 'Given today',
  noScan: 'No scan of the signed form is attached here.',
  how: 'Recorded as',
  signedForm,
  ways: [signedForm, 'Verbal, in person', 'Verbal, by phone', 'Patient portal'],
  recorded: (who: string) => `Recorded by ${who}`,
  choose: 'Choose…',
  noProgram: 'Choose the program first. What the patient agrees to depends on it.',
} as const;

const nextSteps: Readonly<Record<string, string>> = {
  appeal: 'appeal the decision',
  alternative: 'choose another drug',
  resubmit: 'send a new request with what was missing',
};

const appealElsewhere =
  'appeal the decision. This app cannot send an appeal: follow the payer’s letter (fax, mail or phone).';

/** The service's advice after a denial; an unknown code is shown unchanged. */
export function nextStepText(word: string, takesAppeals: boolean): string {
  const step = word.toLowerCase();
  if (step === 'appeal' && !takesAppeals) return appealElsewhere;
  return nextSteps[step] ?? word.replaceAll('_', ' ');
}
