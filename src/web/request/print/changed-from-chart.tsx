import type { VNode } from 'preact';
import { type Entered, userText } from '../../../cases/case.ts';
import { sign as words } from '../../pages/sign/words.ts';
import { Time } from '../../ui/time.tsx';
import type { SectionSpec } from '../labels.ts';
import { fullNameOf, type RequestLeaf, type RequestView } from './shown-request.ts';

interface ChangedProps {
  readonly request: RequestView;
  readonly sections: readonly SectionSpec[];
  /** Who made each entry, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
  readonly zone: string;
}

/** What people changed against the chart: from what to what, by whom and when. Nothing where all is the chart's. */
export function ChangedFromChart({ request, sections, enteredBy, zone }: ChangedProps): VNode | null {
  const changed = changedIn(request);
  if (changed.length === 0) return null;
  return (
    <ul class="plain from-to">
      {changed.map((leaf) => (
        <li key={leaf.target}>
          <strong>{fullNameOf(leaf.target, sections)}</strong>: {fromTo(leaf)}
          <By entered={enteredBy[leaf.target]} zone={zone} />
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

function fromTo({ had, text, why }: RequestLeaf): string {
  if (text === undefined) return `${words.left(had ?? '')}${why === undefined ? '' : `: ${why}`}`;
  return had === undefined ? words.added(text) : words.from(had, text);
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
