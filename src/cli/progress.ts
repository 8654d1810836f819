import type { RunProgress } from '../batch/run.ts';
import type { Io } from './io.ts';

/** Shows a progress line on stderr, on a terminal only; `done` clears it. */
export function createProgress(io: Io): { readonly show: (progress: RunProgress) => void; readonly done: () => void } {
  if (io.stderr.isTTY !== true) return { show: () => {}, done: () => {} };
  const lineOf = progressLines();
  let last = 0;
  return {
    show: (progress) => {
      const now = io.clock().getTime();
      const line = lineOf(progress, now);
      if (now - last < 100) return;
      last = now;
      io.stderr.write(`\r\u001B[K${line}`);
    },
    done: () => void io.stderr.write('\r\u001B[K'),
  };
}

/**
 * Returns a function that formats a line: `2 of 9 files read`, then `41% mapped, 8,200 orders, 1,190 a second, 12 s
 * left`. The rate counts only orders of this run, since those of a resumed run took no time. `now` is in milliseconds.
 */
export function progressLines(): (progress: RunProgress, now: number) => string {
  let begun: { readonly at: number; readonly orders: number; readonly done: number } | undefined;
  return ({ step, files, of, orders, done }, now) => {
    if (step === 'reading')
      return `${files} of ${of} files read${orders === 0 ? '' : `, ${orders.toLocaleString('en-US')} orders`}`;
    begun ??= { at: now, orders, done };
    const head = `${Math.floor(done * 100)}% mapped, ${orders.toLocaleString('en-US')} orders`;
    if (done === begun.done) return head;
    const seconds = (now - begun.at) / 1000;
    const rate = Math.round((orders - begun.orders) / Math.max(seconds, 0.1));
    const left = Math.ceil((seconds * (1 - done)) / (done - begun.done));
    return (
      `${head}, ${rate.toLocaleString('en-US')} a second, ` +
      `${left < 100 ? `${left} s` : `${Math.round(left / 60)} min`} left`
    );
  };
}
