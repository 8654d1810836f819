import type { VNode } from 'preact';
import { stateOf } from '../../ui/control.tsx';
import { FileInput } from '../../ui/file-input.tsx';
import { Page } from '../../ui/page.tsx';
import { questionWords, noteWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

interface NoteView extends Pick<CaseView, 'launch' | 'case' | 'home' | 'here' | 'token'> {
  readonly fields?: Readonly<Record<string, string>>;
  readonly wrong?: WrongNote;
}

/** The fields that keep the question from being noted, and why. */
export interface WrongNote {
  readonly fields: readonly ('text' | 'file' | 'until')[];
  readonly why: string;
}

/** The form for a question that the payer asked outside the service. */
export function NoteQuestionPage({ view }: { readonly view: NoteView }): VNode {
  const { launch, home, token, here, fields = {}, wrong } = view;
  return (
    <Page
      title={words.title}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? view.case.banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={here}>{questionWords.back}</a>
      </p>
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      {wrong !== undefined && (
        <p class="notice bad" role="alert" id="why">
          {wrong.why}
        </p>
      )}
      <form method="post" action={`${here}/questions/new`} encType="multipart/form-data" class="card">
        <input type="hidden" name="token" value={token} />
        <label for="text">{words.text}</label>
        <textarea id="text" name="text" rows={6} maxLength={20_000} {...entryState('text', wrong, 'text-hint')}>
          {fields.text}
        </textarea>
        <p class="hint" id="text-hint">
          {words.textHint}
        </p>
        <label for="file">{words.file}</label>
        <FileInput
          id="file"
          accept=".pdf,application/pdf,image/jpeg,image/png"
          tooLarge={words.tooLarge}
          {...entryState('file', wrong)}
        />
        <label for="until">{words.until}</label>
        <input id="until" name="until" type="date" value={fields.until ?? ''} {...entryState('until', wrong)} />
        <label for="channel">{words.how}</label>
        <select id="channel" name="channel">
          <option value="">{words.choose}</option>
          {Object.entries(questionWords.ways).map(([value, label]) => (
            <option key={value} value={value} selected={fields.channel === value}>
              {label}
            </option>
          ))}
        </select>
        <div class="actions">
          <button type="submit" class="go">
            {words.save}
          </button>
        </div>
      </form>
    </Page>
  );
}

function entryState(field: WrongNote['fields'][number], wrong: WrongNote | undefined, hint?: string): object {
  const invalid = wrong?.fields.includes(field) === true;
  const describedBy = [invalid ? 'why' : undefined, hint].filter((id) => id !== undefined).join(' ');
  return stateOf({ invalid, describedBy });
}
