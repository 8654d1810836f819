import { z } from 'zod';
import { type ApprovedTerms, approvedTerms } from '../../../cases/approved.ts';
import type { Actor, Case } from '../../../cases/case.ts';
import { lettersToFile } from '../../../cases/chart-standing.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Deps } from '../../http/deps.ts';
import { type Form, textOf } from '../../request/form.ts';

/** Does what a button of the case page asks for. Gives the case after it; throws bad_request for an unknown one. */
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
      // Whoever has the chart open and files the letter has done what was left to do.
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

// A deadline may be past: a letter may come late. What is no day at all was mistyped.
function deadlineIn(form: Form): string {
  const on = textOf(form, 'on');
  if (on === '' || z.iso.date().safeParse(on).success) return on;
  throw new BridgeError('bad_request', { reason: 'not a date' }, { next: 'Enter the deadline as a date.' });
}

// A number that is none was mistyped.
function termsIn(form: Form): ApprovedTerms {
  const [quantity, days, strength] = approvedTerms.map((term) => textOf(form, term)) as [string, string, string];
  const isNumber = (text: string) => text === '' || /^\d{1,6}(\.\d{1,3})?$/.test(text);
  if (isNumber(quantity) && isNumber(days) && strength.length <= 60) return { quantity, days, strength };
  throw new BridgeError('bad_request', { reason: 'not a number' }, { next: 'Enter quantity and days as numbers.' });
}
