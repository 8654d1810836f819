import type { VNode } from 'preact';
import type { Case } from '../../cases/case.ts';
import type { Draft } from '../draft.ts';
import { standingOf } from './status.tsx';
import { Time } from './time.tsx';

/** What speaks against sending without a second look: finished requests for the same order, newest first, and what is odd about the chart. Nothing when all is well. */
export function DraftNotices({ draft, earlier, home }: { readonly draft: Draft; readonly earlier: readonly Case[]; readonly home: string }): VNode {
  const warnings = [
    ...draft.pull.forbidden.map((type) => `The EHR does not let you read ${type}. What it would hold has to be entered by hand.`),
    ...draft.pull.warnings,
    ...draft.chart.warnings,
  ];
  return (
    <>
      {earlier.map((one) => (
        <p key={one.id} class="notice">
          There is already a finished request for this order: <a href={`${home}/cases/${one.id}`}>{standingOf(one).label}</a>
          {one.endedAt !== undefined && (
            <>
              , <Time at={one.endedAt} />
            </>
          )}
          . What you fill in here is a new request.
        </p>
      ))}
      {warnings.length > 0 && (
        <div class="notice">
          <h2>About this chart</h2>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
