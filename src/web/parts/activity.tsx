import type { VNode } from 'preact';
import type { ActivityEntry } from '../../service/contract.ts';
import { Time } from './time.tsx';

const names: Readonly<Record<string, string>> = {
  sent_fax: 'Fax sent to the payer',
  received_fax: 'Fax received',
  follow_up_call: 'Call to the payer',
};

// Times of the service are of one form, so that their texts sort.
function newestFirst(one: ActivityEntry, other: ActivityEntry): number {
  if (one.created_at === other.created_at) return 0;
  return other.created_at < one.created_at ? -1 : 1;
}

/**
 * Faxes and calls as the service logged them, newest first. A fax's link is short-lived, so the letter itself goes into
 * the chart, not its link here.
 */
export function ActivityLog({ entries }: { readonly entries: readonly ActivityEntry[] }): VNode | null {
  if (entries.length === 0) return null;
  return (
    <section class="card" aria-labelledby="activity">
      <h2 id="activity">Activity at the service</h2>
      <ol class="timeline">
        {entries.toSorted(newestFirst).map((entry) => (
          <li key={entry.id}>
            <p class="when">
              <Time at={entry.created_at} />
            </p>
            <p>{names[entry.type ?? ''] ?? (entry.type ?? 'Activity').replaceAll('_', ' ')}</p>
            {entry.details?.notes !== undefined && <p class="hint">{entry.details.notes}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
