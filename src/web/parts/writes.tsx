import type { VNode } from 'preact';
import { type Case, isSent, type LedgerEntry, recordOf } from '../../cases/case.ts';
import { letterStanding } from '../../cases/letter-state.ts';
import { type ErrorCode, errors } from '../../errors.ts';
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

/** The payer's letter could not be fetched, and only a person lets it be tried again. */
export function isLetterGivenUp(one: Case): boolean {
  return letterStanding(recordOf(one), one.events).is === 'given-up';
}

/** That a letter of the payer is not in the chart, and the last answer of who was asked for it. */
export function MissingLetter({ case: one }: { readonly case: Case }): VNode | null {
  const letter = letterStanding(recordOf(one), one.events);
  if (letter.is !== 'given-up') return null;
  return (
    <div class="notice bad" role="alert">
      <h3>The payer’s own letter is not in the chart</h3>
      <p>
        It could not be fetched, and the bridge stopped trying <Time at={letter.at} />. Choose “Fetch again” to try once
        more, or file the letter by hand.
      </p>
      <p class="hint">The last answer: {answerOf(letter.code)}</p>
    </div>
  );
}

function answerOf(code: string): string {
  return Object.hasOwn(errors, code) ? errors[code as ErrorCode].title : code;
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
