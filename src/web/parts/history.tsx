import type { VNode } from 'preact';
import { type HistoryEntry, userText } from '../../cases/case.ts';
import { Time } from './time.tsx';

/** What happened to a case, newest first, and by whom when a person did it. */
export function History({ entries }: { readonly entries: readonly HistoryEntry[] }): VNode {
  return (
    <ol class="timeline">
      {entries.toReversed().map((entry, index) => (
        <li key={`${entry.at} ${entries.length - index}`}>
          <p class="when">
            <Time at={entry.at} />
          </p>
          <p>{entry.what}</p>
          {entry.by !== 'bridge' && <p class="hint">by {userText(entry.by)}</p>}
        </li>
      ))}
    </ol>
  );
}
