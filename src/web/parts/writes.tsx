import type { VNode } from 'preact';
import { type Case, isSent, type LedgerEntry } from '../../cases/case.ts';
import { letterInChart } from '../../writeback/ledger.ts';
import { Time } from './time.tsx';

const things: Readonly<Record<string, string>> = {
  task: 'Task',
  document: 'Summary',
  determination: 'The payer’s own letter',
  communication: 'Message',
  'closing-task': 'Task that tells the end',
  double: 'Second copy',
};

const states: Readonly<Record<LedgerEntry['state'], string>> = {
  planned: 'will be written',
  in_flight: 'being written',
  done: 'in the chart',
  unknown: 'answer lost, being checked',
  stored: 'in the chart, not said where',
  failed: 'could not be written',
  waiting: 'waits for the next launch from this chart',
  skipped: 'not possible in this EHR',
  retracted: 'marked as entered in error',
};

/** What a row of the ledger wrote, in words. */
export function thingOf({ what }: LedgerEntry): string {
  return things[what] ?? what;
}

/** What the bridge wrote into the chart, where, and what not and why; `here` is the page of the case. */
export function Writes({ case: one, here }: { readonly case: Case; readonly here: string }): VNode {
  if (one.writes.length === 0)
    return <p>{!isSent(one) ? 'Nothing is written before the request is sent.' : 'Nothing written yet.'}</p>;
  return (
    <ul class="rows">
      {one.writes.map((write) => (
        <li key={`${write.what} ${write.version}`}>
          <div>
            <strong>{thingOf(write)}</strong> {write.reference !== undefined && <code>{write.reference}</code>}
            <p class="hint">
              <Time at={write.at} />
              {write.reason !== undefined && `: ${write.reason}`}
            </p>
            {mayBeWrong(one, write) && (
              <p>
                <a href={`${here}/wrong-letter?${new URLSearchParams({ reference: write.reference ?? '' })}`}>
                  This letter is wrong<span class="hidden">: {thingOf(write)}</span>
                </a>
              </p>
            )}
          </div>
          <span
            class={`badge ${write.state === 'done' ? 'tone-good' : write.state === 'failed' ? 'tone-bad' : 'tone-off'}`}
          >
            {states[write.state]}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Whether a person may say of what was written that it is wrong: a letter that is in the chart. */
export function mayBeWrong({ state, writes }: Case, { reference = '' }: LedgerEntry): boolean {
  return (state === 'open' || state === 'ended') && letterInChart(writes, reference) !== undefined;
}
