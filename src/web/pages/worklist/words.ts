import { kinds } from '../../../core/contract/kinds.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { statusWords } from '../../../service/status-words.ts';
import type { WorklistPart, WorklistRow } from '../../../store/types.ts';
import { plural } from '../../ui/common-words.ts';
import { kinds as kindWords } from '../case/words.ts';

/** All texts of the worklist, its case page and the sign-in. */

export const signInWords = {
  title: 'Sign in',
  heading: 'Prior authorization',
  fromChart: 'Open this app from a patient’s chart in your EHR.',
  orSignIn: 'To see the worklist of your practice, sign in with your EHR account.',
  signInTo: (name: string) => `Sign in: ${name}`,
} as const;

export const worklistWords = {
  title: 'Worklist',
  heading: 'Prior authorizations',
  parts: { needs: 'Needs you', payer: 'With the payer', decided: 'Decided' } satisfies Record<WorklistPart, string>,
  ending: (days: number) => `Approvals that end within ${days} days`,
  unwritten: 'Not saved to the chart',
  mine: 'Mine',
  all: 'Everyone’s',
  search: 'Name, MRN, drug, payer or request ID',
  searchHint: 'The first three letters or digits are enough, in any order.',
  find: 'Search',
  clear: 'Show all',
  none: {
    needs: 'Nothing waits for your practice.',
    payer: 'Nothing is with the payer.',
    decided: 'No decisions yet.',
    search: 'No request found. The first three letters or digits of each word are enough.',
    ending: 'No approval ends soon.',
    unwritten: 'Everything is in the charts.',
  },
  columns: { patient: 'Patient', drug: 'Drug', waits: 'Next step', status: 'Status' },
  since: 'Waiting since',
  by: 'Due',
  owner: 'Owner',
  restricted: 'Restricted chart',
  you: 'you',
  colleague: 'a colleague',
  nobody: 'unassigned',
  more: 'Next page',
  first: 'First page',
  keys: 'Keys: ↑ ↓ move, Enter open, a assign, / search',
  csv: 'Download as CSV',
  tookOver: (by: string, drug: string) => `${by} took over ${drug} from you.`,
  seen: 'OK',
  summary: (needs: string, payer: string, ending: string) =>
    `${needs} need you · ${payer} with the payer · ${ending} approvals end soon`,
} as const;

export const lineWords = {
  title: 'Request',
  back: 'Back to the worklist',
  waits: 'Next step',
  since: 'Waiting since',
  approved: 'Approved until',
  owner: 'Owner',
  assigned: 'Assigned to',
  nobody: 'Nobody',
  assign: 'Assign',
  assignTo: 'Assign to',
  takeOver: 'Take over',
  done: 'Mark as done',
  notYours:
    'Only the owner, the prescriber, the person it is assigned to, or staff with this patient’s chart open can ' +
    'assign it or take it over.',
  openChart: 'Open the patient’s chart',
  openChartHint: 'Pick this patient in your EHR. The request opens there, with everything you can do with it.',
  notes: 'Notes for colleagues',
  noNotes: 'No notes yet.',
  note: 'New note',
  noteHint: 'Only your practice sees it. It is never sent and never written to the chart.',
  addNote: 'Add note',
  history: 'What happened',
  restricted:
    'This chart is restricted. Only the owner, the prescriber, the person the request is assigned to, or staff with ' +
    'the chart open see it.',
  saved: 'Saved.',
  asks: 'The payer asks',
  asksHint: 'Open the patient’s chart to reply. The answers below are then read from the chart again.',
  asSent: (day: string) => `What the request said about it, sent ${day}`,
  notSaid: 'The request said nothing about it.',
  noText: 'What is asked is not in words here. Open the chart to see it.',
} as const;

const waits: Readonly<Record<string, string>> = {
  draft: 'Not sent yet',
  send_again: 'Did not arrive: send again',
  refused: 'Correct and send again',
  sending: 'Sending',
  unclear: 'Confirm whether it arrived',
  payer_asks: 'The payer asks',
  reply_unclear: 'Confirm whether the reply arrived',
  replying: 'Sending the reply',
  replied: 'Reply sent',
  processing: 'Being prepared',
  awaiting_review: 'Review the answers',
  awaiting_provider_response: 'Answer the payer’s question',
  awaiting_outcome: 'With the payer',
  validating_outcome: 'Checking the payer’s answer',
  approved: 'Approved',
  denied: 'Denied',
  other: 'Decide the next step',
  not_submitted: 'Not submitted',
  needs_person: 'Read the payer’s answer',
  cancelled: 'Canceled',
  completed: 'Finished',
  enrolled: 'Submitted to the program',
  pending: 'Benefits being verified',
  covered: 'Covered',
  not_covered: 'Not covered',
  unwritten: 'Not saved to the chart',
};

/** The kind of a request in a line; a word that this version does not know stays as it is. */
export function kindText(kind: string): string {
  const known = kinds.find((one) => one === kind);
  return known === undefined ? kind : kindWords[known].name;
}

/**
 * What a line waits for, in a few words: the outcome in the status table's words (`says`), or for a draft the number of
 * answers it needs.
 */
export function waitsText(
  { waits: code }: Pick<WorklistRow, 'waits'>,
  { says, needed }: { readonly says?: string; readonly needed?: number },
): string {
  if (code === 'draft' && needed !== undefined)
    return `${waits.draft}: ${needed === 0 ? 'nothing is missing' : `${plural(needed, 'answer', 'answers')} needed`}`;
  if (says !== undefined && code !== 'unwritten') return says;
  return (Object.hasOwn(waits, code) ? waits[code] : undefined) ?? statusWords('prior-auth', code).label;
}

const bad: ReadonlySet<string> = new Set([
  ...['unclear', 'reply_unclear', 'denied', 'unwritten', 'refused', 'send_again', 'needs_person', 'not_covered'],
]);

export function toneOf({ part, waits: code }: Pick<WorklistRow, 'part' | 'waits'>): 'good' | 'bad' | 'act' | 'calm' {
  if (code === 'approved' || (code === 'covered' && part === 'decided')) return 'good';
  if (part === 'needs') return bad.has(code) ? 'bad' : 'act';
  return 'calm';
}

/** The due day; empty when unknown. */
export function byText({
  part,
  waits: code,
  approvalEnd,
  until,
}: Pick<WorklistRow, 'part' | 'waits' | 'approvalEnd'> & { readonly until?: string | undefined }): string {
  if (approvalEnd !== undefined) return `Ends ${dayText(approvalEnd)}`;
  if (part !== 'needs') return '';
  if (until !== undefined && (code === 'payer_asks' || code === 'reply_unclear')) return dayText(until);
  if (code === 'unclear') return 'Today';
  return code === 'denied' ? 'See the letter' : '';
}

/** How long ago, in the largest useful unit: `20 min`, `3 hours`, `2 days`. */
export function agoText(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? '1 hour' : `${hours} hours`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day' : `${days} days`;
}
