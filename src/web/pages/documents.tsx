import type { ComponentChildren, VNode } from 'preact';
import { type Attached, userText } from '../../cases/case.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import { BesideReview, Hidden, type BesideReviewView as View } from '../parts/beside-review.tsx';
import { Breakable } from '../parts/breakable.tsx';
import { whyOf } from '../parts/documents.tsx';
import { Content } from '../parts/evidence.tsx';
import { resourceWords, sentence } from '../parts/words.ts';
import type { Preview, PreviewFile } from '../preview.ts';
import type { UploadForm } from '../upload.ts';
import { attach, preview as words } from '../words/documents.ts';

export type AttachWhat = 'document' | 'card';

/** What a document of the chart would say in the request, before anybody ticks it. */
export function PreviewPage({ view }: { readonly view: View & { readonly preview: Preview } }): VNode {
  const { candidate, item, files } = view.preview;
  const { reference, label, reason, fits, sensitive, suggested, taken } = candidate;
  const here = `${view.review}/documents/${encodeURIComponent(reference)}`;
  return (
    <DocumentPage view={view} title={label} page={words.title}>
      <p class="hint">
        {suggested === true && taken !== true && sensitive === undefined ? `${whyOf(candidate) ?? ''} ` : ''}
        {sentence(`from the ${resourceWords(reference)}`)}
      </p>
      {sensitive !== undefined && <p class="notice">{words.sensitive(sensitive)}</p>}
      {taken === true && <p class="notice good">{words.isAttached}</p>}
      {!fits && (
        <p class="notice">
          {words.nothing} {reason}.
        </p>
      )}
      {item !== undefined && (
        <section class="card" aria-labelledby="sent-title">
          <h2 id="sent-title">{words.what}</h2>
          <div class="sent-content">
            <Content value={withoutReferences(item.content)} />
          </div>
        </section>
      )}
      {files.length > 0 && <Files here={here} files={files} />}
      {fits && (
        <form method="post" action={here} class="actions" data-reference={reference}>
          <Hidden view={view} />
          <button type="submit" name="tick" value={taken === true ? 'no' : 'yes'}>
            {taken === true ? words.detach : words.attach}
          </button>
        </form>
      )}
    </DocumentPage>
  );
}

// A reference of the chart names each part for the payer's machines; for a reader it is no word.
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'source' ? [] : [[key, withoutReferences(inner)]])),
  );
}

function Files({ here, files }: { readonly here: string; readonly files: readonly PreviewFile[] }): VNode {
  return (
    <section class="card" aria-labelledby="file-title">
      <h2 id="file-title">{words.original}</h2>
      {files.map(({ index, type }) => {
        const address = `${here}/files/${index}`;
        if (type === undefined) return <p key={index}>{words.noPicture}</p>;
        if (type === 'application/pdf')
          return (
            <p key={index}>
              <a href={address} target="_blank" rel="noopener noreferrer">
                {words.openPdf}
              </a>
            </p>
          );
        return <img key={index} src={address} alt={`${words.imageAlt} ${index + 1}`} class="preview-image" />;
      })}
    </section>
  );
}

/** A file that a person attached, as it goes; here it is taken away again. */
export function AttachedPage({
  view,
}: {
  readonly view: View & { readonly attached: Attached; readonly text?: string };
}): VNode {
  const { attached, text, review } = view;
  const { id, title, date, by, shortened } = attached;
  const here = `${review}/attached/${id}`;
  return (
    <DocumentPage view={view} title={date === undefined ? title : `${title}, ${dayText(date)}`} page={words.title}>
      <p class="hint">{sentence(attach.attachedBy(userText(by)))}</p>
      {shortened === true && <p class="notice">{attach.shortened}</p>}
      <section class="card" aria-labelledby="sent-title">
        <h2 id="sent-title">{words.what}</h2>
        {text === undefined ? (
          <img src={`${here}/image`} alt={title} class="preview-image" />
        ) : (
          <div class="sent-content">
            <span class="said">
              <Breakable text={text} />
            </span>
          </div>
        )}
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

/** Where a file is chosen; what was typed stays when the file is refused. */
export function AttachPage({
  view,
}: {
  readonly view: View & { readonly what: AttachWhat; readonly form?: UploadForm; readonly why?: string };
}): VNode {
  const { what, form, why, review } = view;
  const own = attach[what];
  return (
    <DocumentPage view={view} title={own.title} page={own.title}>
      {why !== undefined && (
        <p class="notice bad" role="alert" id="why">
          {why}
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
          <input
            id="file"
            name="file"
            type="file"
            required
            accept={what === 'card' ? 'image/jpeg,image/png' : '.pdf,.rtf,.txt,.html,application/pdf,text/plain'}
            aria-describedby={why === undefined ? 'file-hint' : 'why file-hint'}
          />
          <p class="hint" id="file-hint">
            {own.hint} {what === 'card' && attach.card.replaces}
          </p>
        </div>
        {what === 'document' && <DocumentFields fields={form?.fields ?? {}} />}
        <div class="actions">
          <button type="submit">{attach.button}</button>
        </div>
      </form>
    </DocumentPage>
  );
}

function DocumentFields({ fields }: { readonly fields: UploadForm['fields'] }): VNode {
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
          aria-describedby="title-hint"
          autocomplete="off"
        />
        <p class="hint" id="title-hint">
          {own.nameHint}
        </p>
      </div>
      <div class="field">
        <label for="date">{own.date}</label>
        <input id="date" name="date" type="date" required value={fields.date ?? ''} />
      </div>
    </>
  );
}

function DocumentPage({
  view,
  title,
  page,
  children,
}: {
  readonly view: View;
  readonly title: string;
  /** For the browser's history, where nothing of a patient may stand. */
  readonly page: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <BesideReview view={view} page={page}>
      <div id="preview">
        <h1>
          {title} <span class="sub">{view.draft.case.title}</span>
        </h1>
        {children}
      </div>
    </BesideReview>
  );
}
