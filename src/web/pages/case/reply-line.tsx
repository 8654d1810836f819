import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import type { Reply } from '../../../cases/rounds/round.ts';
import { Time } from '../../ui/time.tsx';
import { sign as signWords } from '../sign/words.ts';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

/** A finished reply: its author, time, outcome and text. */
export function ReplyLine({ view, reply }: { readonly view: CaseView; readonly reply: Reply }): VNode {
  const state = Object.hasOwn(words.states_of_reply, reply.state)
    ? words.states_of_reply[reply.state]
    : words.otherState(reply.state);
  return (
    <div class="reply-line">
      <p>
        <strong>{words.replyOf(reply.by === 'bridge' ? '' : userText(reply.by))}</strong>{' '}
        <Time at={reply.at} zone={view.launch.site.timeZone} /> {state}.
      </p>
      {reply.note !== undefined && (
        <p class="notice">
          {signWords.returnedReply}{' '}
          {reply.settledBy !== undefined && reply.settledBy !== 'bridge' && userText(reply.settledBy)}: {reply.note}
        </p>
      )}
      {reply.text !== '' && <blockquote>{reply.text}</blockquote>}
      <SignedReply view={view} reply={reply} />
      {reply.documents.length > 0 && (
        <p class="quiet-text">
          {words.enclosed}: {reply.documents.join('; ')}
        </p>
      )}
    </div>
  );
}

function SignedReply({ view, reply: { signedBy, signedAt } }: { readonly view: CaseView; readonly reply: Reply }) {
  if (signedBy === undefined || signedBy === 'bridge' || signedAt === undefined) return null;
  return (
    <p class="quiet-text">
      {signWords.signedReply} {userText(signedBy)} <Time at={signedAt} zone={view.launch.site.timeZone} />
    </p>
  );
}
