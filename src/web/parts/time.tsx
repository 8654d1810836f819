import type { VNode } from 'preact';
import { dayText } from '../../fhir/time/day-text.ts';

/** An instant in UTC, day and minute. Times of the service carry no zone and are shown as they came. */
export function Time({ at }: { readonly at: string }): VNode {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(at);
  const iso = zoned ? new Date(at).toISOString() : at;
  return (
    <time dateTime={iso}>
      {dayText(iso)}
      {iso.length > 10 && `, ${clockText(iso.slice(11, 16))}${zoned ? ' UTC' : ''}`}
    </time>
  );
}

// `15:04` as `3:04 PM`: as the browser writes the times whose zone it knows.
function clockText(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
