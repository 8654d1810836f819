import type { VNode } from 'preact';
import type { JudgedCriterion } from '../../../core/answers/criteria/criteria.ts';
import { criteriaWords as words } from '../../request/payer-words.ts';
import { AnswerSource } from '../../ui/answer-source.tsx';

/** The site's criteria, judged from the chart. The first open criterion is visible, the others are folded. */
export function Criteria({ criteria }: { readonly criteria: readonly JudgedCriterion[] }): VNode | null {
  const [first, ...others] = criteria;
  if (first === undefined) return null;
  const isAllMet = first.verdict === 'met';
  const folded = isAllMet ? criteria : others;
  return (
    <div class="criteria">
      <h3>{words.title}</h3>
      {isAllMet ? <p>{words.all(criteria.length)}</p> : <Criterion criterion={first} id="criterion-first" />}
      {folded.length > 0 && (
        <details class="others" id="more-criteria">
          <summary>{isAllMet ? words.list(folded.length) : words.others(folded.length)}</summary>
          {folded.map((criterion, index) => (
            <Criterion key={criterion.row.text} criterion={criterion} id={`criterion-${index}`} />
          ))}
        </details>
      )}
      <p class="hint">{words.hint}</p>
    </div>
  );
}

function Criterion({
  criterion: { row, verdict, because, cost, read },
  id,
}: {
  readonly criterion: JudgedCriterion;
  readonly id: string;
}): VNode {
  return (
    <div class={`criterion ${verdict.replace(' ', '-')}`}>
      <p id={id}>
        <strong>{words.verdict[verdict]}:</strong> {row.text}
        <span class="reason">
          {because}. {cost !== undefined && verdict === 'unknown' && words.cost[cost]}
        </span>
        <span class="reason">{words.source(row)}</span>
      </p>
      <AnswerSource places={read} of={id} />
    </div>
  );
}
