import type { VNode } from 'preact';
import type { Round } from '../../../cases/rounds/round.ts';
import { stateOf } from '../../ui/control.tsx';
import { Page } from '../../ui/page.tsx';
import { questionWords, keepWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

/** The field that keeps the question from being released, and why. */
export interface WrongEntry {
  readonly field: 'text' | 'read';
  readonly why: string;
}

interface KeepView extends CaseView {
  readonly round: Round;
  /** The text to store, which the person may edit first. */
  readonly text: string;
  readonly wrong?: WrongEntry | undefined;
}

/** Lets a person read a question, remove patient data from it, and release it for later requests. */
export function KeepQuestionPage({ view }: { readonly view: KeepView }): VNode {
  const { launch, home, token, here, round, text, wrong } = view;
  const one = view.case;
  return (
    <Page
      title={words.title}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? one.banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={here}>{questionWords.back}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.lead(one.title, one.payer ?? words.payer)}</p>
      <p>{words.what}</p>
      {wrong !== undefined && (
        <p class="notice bad" role="alert" id="why">
          {wrong.why}
        </p>
      )}
      <form method="post" action={`${here}/questions/${round.number}/keep`} class="card question">
        <input type="hidden" name="token" value={token} />
        <label for="text">{words.text}</label>
        <textarea id="text" name="text" rows={8} maxLength={4000} {...entryState('text', wrong, 'text-hint')}>
          {text}
        </textarea>
        <p class="hint" id="text-hint">
          {words.names} {words.removed}
        </p>
        <label>
          <input type="checkbox" name="read" value="yes" {...entryState('read', wrong)} /> {words.read}
        </label>
        <p class="hint">{words.until}</p>
        <div class="actions">
          <button type="submit" name="action" value="keep" class="go">
            {words.save}
          </button>
          {view.kept?.has(round.number) === true && (
            <button type="submit" name="action" value="forget" class="quiet-button">
              {words.remove}
            </button>
          )}
        </div>
      </form>
    </Page>
  );
}

function entryState(field: WrongEntry['field'], wrong: WrongEntry | undefined, hint?: string): object {
  const invalid = wrong?.field === field;
  const describedBy = [invalid ? 'why' : undefined, hint].filter((id) => id !== undefined).join(' ');
  return stateOf({ required: true, invalid, describedBy });
}
