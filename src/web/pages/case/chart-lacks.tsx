import type { VNode } from 'preact';
import type { Case } from '../../../cases/case.ts';
import { chartLacks, taskStanding } from '../../../cases/chart-standing.ts';
import { rowOf, wrongInChart } from '../../../writeback/ledger.ts';
import { refusalOf } from '../../http/rights.ts';
import { lackWords as words } from './chart-lack-words.ts';
import type { CaseView } from './view.ts';

/** What the chart lacks or shows wrongly, although no write failed. Shown at the top of the case page. */
export function ChartLacks({ view }: { readonly view: CaseView }): VNode {
  const { case: one } = view;
  const lacks = chartLacks(one);
  return (
    <>
      {wrongInChart(one.writes).map(({ reference = '' }) => (
        <Notice
          key={reference}
          view={view}
          heading={words.wrongHeading}
          text={words.wrong}
          action="retract"
          button={words.lookAgain}
          reference={reference}
        />
      ))}
      <OldStatus case={one} />
      {lacks.includes('launch') && (
        <Notice view={view} heading={words.waitsHeading} text={words.waits} action="write" button={words.saveNow} />
      )}
      {lacks.includes('file') && (
        <Notice view={view} heading={words.fileHeading} text={words.file} action="filed" button={words.filed} />
      )}
    </>
  );
}

// Also shown if saving failed, because the notice of the failure does not say what the chart shows.
function OldStatus({ case: one }: { readonly case: Case }): VNode | null {
  const by = taskStanding(one);
  if (by === undefined) return null;
  const isBeside = by === 'person' && rowOf(one.writes, 'task')?.state === 'skipped';
  const texts = { launch: words.oldUntilSaved, person: words.oldForGood, unfound: words.oldUnfound };
  return (
    <div class="notice bad">
      <h3>{by === 'unfound' ? words.maybeOldHeading : words.oldHeading}</h3>
      <p>{isBeside ? words.oldBeside : texts[by]}</p>
    </div>
  );
}

interface NoticeProps {
  readonly view: CaseView;
  readonly heading: string;
  readonly text: string;
  readonly action: 'write' | 'filed' | 'retract';
  readonly button: string;
  /** The resource in the chart that the notice is about. */
  readonly reference?: string;
}

function Notice({ view, heading, text, action, button, reference }: NoticeProps): VNode {
  const { here, token, launch } = view;
  return (
    <div class={action === 'retract' ? 'notice bad' : 'notice'}>
      <h3>{heading}</h3>
      <p>{text}</p>
      {refusalOf(launch) === undefined && (
        <form method="post" action={here} class="actions">
          <input type="hidden" name="token" value={token} />
          {reference !== undefined && <input type="hidden" name="reference" value={reference} />}
          <button type="submit" name="action" value={action}>
            {button}
          </button>
        </form>
      )}
    </div>
  );
}
