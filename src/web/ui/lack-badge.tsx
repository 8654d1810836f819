import type { VNode } from 'preact';
import { lackText } from '../pages/case/chart-lack-words.ts';

/**
 * What the chart of a request lacks, in a few words. A code that this version does not know is shown as a failed save.
 */
export function LackBadge({ lacks }: { readonly lacks: string | undefined }): VNode {
  const isBad = lacks === undefined || ['failed', 'wrong-letter', 'old-status'].includes(lacks);
  return <span class={`badge tone-${isBad ? 'bad' : 'act'}`}>{lackText(lacks)}</span>;
}
