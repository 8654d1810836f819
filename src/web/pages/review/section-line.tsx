import type { ComponentChildren, VNode } from 'preact';
import { common } from '../../ui/common-words.ts';
import { FoldWord } from '../../ui/fold-word.tsx';
import { review } from './words.ts';

interface SectionLineProps {
  readonly id: string;
  readonly title: string;
  /** The content of the section, in parts of one line. */
  readonly says: readonly string[];
  /** Notes such as why this plan was chosen, or which questions are asked above. */
  readonly notes?: readonly string[];
  /** A small version of a picture that is sent. */
  readonly picture?: VNode | undefined;
  readonly children: ComponentChildren;
}

/** A section in one line. Unfolded, it shows its fields. */
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
      {/* A URL with this id as its fragment unfolds the section, even without scripts. */}
      <div class="section-body" id={id} tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}
