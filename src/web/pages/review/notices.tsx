import type { VNode } from 'preact';
import type { ListedEnded } from '../../../cases/case.ts';
import { dateOrText } from '../../../core/fhir/time/day-text.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Draft } from '../../request/draft.ts';
import { gapText } from '../../request/field-words.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { anchorOf, leafLabel, type SectionSpec } from '../../request/labels.ts';
import { fullNameOf } from '../../request/print/shown-request.ts';
import type { UnshownEntry } from '../../request/typed/entries.ts';
import { common } from '../../ui/common-words.ts';
import { standingOf } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { review, warningWords } from './words.ts';

/** Points that a person should check before sending. */
export interface Cautions {
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly ListedEnded[];
  /** The ids of the `earlier` requests that were denied and have the same content as this request. */
  readonly repeats: readonly string[];
  /** Oddities of the chart, each as a sentence. */
  readonly warnings: readonly string[];
  /** Entries of people that no field of the page shows. */
  readonly entries: readonly UnshownEntry[];
  /** true if nobody has reviewed the request under the current rules. */
  readonly rulesChanged: boolean;
  readonly sections: readonly SectionSpec[];
}

export function cautionsOf(draft: Draft, { earlier, repeats }: Pick<Cautions, 'earlier' | 'repeats'>): Cautions {
  const forbidden = draft.pull.forbidden.map(
    (type) => `Your EHR account cannot read part of the chart (${type}). Enter what it would hold by hand.`,
  );
  return {
    earlier,
    repeats,
    warnings: [...forbidden, ...draft.pull.warnings, ...draft.chart.warnings],
    entries: draft.entriesBeside,
    rulesChanged: draft.rulesChange !== undefined,
    sections: kindPages[draft.kind].sections,
  };
}

/** The number of points in the list of warnings, without gaps. */
export function countOf({ earlier, warnings, entries, rulesChanged }: Cautions): number {
  return earlier.length + warnings.length + entries.length + Number(rulesChanged);
}

/** All warnings: about the chart, earlier requests and values. null without warnings. */
export function Warnings({
  cautions,
  gaps,
  home,
  form,
  hrefOf,
}: {
  readonly cautions: Cautions;
  /** Warnings about values. */
  readonly gaps: readonly Gap[];
  readonly home: string;
  /** The id of the form with which an entry can be removed. */
  readonly form?: string;
  /** Returns the URL at which a value can be edited. */
  readonly hrefOf: (anchor: string) => string;
}): VNode | null {
  const { earlier, repeats, warnings, entries, rulesChanged, sections } = cautions;
  const count = countOf(cautions) + gaps.length;
  if (count === 0) return null;
  return (
    <section class="card warnings" id="warnings" aria-labelledby="warnings-title" tabIndex={-1}>
      <h2 id="warnings-title">{warningWords(count)}</h2>
      <ul class="plain">
        {earlier.map((one) => (
          <li key={one.id}>
            This order already has a decision: <a href={`${home}/cases/${one.id}`}>{standingOf(one).label}</a>,{' '}
            <Time at={one.endedAt} />. What you fill in here is a new request.
            {repeats.includes(one.id) && <strong> {review.sameAsDenied}</strong>}
          </li>
        ))}
        {gaps.map((gap) => (
          <li key={`${gap.target} ${gap.message}`}>
            {gapText(gap)}{' '}
            <a href={hrefOf(anchorOf(gap.target, sections))} class="no-print">
              {common.edit}
              <span class="hidden"> {leafLabel(gap.target, sections)}</span>
            </a>
          </li>
        ))}
        {rulesChanged && <li>{review.rulesChanged}</li>}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      {entries.length > 0 && <EntriesBeside entries={entries} sections={sections} form={form} />}
    </section>
  );
}

function EntriesBeside({
  entries,
  sections,
  form,
}: {
  readonly entries: readonly UnshownEntry[];
  readonly sections: readonly SectionSpec[];
  readonly form: string | undefined;
}): VNode {
  return (
    <div id="entries" tabIndex={-1}>
      <h3>Entered earlier, without a field on this page</h3>
      <ul>
        {entries.map(({ target, text, goes }) => (
          <li key={target}>
            {fullNameOf(target, sections)}: {text === undefined ? 'cleared' : <q>{dateOrText(text)}</q>}.{' '}
            {goes
              ? 'It goes with the request.'
              : 'Requests have no such field any more. It is kept here and is not sent.'}{' '}
            {form !== undefined && (
              <button type="submit" form={form} name="reset" value={target} class="link">
                Clear the entry<span class="hidden"> for {fullNameOf(target, sections)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
