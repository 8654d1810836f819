import type { Site } from '../../../config/config.ts';
import { type RenewalWindow, renewalWindow, rowOfPayer } from '../../../config/renewal-window.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { dayAfter } from '../../../core/fhir/time/calendar-days.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { statusWords } from '../../../service/status-words.ts';
import type { WorklistLine, WorklistPart, WorklistRow } from '../../../store/types.ts';
import { plural } from '../../ui/common-words.ts';
import type { CaseFileName } from '../case/case-files.ts';
import { kinds as kindWords, orderEnded } from '../case/words.ts';
import { replyWaitingFor, waitingFor } from '../sign/words.ts';
import { type ListShown, mostViews } from './worklist-asked.ts';

export const signInWords = {
  title: 'Sign in',
  heading: 'Prior authorization',
  fromChart: 'Open this app from a patient’s chart in your EHR.',
  orSignIn: 'To see the worklist of your practice, sign in with your EHR account.',
  signInTo: (name: string) => `Sign in: ${name}`,
} as const;

const didLeft = {
  assign: (left: number) => `${left} not assigned: you may not act on ${left === 1 ? 'it' : 'them'}.`,
  close: (left: number) => `${left} not marked: not finished, or you may not act on ${left === 1 ? 'it' : 'them'}.`,
};

export const worklistWords = {
  title: 'Worklist',
  heading: 'Prior authorizations',
  parts: { needs: 'Needs you', payer: 'Waiting on others', decided: 'Decided' } satisfies Record<WorklistPart, string>,
  ending: (days: number) => `Approvals that end within ${days} days`,
  unwritten: 'Not saved to the chart',
  mine: 'Mine',
  all: 'Everyone’s',
  people: 'Needs you, by person',
  /** `rest` distinguishes the line from others with the same drug and patient. */
  select: (drug: string, patient: string, rest: readonly string[]) =>
    `Select ${drug} for ${patient}: ${rest.filter((one) => one !== '').join(', ')}`,
  selectAll: 'Select all',
  assignTo: 'Assign to…',
  toSign: 'Waiting for your signature',
  sign: 'Sign',
  unassign: 'Nobody',
  noColleagues: 'Nobody has signed in yet.',
  close: 'Mark as done',
  closeHint: 'Marks finished requests, and drafts whose order is no longer active. Requests under way stay.',
  together: 'With the selected requests',
  noneSelected: 'Select at least one request first.',
  did: (did: 'assign' | 'close', done: number, left: number, to: string) =>
    [
      `${plural(done, 'request', 'requests')} ${did === 'assign' ? `assigned to ${to}` : 'marked as done'}.`,
      ...(left === 0 ? [] : [didLeft[did](left)]),
    ].join(' '),
  sendAgain: 'Send again',
  views: 'Saved views',
  saveView: 'Save this view…',
  viewName: 'Name of the view',
  viewHint: 'Only you see it. Leave out names of patients.',
  save: 'Save',
  removeView: 'Remove this view',
  viewSaid: {
    saved: 'View saved.',
    removed: 'View removed.',
    full: `You have ${mostViews} saved views. Remove one first.`,
    unnamed: 'Enter a name for the view.',
  } satisfies Record<NonNullable<ListShown['view']>, string>,
  search: 'Name, MRN, member ID, drug, payer, prescriber or request ID',
  searchHint: 'The first three letters or digits are enough, in any order.',
  find: 'Search',
  clear: 'Show all',
  none: {
    needs: 'Nothing waits for your practice.',
    payer: 'Nothing waits on others.',
    decided: 'No decisions yet.',
    search: 'No request found. The first three letters or digits of each word are enough.',
    ending: 'No approval ends soon.',
    unwritten: 'Everything is in the charts.',
    sign: 'Nothing waits for your signature.',
  },
  columns: { patient: 'Patient', drug: 'Drug', waits: 'Next step', status: 'Status' },
  since: 'Waiting',
  decided: 'Decided',
  by: 'Due',
  owner: 'Owner',
  restricted: 'Restricted chart',
  you: 'you',
  colleague: 'a colleague',
  nobody: 'unassigned',
  noOwner: 'nobody',
  more: 'Next page',
  first: 'First page',
  keys: 'Keys: arrows move, Enter opens, a assigns, / searches',
  csv: 'Download as CSV',
  tookOver: (by: string, drug: string) => `${by} took over ${drug} from you.`,
  seen: 'OK',
  seenOf: (drug: string, patient: string) => `${drug} for ${patient}`,
  summary: (needs: string, payer: string, ending: string) =>
    [
      `${needs} need you`,
      `${payer} waiting on others`,
      `${ending} ${ending === '1' ? 'approval ends' : 'approvals end'} soon`,
    ].join(' · '),
} as const;

