import type { VNode } from 'preact';
import { type Attached, userText } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { takesPdf } from '../../request/attached.ts';
import { sentence } from '../../request/field-words.ts';
import { Hidden, type BesideReviewView as View } from '../../ui/beside-review.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { stateOf } from '../../ui/control.tsx';
import { FileInput } from '../../ui/file-input.tsx';
import { DocumentPage } from '../documents/document-page.tsx';
import { attach, preview as words } from '../documents/words.ts';
import type { RefusedUpload, UploadForm } from './upload.ts';

export type AttachWhat = Attached['kind'];

/** The message for a file that is too large to be read. */
export const tooLarge: Readonly<Record<AttachWhat, string>> = {
  document: attach.refusedDocument.too_large,
  card: attach.refusedCard.too_large,
  consent: attach.refusedConsent.too_large,
  appeal: attach.refusedDocument.too_large,
};

/** An attached file as it is sent, with a button to remove it. */
export function AttachedPage({
  view,
}: {
  readonly view: View & { readonly attached: Attached; readonly text?: string };
}): VNode {
  const { attached, text, review } = view;
  const { id, kind, title, date, by, shortened, pdf } = attached;
  const here = `${review}/attached/${id}`;
  return (
    <DocumentPage view={view} title={date === undefined ? title : `${title}, ${dayText(date)}`} page={words.title}>
      <p class="hint">{sentence(attach.attachedBy(userText(by)))}</p>
      {shortened === true && <p class="notice">{attach.shortened}</p>}
      <section class="card" aria-labelledby="sent-title">
        <h2 id="sent-title">{kind === 'consent' ? attach.kept : words.what}</h2>
        {text !== undefined && (
          <div class="sent-content">
            <span class="said">
              <Breakable text={text} />
            </span>
          </div>
        )}
        {pdf === true && (
          <p>
            <a href={`${here}/file`} target="_blank" rel="noopener noreferrer">
              {words.openPdf}
            </a>
          </p>
        )}
        {text === undefined && pdf !== true && <img src={`${here}/file`} alt={title} class="preview-image" />}
      </section>
      <form method="post" action={here} class="actions">
        <Hidden view={view} />
        <button type="submit" name="remove" value="yes" class="secondary outline">
          {attach.remove}
        </button>
      </form>
    </DocumentPage>
  );
}

const accepted: Readonly<Record<AttachWhat, string>> = {
  document: '.pdf,.rtf,.txt,.html,application/pdf,text/plain',
  card: 'image/jpeg,image/png',
  consent: '.pdf,application/pdf,image/jpeg,image/png',
  appeal: '.pdf,application/pdf',
};

/** The form to choose a file. The other entries of the form stay if the file is refused. */
export function AttachPage({
  view,
}: {
  readonly view: View & { readonly what: AttachWhat; readonly form?: UploadForm; readonly wrong?: RefusedUpload };
}): VNode {
  const { what, form, wrong, review } = view;
  const own = attach[what];
  return (
    <DocumentPage view={view} title={own.title} page={own.title}>
      {wrong !== undefined && (
        <p class="notice bad" role="alert" id="why">
          {wrong.refused}
        </p>
      )}
      <form
        method="post"
        action={`${review}/attach/${what}`}
        encType="multipart/form-data"
        class="card attach"
        id="attach"
      >
        <Hidden view={view} />
        <div class="field">
          <label for="file">{own.file}</label>
          <FileInput
            id="file"
            required
            accept={accepted[what]}
            tooLarge={tooLarge[what]}
            {...entryState('file', wrong, 'file-hint')}
          />
          <p class="hint" id="file-hint">
            {what === 'document' && takesPdf(view.draft.schema) ? attach.document.pdfHint : own.hint}{' '}
            {what === 'card' && attach.card.replaces}
          </p>
        </div>
        {(what === 'document' || what === 'appeal') && <DocumentFields fields={form?.fields ?? {}} wrong={wrong} />}
        <div class="actions">
          <button type="submit" class="go">
            {attach.button}
          </button>
        </div>
      </form>
    </DocumentPage>
  );
}

interface DocumentFieldsProps {
  readonly fields: UploadForm['fields'];
  readonly wrong: RefusedUpload | undefined;
}

function DocumentFields({ fields, wrong }: DocumentFieldsProps): VNode {
  const own = attach.document;
  return (
    <>
      <div class="field">
        <label for="title">{own.name}</label>
        <input
          id="title"
          name="title"
          type="text"
          required
          maxLength={200}
          value={fields.title ?? ''}
          {...entryState('title', wrong, 'title-hint')}
          autocomplete="off"
        />
        <p class="hint" id="title-hint">
          {own.nameHint}
        </p>
      </div>
      <div class="field">
        <label for="date">{own.date}</label>
        <input id="date" name="date" type="date" required value={fields.date ?? ''} {...entryState('date', wrong)} />
      </div>
    </>
  );
}

function entryState(field: 'file' | 'title' | 'date', wrong: RefusedUpload | undefined, hint?: string): object {
  const invalid = wrong !== undefined && (wrong.field ?? 'file') === field;
  const describedBy = [invalid ? 'why' : undefined, hint].filter((id) => id !== undefined).join(' ');
  return stateOf({ invalid, describedBy });
}
