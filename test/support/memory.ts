import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** What a process and all that it started hold, in megabytes (Linux). */
export interface Held {
  /** The most that they held together, each with its own part of what they share. */
  readonly together: number;
  /** The most that the process itself held. */
  readonly alone: number;
  /** The most that one of those that it started held. */
  readonly oneOfThem: number;
}

/** Looks every few milliseconds until `stop` is called. */
export function watchMemory(pid: number): { stop(): Promise<Held> } {
  const most = { together: 0, alone: 0, oneOfThem: 0 };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const started = descendantsOf(pid).map(heldBy);
      const alone = heldBy(pid);
      most.alone = Math.max(most.alone, alone);
      most.together = Math.max(
        most.together,
        started.reduce((sum, held) => sum + held, alone),
      );
      most.oneOfThem = Math.max(most.oneOfThem, ...started);
      await pause(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      return most;
    },
  };
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(pid: number): number[] {
  const tasks = orNothing(() => readdirSync(`/proc/${pid}/task`), []);
  return tasks.flatMap((task) =>
    orNothing(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), '')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

function heldBy(pid: number): number {
  const status = orNothing(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

// It may have ended meanwhile.
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}
