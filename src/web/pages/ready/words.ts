import { plural } from '../../ui/common-words.ts';

/** The texts of the page on which several ready drafts are sent together. */
export const ready = {
  title: 'Ready to send',
  lead:
    'The drafts in the charts that you have open. Read each one, check its box, and send the checked ones together. ' +
    'Nothing is sent that is not checked.',
  none:
    'Nothing is ready in the charts that you have open. A draft is listed here once it was reviewed and nothing is ' +
    'missing. Open further charts in your EHR, in this browser.',
  link: 'Send several ready drafts together',
  linkOf: (count: number) => `Check and send ${plural(count, 'ready draft', 'ready drafts')} together`,
  born: 'born',
  mrn: 'MRN',
  noBirthDate: 'date of birth not in the chart',
  box: {
    send: (drug: string, patient: string) => `I have read it: send ${drug} for ${patient}`,
    sign: (drug: string, patient: string) => `I have read it: sign and send ${drug} for ${patient}`,
  },
  warnings: (count: number) => plural(count, 'warning', 'warnings'),
  alone: 'Open it alone',
  send: 'Send the checked requests',
  /** For drafts that have no checkbox here, with the reasons. */
  others: 'Not ready to be sent here',
  why: {
    incomplete: 'The chart changed since it was reviewed, and something is missing now. Review it again.',
    rules: 'The rules that fill it have changed. Review it again.',
    duplicate: 'A request for this drug is already under way. Decide on its own page.',
    closed: 'Its order cannot be opened now.',
    unsigned: 'It needs a signature first.',
  },
  needs: (count: number) => `${plural(count, 'answer', 'answers')} needed before it can be sent.`,
  unusable: (why: string) => `No request can be made for its order: ${why}. Choose another order of the chart.`,
  /** For requests that anyone sent from the open charts. */
  sentToday: 'Sent today, in the charts that you have open in this browser',
  sentBy: (name: string) => `Sent by ${name}`,
  sentAlready: (name: string) => `Not sent again: ${name} has sent it.`,
  unattested: 'Nothing was sent. Confirm the statement first.',
  noneChecked: 'Nothing was sent: no box was checked.',
  sent: 'Sent',
  left: {
    changed: 'Not sent: it changed since you read it. Read it again.',
    rules: 'Not sent: the rules that fill it have changed. Review it again.',
    signature_required: 'Not sent: it is not signed, or it changed after it was signed.',
    case_duplicate: 'Not sent: a request for this drug is already under way. Decide on its own page.',
    not_sent: 'Not sent, or without an answer. Open it to see why.',
    gone: 'Not sent: it is no longer a draft, or its chart is closed.',
  },
} as const;

export type WhyLeft = keyof typeof ready.left;
