import { fewestCases, trendWeeks } from '../../../cases/trends.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { plural } from '../../ui/common-words.ts';

export const trendWords = {
  title: 'Trends',
  heading: 'Trends',
  link: 'Trends of the last weeks',
  back: 'Back to the worklist',
  lead:
    `Prior authorizations of the last ${trendWeeks} weeks. ` +
    `Numbers from fewer than ${fewestCases} requests are not shown.`,
  weeks: 'By week',
  columnsMean:
    'Approved first time: of the requests that were approved or denied in the week, the share approved as first ' +
    'sent, without a question of the payer and without an earlier request for the same order.',
  counted: 'The numbers are counted again every ten minutes.',
  picture: 'Requests sent and decided by week. The table below has the numbers.',
  scale: (most: number) => `Tallest bar: ${most}`,
  columns: {
    week: 'Week of',
    sent: 'Sent',
    decided: 'Decided',
    firstPass: 'Approved first time',
    typed: 'Typed per request',
  },
  few: '–',
  share: (share: number) => `${Math.round(share * 100)}%`,
  mean: (count: number) => count.toFixed(1),
  payers: 'Days with the payer',
  noPayers: `No payer has decided ${fewestCases} requests yet.`,
  decided: (count: number) => plural(count, 'decision', 'decisions'),
  /** For the median number of days. */
  days: (days: number) => (days < 1 ? 'under 1 day' : plural(Math.round(days), 'day', 'days')),
} as const;

/** `Nov 23` for `2026-11-23`. */
export function dayInMonth(day: string): string {
  return dayText(day).replace(/, \d{4}$/, '');
}
