import type { Clock } from '../../base/log.ts';
import { type DoctorFinding, note, ok, problemFinding } from './finding.ts';

/** By host: how many seconds its clock, as read from the HTTP Date header, is ahead of this machine's clock. */
export type Ahead = ReadonlyMap<string, number>;

/** Returns `fetch` extended to fill `ahead` from the Date header of each response (RFC 9110 6.6.1). */
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
      // The Date header has whole seconds, so on average it is half a second behind the true time.
      if (!Number.isNaN(theirs)) ahead.set(host, Math.round((theirs + 500 - ours) / 1000));
      return answer;
    },
  };
}

/**
 * Seconds. Client assertions expire after four minutes; for id_tokens and webhooks, clocks may differ by two to five
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
