import type { ComponentChildren, VNode } from 'preact';
import { common } from './common-words.ts';

interface ItSupportProps {
  /** What the details are of, for who hears a list of all that unfolds. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** Details for IT support, folded. */
export function ItSupport({ of, children }: ItSupportProps): VNode {
  return (
    <details class="for-it">
      <summary>
        {common.itSupport}
        <span class="hidden">: {of}</span>
      </summary>
      {children}
    </details>
  );
}
