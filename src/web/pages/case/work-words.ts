import type { ValueCounts } from '../../../cases/value-counts.ts';
import type { Effort, SentSummary } from '../../../store/types.ts';
import { plural } from '../../ui/common-words.ts';

/** `22 values from the chart, 2 typed, 1 changed; 6 minutes in 3 visits`; empty if nothing is known. */
export function workText(counts: ValueCounts | undefined, effort: Effort | undefined): string {
  const values =
    counts === undefined
      ? []
      : [
          [
            `${plural(counts.chart, 'value', 'values')} from the chart`,
            ...(counts.typed === 0 ? [] : [`${counts.typed} typed`]),
            ...(counts.changed === 0 ? [] : [`${counts.changed} changed`]),
          ].join(', '),
        ];
  const time =
    effort === undefined ? [] : [`${minutesText(effort.seconds)} in ${plural(effort.touches, 'visit', 'visits')}`];
  return [...values, ...time].join('; ');
}

/** The worklist's line about the practice's recent requests; empty if there were none. */
export function sentLatelyText(sent: SentSummary, days: number): string {
  if (sent.requests === 0) return '';
  const values = sent.chart + sent.typed + sent.changed;
  const percent = values === 0 ? '' : `${Math.floor((sent.chart / values) * 100)}% of the values came from the chart, `;
  const minutes = minutesText(sent.seconds);
  const time = minutes === underAMinute ? minutes : `${minutes} or less`;
  const middle = `half took ${time} in ${plural(sent.touches, 'visit', 'visits')}`;
  const count = plural(sent.requests, 'prior authorization', 'prior authorizations');
  return `Last ${days} days: ${count} sent, ${percent}${middle}.`;
}

const underAMinute = 'under a minute';

function minutesText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes === 0 ? underAMinute : plural(minutes, 'minute', 'minutes');
}
