import type { VNode } from 'preact';
import { withoutRecords } from '../../request/content-records.ts';
import { resourceWords, sentence } from '../../request/field-words.ts';
import { Hidden, type BesideReviewView as View } from '../../ui/beside-review.tsx';
import { DocumentPage } from './document-page.tsx';
import { whyOf } from './documents-list.tsx';
import { Content } from './evidence-item.tsx';
import type { Preview, PreviewFile } from './view.ts';
import { preview as words } from './words.ts';

/** A document of the chart as it would look in the request, before a person selects it. */
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
            <Content value={withoutRecords(item.content)} />
          </div>
        </section>
      )}
      {files.length > 0 && <Files here={here} files={files} />}
      {fits && (
        <form method="post" action={here} class="actions" data-reference={reference}>
          <Hidden view={view} />
          <button
            type="submit"
            name="tick"
            value={taken === true ? 'no' : 'yes'}
            class={taken === true ? undefined : 'go'}
          >
            {taken === true ? words.detach : words.attach}
          </button>
        </form>
      )}
    </DocumentPage>
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
