import type { VNode } from 'preact';
import { readyState } from '../../../cases/rounds/reply.ts';
import type { Reply } from '../../../cases/rounds/round.ts';
import { maySign } from '../../../cases/signature.ts';
import { userOf } from '../../http/user.ts';
import { sign as signWords } from '../sign/words.ts';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';
import { serviceName } from './words.ts';

export interface Leading {
  readonly view: CaseView;
  /** true if the reply is the next step on the page. */
  readonly leads: boolean;
}

/** Shown while a reply waits for its signer, who may be the reader. */
export function WaitsToSign({ view: { launch, home, case: one }, leads }: Leading): VNode {
  const signs = maySign(launch.site, one, userOf(launch));
  return (
    <div class="notice">
      <p>{signWords.replyWaits[readyState(launch.site)]}</p>
      <p class="actions">
        <a class={signs && leads ? 'button go' : 'button quiet-button'} href={`${home}/sign/${one.id}`}>
          {signs ? signWords.toSign : signWords.see}
        </a>
      </p>
    </div>
  );
}

export function Settle({ view, reply }: { readonly view: CaseView; readonly reply: Reply }): VNode {
  return (
    <form method="post" action={view.here} class="reconcile">
      <h3>{words.unclearHeading}</h3>
      <p>{words.unclearHelp(serviceName(view.launch.site))}</p>
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="key" value={reply.key} />
      <div class="actions">
        <button type="submit" name="action" value="reply-arrived">
          {words.arrived}
        </button>
        <button type="submit" name="action" value="reply-not-arrived" class="secondary">
          {words.notArrived}
        </button>
      </div>
    </form>
  );
}

/** The packet of a printed reply, and the form to record how the packet was sent. */
export function SentByHand({ view, reply, leads }: Leading & { readonly reply: Reply }): VNode {
  const [how, on] = [`how-${reply.key}`, `on-${reply.key}`];
  return (
    <div class="by-hand">
      <p class="actions">
        <a
          href={`${view.here}/replies/${reply.key}.pdf`}
          class={leads ? 'button go' : 'button'}
          target="_blank"
          rel="noopener noreferrer"
        >
          {words.packet}
        </a>
      </p>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        <input type="hidden" name="key" value={reply.key} />
        <label for={how}>{words.sentHow}</label>
        <select id={how} name="how">
          {Object.entries(words.ways).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label for={on}>{words.sentOn}</label>
        <input id={on} name="on" type="date" value={view.today} max={view.today} required />
        <label>
          <input type="checkbox" name="completes" value="yes" checked /> {words.all}
        </label>
        <button type="submit" name="action" value="reply-sent">
          {words.noteSent}
        </button>
      </form>
    </div>
  );
}
