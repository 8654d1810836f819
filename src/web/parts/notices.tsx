import type { VNode } from 'preact';
import type { Case } from '../../cases/case.ts';
import type { Draft } from '../draft.ts';
import { standingOf } from './status.tsx';
import { Time } from './time.tsx';

/** What speaks against sending without a second look. */
export interface Cautions {
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Case[];
  /** What is odd about the chart, a sentence each. */
  readonly warnings: readonly string[];
}

export function cautionsOf(draft: Draft, earlier: readonly Case[]): Cautions {
  const forbidden = draft.pull.forbidden.map(
    (type) => `The EHR does not let you read ${type}. What it would hold has to be entered by hand.`,
  );
  return { earlier, warnings: [...forbidden, ...draft.pull.warnings, ...draft.chart.warnings] };
}

/** The cautions in words; nothing when all is well. The verdict leads here. */
export function DraftNotices({
  cautions: { earlier, warnings },
  home,
}: {
  readonly cautions: Cautions;
  readonly home: string;
}): VNode | null {
  if (earlier.length + warnings.length === 0) return null;
  return (
    <div id="cautions" tabIndex={-1}>
      {earlier.map((one) => (
        <p key={one.id} class="notice">
          There is already a finished request for this order:{' '}
          <a href={`${home}/cases/${one.id}`}>{standingOf(one).label}</a>
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
    </div>
  );
}
