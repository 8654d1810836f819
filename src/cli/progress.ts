import type { RunProgress } from '../batch/run.ts';
import type { Io } from './io.ts';

/** A line on stderr that says how far the work is, on a terminal only; `done` clears it. */
export function createProgress(io: Io): { readonly tell: (progress: RunProgress) => void; readonly done: () => void } {
  if (io.stderr.isTTY !== true) return { tell: () => {}, done: () => {} };
  const start = io.clock().getTime();
  let last = 0;
  return {
    tell: (progress) => {
      const now = io.clock().getTime();
      if (now - last < 100) return;
      last = now;
      io.stderr.write(`\r\u001B[K${progressLine(progress, (now - start) / 1000)}`);
    },
    done: () => void io.stderr.write('\r\u001B[K'),
  };
}

/** `2 of 9 files read`; then `41 % mapped, 8,200 orders, 1,190 a second, 12 s left`. */
export function progressLine({ step, files, of, orders, done }: RunProgress, seconds: number): string {
  if (step === 'reading')
    return `${files} of ${of} files read${orders === 0 ? '' : `, ${orders.toLocaleString('en-US')} orders`}`;
  const rate = Math.round(orders / Math.max(seconds, 0.1));
  const left = Math.ceil((seconds * (1 - done)) / done);
  return (
    `${Math.floor(done * 100)} % mapped, ${orders.toLocaleString('en-US')} orders, ` +
    `${rate.toLocaleString('en-US')} a second, ${left < 100 ? `${left} s` : `${Math.round(left / 60)} min`} left`
  );
}
