import type { VNode } from 'preact';
import { dayText } from './banner.tsx';

/** An instant in UTC, day and minute. Times of the service carry no zone and are shown as they came. */
export function Time({ at }: { readonly at: string }): VNode {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(at);
  const iso = zoned ? new Date(at).toISOString() : at;
  return (
    <time dateTime={iso}>
      {dayText(iso)}
      {iso.length > 10 && `, ${iso.slice(11, 16)}${zoned ? ' UTC' : ''}`}
    </time>
  );
}
