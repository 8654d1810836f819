import type { VNode } from 'preact';
import { type Entered, userText } from '../../../cases/case.ts';
import { isWithin } from '../../../core/mapping/target.ts';
import { sign as words } from '../../pages/sign/words.ts';
import { Time } from '../../ui/time.tsx';
import { replacedText } from '../field-words.ts';
import type { SectionSpec } from '../labels.ts';
import type { NotTaken } from '../not-taken.ts';
import { fullNameOf, type RequestLeaf, type RequestView } from './shown-request.ts';

interface ChangedProps {
  readonly request: RequestView;
  readonly sections: readonly SectionSpec[];
  /** Who made each entry and when, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
  /** Values of the chart that could not be used, by the target of the entry. */
  readonly notTaken?: NotTaken | undefined;
  /** Values that were proposed without being in the chart, by the target of the entry. */
  readonly proposed?: NotTaken | undefined;
  readonly zone: string;
}

/**
 * What people changed from the chart: the old and the new value, who and when. null if every value comes from the
 * chart.
 */
export function ChangedFromChart({
  request,
  sections,
  enteredBy,
  notTaken = {},
  proposed = {},
  zone,
}: ChangedProps): VNode | null {
  const changed = changedIn(request);
  if (changed.length === 0) return null;
  return (
    <ul class="plain from-to">
      {changed.map((leaf) => (
        <li key={leaf.target}>
          <strong>{fullNameOf(leaf.target, sections)}</strong>:{' '}
          {fromTo(leaf, notTaken[leaf.target] ?? [], proposed[leaf.target] ?? [])}
          {/* Diagnoses are chosen together, so all have one author. */}
          <By entered={enteredBy[leaf.target] ?? enteredBy[leaf.target.replace(/\[.*/, '')]} zone={zone} />
        </li>
      ))}
    </ul>
  );
}

/** The leaves that a person entered, changed or cleared. */
export function changedIn({ sections }: RequestView): RequestLeaf[] {
  return sections
    .flatMap(({ leaves }) => leaves)
    .filter(({ provenance, text, had }) => provenance?.kind === 'entered' && (text ?? had) !== undefined);
}

function fromTo(
  { target, had, text, why, provenance }: RequestLeaf,
  said: readonly string[],
  proposed: readonly string[],
): string {
  if (text === undefined) return `${words.left(had ?? '')}${why === undefined ? '' : `: ${why}`}`;
  const kind = provenance?.replacedKind;
  if (had !== undefined)
    return kind === undefined ? words.from(had, text) : words.beside(text, replacedText(had, kind));
  // No single problem of the chart corresponds to a code, so no old value is shown.
  return isWithin(target, 'diagnoses') ? words.chosen(text) : words.added(text, said, proposed);
}

function By({ entered, zone }: { readonly entered: Entered | undefined; readonly zone: string }): VNode | null {
  if (entered === undefined) return null;
  return (
    <small>
      {' '}
      {userText(entered)}
      {entered.at !== undefined && (
        <>
          , <Time at={entered.at} zone={zone} />
        </>
      )}
    </small>
  );
}
