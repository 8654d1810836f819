import type { VNode } from 'preact';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import type { CellName } from '../../../core/contract/answers-sheet.ts';
import { payerWords as words } from '../payer-words.ts';

/** The questions whose answers are not sent because they contradict what a person changed in the request. */
export function LeftByChange({ cells }: { readonly cells: readonly CellName[] }): VNode | null {
  if (cells.length === 0) return null;
  return <p class="reason">{words.leftByChange(cells.map((cell) => cellTexts[cell].question))}</p>;
}
