import type { VNode } from 'preact';
import type { Round } from '../../../cases/rounds/round.ts';
import { Page } from '../../ui/page.tsx';
import { questionWords, keepWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

interface KeepView extends CaseView {
  readonly round: Round;
  /** The text to store, which the person may edit first. */
  readonly text: string;
  readonly why?: string | undefined;
}

/** Lets a person read a question, remove patient data from it, and release it for later requests. */
export function KeepQuestionPage({ view }: { readonly view: KeepView }): VNode {
  const { launch, home, token, here, round, text, why } = view;
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
      {why !== undefined && (
        <p class="notice bad" role="alert">
          {why}
        </p>
      )}
      <form method="post" action={`${here}/questions/${round.number}/keep`} class="card question">
        <input type="hidden" name="token" value={token} />
        <label for="text">{words.text}</label>
        <textarea id="text" name="text" rows={8} maxLength={4000} aria-describedby="text-hint">
          {text}
        </textarea>
        <p class="hint" id="text-hint">
          {words.names} {words.removed}
        </p>
        <label>
          <input type="checkbox" name="read" value="yes" /> {words.read}
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
