import { z } from 'zod';
import type { Case, User } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Deps } from '../../http/deps.ts';
import { type Form, textOf } from '../../request/form.ts';
import { noteWords as words } from './question-words.ts';

/** Handles actions on rounds other than replying; undefined for any other action. */
export async function actOnRound(deps: Deps, one: Case, form: Form, by: User): Promise<Case | undefined> {
  const { cases } = deps;
  const key = textOf(form, 'key');
  switch (textOf(form, 'action')) {
    case 'reply-arrived':
      return await cases.settleReply(one.id, { key, arrived: true, by });
    case 'reply-not-arrived':
      return await cases.settleReply(one.id, { key, arrived: false, by });
    case 'reply-sent':
      return await cases.noteReplySent(one.id, {
        key,
        on: dayIn(form),
        how: textOf(form, 'how').slice(0, 40),
        completes: textOf(form, 'completes') === 'yes',
        by,
      });
    case 'close-round':
      return await cases.closeRound(one.id, { round: Number(textOf(form, 'round')), by });
    case 'open-fax':
      return await cases.openRound(one.id, { by, text: '', fax: textOf(form, 'fax') });
    default:
      return undefined;
  }
}

function dayIn(form: Form): string {
  const on = textOf(form, 'on');
  if (z.iso.date().safeParse(on).success) return on;
  throw new BridgeError('bad_request', { reason: 'not a date' }, { next: words.badDate });
}
