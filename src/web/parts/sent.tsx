import type { VNode } from 'preact';
import { type Case, userText } from '../../cases/case.ts';
import { enrollmentSections, priorAuthSections } from '../labels.ts';
import { type SentLeaf, sentOf, textOf } from '../sent.ts';
import { dayText } from './banner.tsx';
import { CardImages } from './card.tsx';
import { SourceLine } from './source.tsx';
import { originText } from './words.ts';

/** The request as it was sent, each value with where it came from. Folded away: who opens a case first wants to know how it stands. */
export function WhatWasSent({ case: one }: { readonly case: Case }): VNode | null {
  const sent = sentOf(one);
  if (sent === undefined) return null;
  return (
    <details class="card sent" id="sent">
      <summary>
        <h2>What was sent</h2>
      </summary>
      {sent.drug !== undefined && (
        <p class="notice">
          The drug was changed by a person: the order says <q>{sent.drug.order}</q>, sent was <q>{sent.drug.sent}</q>.
        </p>
      )}
      {sent.sections.map(({ id, title, leaves }) => (
        <section key={id} aria-labelledby={`sent-${id}`}>
          <h3 id={`sent-${id}`}>{title}</h3>
          <dl class="summary">
            {leaves.map((leaf) => (
              <div key={leaf.target}>
                <dt>{leaf.label}</dt>
                <dd>
                  {leaf.text ?? <em>nothing</em>}
                  <Origin leaf={leaf} kind={one.kind} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <CardImages values={sent.values} isSent />
      {one.consent !== undefined && (
        <p>
          Consent, not part of the request: {one.consent.by}, {dayText(one.consent.on)}, {one.consent.how.toLowerCase()}; recorded by {userText(one.consent.recordedBy)}.
        </p>
      )}
    </details>
  );
}

function Origin({ leaf, kind }: { readonly leaf: SentLeaf; readonly kind: Case['kind'] }): VNode {
  const { label, text, provenance } = leaf;
  if (leaf.isOwn) return <p class="hint">Added by the bridge</p>;
  if (provenance === undefined) return <p class="hint">Source not recorded</p>;
  const specs = kind === 'prior-auth' ? priorAuthSections : enrollmentSections;
  const had = provenance.replaces === undefined ? '' : `, the chart had “${textOf(leaf.target, provenance.replaces, specs)}”`;
  const origin = provenance.kind === 'entered' ? `${text === undefined ? 'Cleared' : 'Entered'} by a person${had}` : originText(provenance);
  return <SourceLine label={label} provenance={provenance} origin={origin} />;
}