export const lineWords = {
  title: 'Request',
  back: 'Back to the worklist',
  owner: 'Owner',
  /** `to`: the name of the assignee, or `you`. */
  assigned: (to: string) => `Assigned to ${to}.`,
  ownedBefore: (owner: string) => `Owner before: ${owner}.`,
  you: 'you',
  nobody: 'Nobody',
  assign: 'Assign',
  assignTo: 'Assign to',
  takeOver: 'Take over',
  done: 'Mark as done',
  notYours:
    'Only the owner, the prescriber, the person it is assigned to, or staff with this patient’s chart open can ' +
    'assign it or take it over.',
  notes: 'Notes for colleagues',
  noNotes: 'No notes yet.',
  firstNote: 'Write a note for colleagues',
  notesBelow: (count: number) => `${plural(count, 'note', 'notes')} for colleagues on this request`,
  note: 'New note',
  noteHint: 'Only your practice sees it. It is never sent and never written to the chart.',
  addNote: 'Add note',
  /** For a reader who may not do the next step. */
  forOthers: 'It waits for a colleague who sends requests.',
  /** The next step once the chart is open. */
  next: {
    draft: 'Open the chart to review and send it',
    signed: 'Open the chart to send it',
    handOver: 'Open the chart to hand it over again',
    refused: 'Open the chart to correct and send it again',
    denied: 'Open the chart to send it again',
    renew: 'Open the chart to renew it',
    asked: 'Open the chart to reply',
    printed: 'Open the chart to print and send the reply',
    unclear: 'Open the chart to say whether it arrived',
    other: 'Open the patient’s chart',
  },
  pick: 'Your EHR asks for the patient. Pick this one; the request opens there.',
  compare: { name: 'Name', born: 'Born', mrn: 'MRN', none: 'not in the chart' },
  documents: 'Documents',
  files: {
    'payer-letter.pdf': 'Payer’s letter',
    'letter.pdf': 'Summary of the decision',
    'request.pdf': 'Request as it was sent',
    'fax.pdf': 'Form to fax to the plan',
    'pharmacy-notice.pdf': 'Notice for the pharmacy',
    'patient-notice.pdf': 'Notice for the patient',
  } satisfies Record<CaseFileName, string>,
  answerBy: 'Answer by',
  requestId: 'Request ID',
  restricted:
    'This chart is restricted. Only the owner, the prescriber, the person the request is assigned to, or staff with ' +
    'the chart open see it.',
  saved: 'Saved.',
  asksHint: 'To reply, open the patient’s chart. The answers are then read from the chart again.',
  asSent: (day: string) => `What the request said about it, sent ${day}`,
  notSaid: 'The request said nothing about it.',
  asksInChart: 'Open the patient’s chart to see it.',
  documentsInChart: 'Open the patient’s chart to see them.',
} as const;

