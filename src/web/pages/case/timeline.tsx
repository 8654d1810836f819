import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import { Time } from '../../ui/time.tsx';
import type { Happening, Timeline } from './case-timeline.ts';
import { timeline as words } from './words.ts';

interface TimelineProps {
  readonly timeline: Timeline;
  readonly zone: string;
  /** false hides the notes of calls, which may be the payer's questions. */
  readonly withNotes?: boolean;
}

/** The events of a request, newest first, with minor events folded. */
export function TimelineCard({ timeline: { milestones, details }, zone, withNotes = true }: TimelineProps): VNode {
  return (
    <section class="card" aria-labelledby="happened">
      <h2 id="happened">{words.heading}</h2>
      <Happenings all={milestones} zone={zone} withNotes={withNotes} />
      {details.length > 0 && (
        <details class="small-things">
          <summary>{words.details(details.length)}</summary>
          <Happenings all={details} zone={zone} withNotes={withNotes} />
        </details>
      )}
    </section>
  );
}

interface HappeningsProps extends Required<Pick<TimelineProps, 'zone' | 'withNotes'>> {
  readonly all: readonly Happening[];
}

function Happenings({ all, zone, withNotes }: HappeningsProps): VNode {
  return (
    <ol class="timeline">
      {all.map(({ at, what, by, lasted, note }, index) => (
        <li key={`${at} ${all.length - index}`}>
          <p class="what">{what}</p>
          <p class="when">
            <Time at={at} zone={zone} />
            {lasted !== undefined && <span class="lasted">, {words.lasted(lasted)}</span>}
            {by !== undefined && by !== 'bridge' && ` ${words.by} ${userText(by)}`}
          </p>
          {withNotes && note !== undefined && <p class="note">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
