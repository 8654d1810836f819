import { appealNote, isDenied } from '../../../cases/appeal.ts';
import { type Case, isSent, outcomeOf, userText } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import { type RenewalWindow, renewalWindow, rowOfPayer } from '../../../config/renewal-window.ts';
import { dayAfter } from '../../../core/fhir/time/calendar-days.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { targetOf } from '../../request/kind-pages.ts';
import { leavesOf } from '../../request/leaves.ts';
import { denial as words } from './words.ts';

export interface AppealDeadline {
  /** YYYY-MM-DD; undefined if only the payer's letter states it. */
  readonly on?: string;
  /** Where the deadline comes from, as text for the page. */
  readonly source?: string;
  readonly isFromLetter: boolean;
}

/**
 * The deadline that a person entered from the letter, else the deadline from the site's table for this payer, counted
 * from the day of the decision. Undefined unless the outcome is a denial.
 */
export function appealDeadlineOf(one: Case, site: Pick<Site, 'appeals' | 'timeZone'>): AppealDeadline | undefined {
  if (!isDenied(one) || !('endedAt' in one)) return undefined;
  const note = appealNote(one.events);
  if (note !== undefined) return { on: note.on, source: words.fromLetter(enteredBy(one)), isFromLetter: true };
  const row = rowOfPayer(site.appeals, payerOf(one));
  if (row === undefined) return { isFromLetter: false };
  const decided = dayIn(Date.parse(one.endedAt), site.timeZone);
  return { on: dayAfter(decided, row.days), source: words.fromTable(row.days, row.source), isFromLetter: false };
}

/** When the approval can be renewed; undefined for anything but an approval with an end. */
export function renewalOf(one: Case, site: Pick<Site, 'renewals'>): RenewalWindow | undefined {
  const outcome = one.state === 'ended' && one.followed === undefined ? outcomeOf(one) : undefined;
  if (outcome?.kind !== 'approved' || outcome.isGood === true) return undefined;
  return renewalWindow(site, { payer: payerOf(one) ?? one.payer, end: outcome.authorizationExpiration });
}

/** true if the renewal of an approval is due or overdue on this day (YYYY-MM-DD). */
export function isToRenew(one: Case, site: Pick<Site, 'renewals'>, today: string): boolean {
  const window = renewalOf(one, site);
  return window !== undefined && window.from <= today;
}

function enteredBy({ events, history }: Case): string | undefined {
  if (events.length !== history.length) return undefined;
  const by = history[events.findLastIndex(({ type }) => type === 'appeal_noted')]?.by;
  return by === undefined || by === 'bridge' ? undefined : userText(by);
}

/** The payer's name as stated in the request. */
export function payerOf(one: Case): string | undefined {
  const name = isSent(one) ? leavesOf(one.body).get(targetOf(one.kind, 'payer') ?? '') : undefined;
  return name === undefined ? undefined : String(name);
}
