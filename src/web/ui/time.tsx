import type { VNode } from 'preact';

interface TimeProps {
  /** An instant with its zone; without one it counts as UTC. */
  readonly at: string;
  /** The time zone until the browser applies the reader's own: an IANA name. */
  readonly zone?: string;
}

/** `Nov 21, 2026, 9:40 AM CST`: day and minute. The browser replaces it with the reader's local time; see bridge.js. */
export function Time({ at, zone = 'UTC' }: TimeProps): VNode {
  const instant = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`);
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>;
  return <time dateTime={instant.toISOString()}>{timeText(instant, zone)}</time>;
}

/** The text of `Time`, for output outside a browser. */
export function timeText(instant: Date, zone: string): string {
  return formatterOf(zone)
    .format(instant)
    .replaceAll(/[\u202f\u00a0]/g, ' ');
}

// Creating a formatter costs far more than using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  formatters.set(timeZone, made);
  return made;
}
