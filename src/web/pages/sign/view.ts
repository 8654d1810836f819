import { type Case, roundsOf } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import type { Reply, Round } from '../../../cases/rounds/round.ts';
import type { ShownToSign } from '../../../cases/sign.ts';
import type { Signature } from '../../../cases/signature.ts';
import type { StaffVisit } from '../worklist/worklist-access.ts';

export type SignNotice = 'signed' | 'returned' | 'stale';

export interface SignView extends StaffVisit {
  readonly one: Case;
  readonly what: ToSign;
  /** true if the reader may sign. Other readers see who may sign. */
  readonly signs: boolean;
  readonly notice?: SignNotice | undefined;
  /** The id of another case that waits for the reader's signature. */
  readonly next?: string | undefined;
  /** The URL of the request, if the reader has its chart open. */
  readonly request?: string | undefined;
}

export type ToSign =
  | { readonly is: 'draft'; readonly signature: Signature; readonly shown: ShownToSign }
  | {
      readonly is: 'reply';
      readonly round: Round;
      readonly reply: Reply;
      /** The attachments of the reply, without its own text. */
      readonly documents: readonly ReplyDocument[];
    };

/** The reply of a case that waits for a signature, else the last reply that was signed or returned. */
export function replyToSign(one: Case): { readonly round: Round; readonly reply: Reply } | undefined {
  const all = roundsOf(one).flatMap((round) => round.replies.map((reply) => ({ round, reply })));
  return (
    all.findLast(({ reply }) => reply.state === 'unsigned') ??
    all.findLast(({ reply }) => reply.signedBy !== undefined || reply.state === 'returned')
  );
}

/** true while the content waits for a signature. */
export function isWaiting(what: ToSign): boolean {
  return what.is === 'draft'
    ? what.signature.state === 'asked' && !what.signature.isChanged
    : what.reply.state === 'unsigned';
}
