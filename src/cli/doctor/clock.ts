import type { Clock } from '../../base/log.ts';
import { type DoctorFinding, note, ok, problemFinding } from './finding.ts';

/** Seconds by which another machine's clock is ahead of ours, by host; from the Date header. */
export type Ahead = ReadonlyMap<string, number>;

/** The same fetch, which also records the difference of the server's clock. RFC 9110 6.6.1. */
export function watchClocks(
  fetch: typeof globalThis.fetch,
  clock: Clock,
): { readonly fetch: typeof globalThis.fetch; readonly ahead: Ahead } {
  const ahead = new Map<string, number>();
  return {
    ahead,
    async fetch(input, init) {
      const before = clock().getTime();
      const answer = await fetch(input, init);
      const theirs = Date.parse(answer.headers.get('date') ?? '');
      const ours = (before + clock().getTime()) / 2;
      const { host } = new URL(input instanceof Request ? input.url : String(input));
      // The header has no fractions of a second.
      if (!Number.isNaN(theirs)) ahead.set(host, Math.round((theirs + 500 - ours) / 1000));
      return answer;
    },
  };
}

/**
 * A signed assertion is valid for four minutes; for an id_token or a webhook the clocks may differ by two to five
 * minutes.
 */
const tooFar = 60;
const noticed = 10;

export function clockFindings(ahead: Ahead): DoctorFinding[] {
  if (ahead.size === 0) return [note('No answer said what time it is.')];
  return [...ahead].map(([host, seconds]) => {
    const text = `${host} is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine.`;
    if (Math.abs(seconds) >= tooFar)
      return problemFinding(
        text,
        'Set this machine’s clock by NTP: signatures and tokens are refused when clocks differ.',
      );
    return Math.abs(seconds) > noticed ? note(text) : ok(`${host} has the same time.`);
  });
}
