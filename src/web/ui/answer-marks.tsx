import type { VNode } from 'preact';
import type { AnswerLine } from '../../core/answers/lines.ts';
import { kindPages } from '../request/kind-pages.ts';
import { leafLabel } from '../request/labels.ts';
import { payerWords as words } from '../request/payer-words.ts';

/** Why a line is not preselected, and remarks for staff. */
export function AnswerMarks({ line }: { readonly line: AnswerLine }): VNode {
  const { sensitive, isOld, isContradicted, changed } = line;
  return (
    <>
      {sensitive !== undefined && <span class="reason">{words.sensitive(sensitive)}</span>}
      {isOld && <span class="reason">{words.old}</span>}
      {isContradicted && <span class="reason">{words.contradicted}</span>}
      {changed !== undefined && <span class="reason">{words.changed(changedLabels(changed))}</span>}
      <AnswerRemarks line={line} />
    </>
  );
}

/** Remarks for staff about a line, which are not sent to the payer. */
export function AnswerRemarks({ line: { remarks = [] } }: { readonly line: AnswerLine }): VNode {
  return (
    <>
      {remarks.map((remark) => (
        <span key={remark.text} class="reason">
          {words.remark(remark)}
        </span>
      ))}
    </>
  );
}

function changedLabels(targets: readonly string[]): readonly string[] {
  return [...new Set(targets.map((target) => leafLabel(target, kindPages['prior-auth'].sections)))];
}
