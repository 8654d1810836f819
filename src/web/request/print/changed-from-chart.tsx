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
  /** Who made each entry, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
  /** The chart's values there that could not be used. */
  readonly notTaken?: NotTaken | undefined;
  /** What was offered there, without being a value of the chart. */
  readonly proposed?: NotTaken | undefined;
  readonly zone: string;
}

/**
 * A person's changes to chart values: the old and the new value, the author and the time. Nothing if all values are the
 * chart's.
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
          {/* diagnoses are chosen together */}
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
  // a chart has many problems, and none of them corresponds to a single code
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
