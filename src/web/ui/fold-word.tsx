import type { VNode } from 'preact';
import { common } from './common-words.ts';

/**
 * The action of a click on a summary; `folded` is the text while the details are folded. The stylesheet shows one of
 * the two texts.
 */
export function FoldWord({ folded }: { readonly folded: string }): VNode {
  return (
    <>
      <span class="if-folded">{folded}</span>
      <span class="if-open">{common.hide}</span>
    </>
  );
}
