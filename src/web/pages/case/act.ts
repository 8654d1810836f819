import { z } from 'zod';
import type { Actor, Case } from '../../../cases/case.ts';
import { lettersToFile } from '../../../cases/chart-standing.ts';
import { type ApprovedTerms, approvedTerms } from '../../../cases/letter-terms.ts';
import { BridgeError } from '../../../core/errors.ts';
import { dayAfter } from '../../../core/fhir/time/calendar-days.ts';
import type { Deps } from '../../http/deps.ts';
import { type Form, textOf } from '../../request/form.ts';

/**
 * Performs the action of a button on the case page and returns the updated case. Throws bad_request for an unknown
 * action.
 */
export async function act({ cases }: Deps, one: Case, form: Form, by: Actor, launch: string): Promise<Case> {
  switch (textOf(form, 'action')) {
    case 'cancel':
      return cases.cancel(one.id, { reason: reasonIn(form, one), by });
    case 'refresh':
      return cases.refresh(one.id);
    case 'write':
      return cases.retryWriteback(one.id, by, launch);
    case 'retract':
      return cases.retractLetter(one.id, { reference: textOf(form, 'reference'), by, launch });
    case 'filed':
      // Filing the letters by hand was the remaining work, so the case is marked as done.
      return by === 'bridge' || lettersToFile(one).length === 0 ? one : cases.markDone(one.id, by);
    case 'fetch-letter':
      return cases.fetchLetter(one.id, by);
    case 'appeal':
      return cases.noteAppealDeadline(one.id, { on: deadlineIn(form), by });
    case 'approved':
      return cases.noteApproved(one.id, { terms: termsIn(form), by, launch });
    case 'not-arrived':
      return cases.markNotArrived(one.id, by);
    case 'arrived': {
      const serviceId = textOf(form, 'serviceId');
      return cases.markArrived(one.id, { by, ...(serviceId === '' ? {} : { serviceId }) });
    }
    default:
      throw new BridgeError('bad_request', { reason: 'unknown action' });
  }
}

function reasonIn(form: Form, { id }: Case): string {
  const reason = textOf(form, 'reason');
  if (reason !== '') return reason;
  throw new BridgeError(
    'bad_request',
    { case: id, reason: 'a cancellation needs a reason' },
    { next: 'Choose a reason for canceling.' },
  );
}

// A deadline in the past is accepted, because a letter may arrive late. Text that is not a day is an error.
function deadlineIn(form: Form): string {
  const days = textOf(form, 'days');
  if (days === '') return dayIn(form, 'on', 'Enter the deadline as a date.');
  const from = dayIn(form, 'from', 'Enter the date of the letter.');
  if (/^[1-9]\d{0,2}$/.test(days) && from !== '') return dayAfter(from, Number(days));
  throw mistyped('no number of days', 'Enter the days that the letter gives as a number, and the date of the letter.');
}

function dayIn(form: Form, name: string, next: string): string {
  const day = textOf(form, name);
  if (day === '' || z.iso.date().safeParse(day).success) return day;
  throw mistyped('not a date', next);
}

function mistyped(reason: string, next: string): BridgeError {
  return new BridgeError('bad_request', { reason }, { next });
}

// Text that is not a number is an error.
function termsIn(form: Form): ApprovedTerms {
  const [quantity, days, strength] = approvedTerms.map((term) => textOf(form, term)) as [string, string, string];
  const number = textOf(form, 'number').slice(0, longestTerm);
  const [from, until] = ['from', 'until'].map((name) => dayIn(form, name, 'Enter the day as a date.')) as [
    string,
    string,
  ];
  const isNumber = (text: string) => text === '' || /^\d{1,6}(\.\d{1,3})?$/.test(text);
  if (!isNumber(quantity) || !isNumber(days) || strength.length > longestTerm)
    throw mistyped('not a number', 'Enter quantity and days as numbers.');
  if (from !== '' && until !== '' && until < from)
    throw mistyped('ends before it starts', 'The approval ends before it starts. Check both dates in the letter.');
  return { quantity, days, strength, from, until, number };
}

const longestTerm = 60;
