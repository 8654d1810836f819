import type { VNode } from 'preact';
import { EvidenceItems } from '../../pages/documents/evidence-item.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { CardImages } from '../../ui/card.tsx';
import { SourceLine } from '../../ui/source.tsx';
import { originText, replacedText } from '../field-words.ts';
import { payerWords } from '../payer-words.ts';
import { SentAnswersTables } from './sent-answers.tsx';
import type { RequestLeaf, RequestView } from './shown-request.ts';

interface RequestProps {
  readonly request: RequestView;
  /** The prefix for the element ids of the headings. */
  readonly prefix: 'goes' | 'sent' | `goes-${string}`;
  /** true to show the source of each value; false to mark only the values that a person entered. */
  readonly withSources: boolean;
}

/** A whole request, section by section. It is used before and after sending. */
export function RequestSections({ request, prefix, withSources }: RequestProps): VNode {
  return (
    <>
      {sectionsFor(request, prefix).map(({ id, title, leaves, evidence }) => (
        <section key={id} aria-labelledby={`${prefix}-${id}`}>
          <h3 id={`${prefix}-${id}`}>{title}</h3>
          {leaves.length > 0 && (
            <dl class="summary">
              {leaves.map((leaf) => (
                <div key={leaf.target}>
                  <dt>{leaf.label}</dt>
                  <dd>
                    {leaf.text === undefined ? <em>nothing</em> : <Breakable text={leaf.text} />}
                    {(withSources || leaf.provenance?.kind === 'entered') && <Origin leaf={leaf} />}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {evidence.length > 0 && <EvidenceItems items={evidence} withSources={withSources} />}
        </section>
      ))}
      {prefix === 'sent' && request.answers !== undefined && (
        <section aria-labelledby="sent-answers">
          <h3 id="sent-answers">{payerWords.title}</h3>
          <SentAnswersTables sent={request.answers} />
        </section>
      )}
      <CardImages values={request.values} isSent={prefix === 'sent'} />
    </>
  );
}

// Before sending, readers need none of the bridge's own additions, except the mark of a training request.
function sectionsFor({ sections }: RequestView, prefix: RequestProps['prefix']): RequestView['sections'] {
  if (prefix === 'sent') return sections;
  return sections
    .map((section) => ({
      ...section,
      leaves: section.leaves.filter(({ isOwn, target }) => !isOwn || target === 'is_training_data'),
    }))
    .filter(({ leaves, evidence }) => leaves.length + evidence.length > 0);
}

/** A notice that the request is for a different drug than the order; null if both are the same. */
export function DrugChange({ drug }: { readonly drug: RequestView['drug'] }): VNode | null {
  if (drug === undefined) return null;
  return (
    <p class="notice">
      The drug was changed by a person: the order says <q>{drug.order}</q>, this request says <q>{drug.request}</q>.
    </p>
  );
}

const writers = { app: 'Added by this app', person: 'Stated by a person' } as const;

function Origin({ leaf: { label, provenance, had, why, isOwn, writtenBy } }: { readonly leaf: RequestLeaf }): VNode {
  if (isOwn) return <p class="hint">{writers.app}</p>;
  if (provenance === undefined)
    return <p class="hint">{writtenBy === undefined ? 'Source not recorded' : writers[writtenBy]}</p>;
  const what = why ?? 'entered by a person';
  const replaced = had === undefined ? '' : `, ${replacedText(had, provenance.replacedKind)}`;
  const origin =
    provenance.kind === 'entered'
      ? `${what.charAt(0).toUpperCase()}${what.slice(1)}${replaced}`
      : originText(provenance);
  return <SourceLine label={label} provenance={provenance} origin={origin} />;
}
