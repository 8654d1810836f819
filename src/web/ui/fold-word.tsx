import type { VNode } from 'preact';
import { common } from './common-words.ts';

/** What a click on a summary does: `folded` while its details are folded. The style sheet shows one of the two. */
export function FoldWord({ folded }: { readonly folded: string }): VNode {
  return (
    <>
      <span class="if-folded">{folded}</span>
      <span class="if-open">{common.hide}</span>
    </>
  );
}
