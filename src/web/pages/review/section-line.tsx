import type { ComponentChildren, VNode } from 'preact';
import { common } from '../../ui/common-words.ts';
import { FoldWord } from '../../ui/fold-word.tsx';
import { review } from './words.ts';

interface SectionLineProps {
  readonly id: string;
  readonly title: string;
  /** The content of the section, in parts. */
  readonly says: readonly string[];
  /** Notes on the section: why this plan was chosen, which questions are asked above. */
  readonly notes?: readonly string[];
  /** A small picture of what is sent. */
  readonly picture?: VNode | undefined;
  readonly children: ComponentChildren;
}

/** A section as one line; unfolded, its fields. */
export function SectionLine({ id, title, says, notes = [], picture, children }: SectionLineProps): VNode {
  return (
    <details class="section" id={`fold-${id}`} aria-label={title}>
      <summary class="line">
        <span class="name">{title}</span>
        <span class="value">
          {says.join(' · ')}
          {picture}
          {says.length + notes.length === 0 && <span class="quiet-text">{review.notInChart}</span>}
          {notes.map((note) => (
            <span key={note} class="reason">
              {note}
            </span>
          ))}
        </span>
        <span class="act">
          <FoldWord folded={says.length === 0 ? common.add : common.edit} />
          <span class="hidden"> {title}</span>
        </span>
      </summary>
      {/* An address that ends in this id unfolds the enclosing section, even without scripts. */}
      <div class="section-body" id={id} tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}
