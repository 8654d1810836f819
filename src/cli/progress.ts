import type { Progress } from '../batch/map.ts';
import type { Io } from './io.ts';

/** A line on stderr that says how far the work is, on a terminal only; `done` clears it. */
export function createProgress(io: Io): { readonly tell: (progress: Progress) => void; readonly done: () => void } {
  if (io.stderr.isTTY !== true) return { tell: () => {}, done: () => {} };
  let last = 0;
  return {
    tell: ({ files, of, orders }) => {
      const now = io.clock().getTime();
      if (now - last < 100) return;
      last = now;
      io.stderr.write(`\r\u001B[K${files} of ${of} files read, ${orders} orders`);
    },
    done: () => void io.stderr.write('\r\u001B[K'),
  };
}
