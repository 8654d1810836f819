import type { VNode } from 'preact';
import type { Ended } from '../../cases/case.ts';
import type { Draft } from '../draft.ts';
import type { Entry } from '../entries.ts';
import { enrollmentSections, priorAuthSections, type SectionSpec } from '../labels.ts';
import { fullNameOf } from '../request.ts';
import { standingOf } from './status.tsx';
import { Time } from './time.tsx';

/** What speaks against sending without a second look. */
export interface Cautions {
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** What is odd about the chart, a sentence each. */
  readonly warnings: readonly string[];
  /** What a person entered and no field of the page shows. */
  readonly entries: readonly Entry[];
  /** Nobody has looked through the request under the present rules. */
  readonly rulesChanged: boolean;
  readonly sections: readonly SectionSpec[];
}

export function cautionsOf(draft: Draft, earlier: readonly Ended[]): Cautions {
  const forbidden = draft.pull.forbidden.map(
    (type) => `The EHR does not let you read ${type}. What it would hold has to be entered by hand.`,
  );
  return {
    earlier,
    warnings: [...forbidden, ...draft.pull.warnings, ...draft.chart.warnings],
    entries: draft.entriesBeside,
    rulesChanged: draft.rulesChange !== undefined,
    sections: draft.kind === 'prior-auth' ? priorAuthSections : enrollmentSections,
  };
}

/** The cautions in words; nothing when all is well. The verdict leads here. */
export function DraftNotices({
  cautions: { earlier, warnings, entries, sections },
  home,
  form,
}: {
  readonly cautions: Cautions;
  readonly home: string;
  /** Id of the form that can take an entry back. */
  readonly form?: string;
}): VNode | null {
  if (earlier.length + warnings.length + entries.length === 0) return null;
  return (
    <div id="cautions" tabIndex={-1}>
      {earlier.map((one) => (
        <p key={one.id} class="notice">
          There is already a finished request for this order:{' '}
          <a href={`${home}/cases/${one.id}`}>{standingOf(one).label}</a>, <Time at={one.endedAt} />. What you fill in
          here is a new request.
        </p>
      ))}
      {entries.length > 0 && <EntriesBeside entries={entries} sections={sections} form={form} />}
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

function EntriesBeside({
  entries,
  sections,
  form,
}: {
  readonly entries: readonly Entry[];
  readonly sections: readonly SectionSpec[];
  readonly form: string | undefined;
}): VNode {
  return (
    <div class="notice" id="entries" tabIndex={-1}>
      <h2>Entered earlier, without a field on this page</h2>
      <ul>
        {entries.map(({ target, text, goes }) => (
          <li key={target}>
            {fullNameOf(target, sections)}: {text === undefined ? 'cleared' : <q>{text}</q>}.{' '}
            {goes
              ? 'It goes with the request.'
              : 'Requests have no such field any more. It is kept here and is not sent.'}{' '}
            {form !== undefined && (
              <button type="submit" form={form} name="reset" value={target} class="link">
                Take the entry back<span class="hidden"> for {fullNameOf(target, sections)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