const waits: Readonly<Record<string, string>> = {
  draft: 'Not sent yet',
  order_ended: orderEnded.label,
  signed: 'Signed: send it',
  sign_returned: 'Returned by the signer',
  sign_again: 'Changed: ask for the signature again',
  send_again: 'Did not arrive: send again',
  refused: 'Correct and send again',
  sending: 'Sending',
  unclear: 'Confirm whether it arrived',
  payer_asks: 'The payer asks',
  reply_printed: 'Print and send the reply',
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

/** The kind of request as text. A kind that this version does not know is shown unchanged. */
export function kindText(kind: string): string {
  const known = kinds.find((one) => one === kind);
  return known === undefined ? kind : kindWords[known].name;
}

/**
 * true if a line waits for a signature. With `signs` in the query, lines for other signers are in the part `payer` and
 * do not count.
 */
export function waitsToSign({ part, waits: code }: Pick<WorklistRow, 'part' | 'waits'>): boolean {
  return part === 'needs' && (code === 'signature' || code === 'reply_signature');
}

/**
 * What a line waits for, in a few words. An outcome has the text of the status table (`says`); a draft has the number
 * of answers needed.
 */
export function waitsText(
  { waits: code, approvalEnd }: Pick<WorklistRow, 'waits' | 'approvalEnd'>,
  { says, needed, prescriberName }: Pick<WorklistLine, 'says' | 'needed' | 'prescriberName'>,
): string {
  if (code === 'renew' && approvalEnd !== undefined) return renewal.by(approvalEnd);
  if (code === 'signature') return waitingFor(prescriberName);
  if (code === 'reply_signature') return replyWaitingFor(prescriberName);
  if (code === 'draft' && needed !== undefined)
    return `${waits.draft}: ${needed === 0 ? 'nothing is missing' : `${plural(needed, 'answer', 'answers')} needed`}`;
  if (says !== undefined && code !== 'unwritten') return says;
  return (Object.hasOwn(waits, code) ? waits[code] : undefined) ?? statusWords('prior-auth', code).label;
}

const renewal = {
  by: (end: string) => `Renew by ${dayText(end)}`,
  from: (from: string, until: string) => `Renew ${dayText(from)} to ${dayText(until)}`,
  ended: (end: string) => `Ended ${dayText(end)}`,
  /** For the line of a request that a newer request replaced. */
  sent: (day: string) => `Renewal sent ${dayText(day)}`,
  sentAnew: (day: string) => `New request sent ${dayText(day)}`,
};

// States that the case page also shows as bad, and states that cause a loss unless somebody acts.
const bad: ReadonlySet<string> = new Set(['denied', 'not_covered', 'unwritten', 'send_again']);

/**
 * The color of a line. An approval that differs from the order (`differs`) has the color of work, because somebody must
 * inform the pharmacy.
 */
export function toneOf(
  { part, waits: code }: Pick<WorklistRow, 'part' | 'waits'>,
  { differs }: Pick<WorklistLine, 'differs'>,
): 'good' | 'bad' | 'act' | 'calm' {
  if (code === 'approved' && differs === true) return 'act';
  if (code === 'approved' || (code === 'covered' && part === 'decided')) return 'good';
  if (part === 'needs') return bad.has(code) ? 'bad' : 'act';
  return 'calm';
}

/** What the due date of a line is computed from. */
export interface DueOf extends Pick<WorklistRow, 'part' | 'waits' | 'approvalEnd'> {
  readonly line: Pick<WorklistLine, 'until' | 'payer' | 'endedAt' | 'followed'>;
}

const questionCodes: ReadonlySet<string> = new Set(['payer_asks', 'reply_printed', 'reply_unclear']);

/** The due date of a line as text; '' if there is none. `today` is YYYY-MM-DD at the site. */
export function byText({ part, waits: code, approvalEnd, line }: DueOf, site: Site, today: string): string {
  if (line.followed !== undefined) return followedText(line, line.followed, site);
  const window = renewalWindow(site, { payer: line.payer, end: approvalEnd });
  if (window !== undefined)
    return code === 'renew' && today <= window.until ? dayText(window.until) : renewText(window, today);
  if (part !== 'needs') return '';
  const until = code === 'denied' ? appealDay(line, site) : line.until;
  if (until !== undefined && questionCodes.has(code)) return dayText(until);
  if (code === 'unclear') return 'Today';
  return code === 'denied' && until !== undefined ? `Appeal by ${dayText(until)}` : '';
}

function renewText({ from, until }: RenewalWindow, today: string): string {
  if (until < today) return renewal.ended(until);
  return from <= today ? renewal.by(until) : renewal.from(from, until);
}

function followedText(
  { payer }: DueOf['line'],
  { at, end }: NonNullable<WorklistLine['followed']>,
  site: Site,
): string {
  const day = dayIn(Date.parse(at), site.timeZone);
  const from = renewalWindow(site, { payer, end })?.from;
  return from !== undefined && from <= day ? renewal.sent(day) : renewal.sentAnew(day);
}

function appealDay({ until, payer, endedAt }: DueOf['line'], site: Site): string | undefined {
  const days = rowOfPayer(site.appeals, payer)?.days;
  if (until !== undefined || days === undefined || endedAt === undefined) return until;
  return dayAfter(dayIn(Date.parse(endedAt), site.timeZone), days);
}

/** The day of the decision, for a line that nobody waits for any more. */
export function decidedText({ since, line }: Pick<WorklistRow, 'since' | 'line'>, site: Site): string {
  return dayText(dayIn(Date.parse(line.value().endedAt ?? since), site.timeZone));
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
