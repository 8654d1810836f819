import type { VNode } from 'preact';
import { type Entered, userText } from '../../../cases/case.ts';
import { isWithin } from '../../../core/mapping/target.ts';
import { sign as words } from '../../pages/sign/words.ts';
import { Time } from '../../ui/time.tsx';
import type { SectionSpec } from '../labels.ts';
import type { NotTaken } from '../not-taken.ts';
import { fullNameOf, type RequestLeaf, type RequestView } from './shown-request.ts';

interface ChangedProps {
  readonly request: RequestView;
  readonly sections: readonly SectionSpec[];
  /** Who made each entry, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
  /** What the chart says there and was not taken. */
  readonly notTaken?: NotTaken | undefined;
  readonly zone: string;
}

/** What people changed against the chart: from what to what, by whom and when. Nothing where all is the chart's. */
export function ChangedFromChart({ request, sections, enteredBy, notTaken = {}, zone }: ChangedProps): VNode | null {
  const changed = changedIn(request);
  if (changed.length === 0) return null;
  return (
    <ul class="plain from-to">
      {changed.map((leaf) => (
        <li key={leaf.target}>
          <strong>{fullNameOf(leaf.target, sections)}</strong>: {fromTo(leaf, notTaken[leaf.target] ?? [])}
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

function fromTo({ target, had, text, why }: RequestLeaf, said: readonly string[]): string {
  if (text === undefined) return `${words.left(had ?? '')}${why === undefined ? '' : `: ${why}`}`;
  if (had !== undefined) return words.from(had, text);
  // the problems of a chart are many, and none of them stands in the place of a code
  return isWithin(target, 'diagnoses') ? words.chosen(text) : words.added(text, said);
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
