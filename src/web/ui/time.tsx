import type { VNode } from 'preact';

interface TimeProps {
  /** An ISO 8601 instant; without a zone it is read as UTC. */
  readonly at: string;
  /** An IANA time zone, used until the browser shows the reader's own time. */
  readonly zone?: string;
}

/**
 * An instant as day and minute: `Nov 21, 2026, 9:40 AM CST`. The page's script replaces it with the reader's local
 * time.
 */
export function Time({ at, zone = 'UTC' }: TimeProps): VNode {
  const instant = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`);
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>;
  return <time dateTime={instant.toISOString()}>{timeText(instant, zone)}</time>;
}

/** The text of an instant in this zone, for output outside a browser. */
export function timeText(instant: Date, zone: string): string {
  return formatterOf(zone)
    .format(instant)
    .replaceAll(/[\u202f\u00a0]/g, ' ');
}

// Formatters are kept, because creating one costs far more than using it.
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
