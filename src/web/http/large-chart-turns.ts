import type { Turn } from '../../ehr/smart/types.ts';

/** A turn that its holder must end. */
export interface OwnTurn extends Turn {
  /** Ends the turn, or stops waiting for the turn. */
  end(): void;
}

/**
 * Charts with large documents are read one at a time in the whole process, first come, first served, so that only one
 * of them is in memory.
 */
export function createTurns(waitMilliseconds: number): () => OwnTurn {
  const waiting = new Set<() => void>();
  let isTaken = false;

  const next = (): void => {
    const [first] = waiting;
    isTaken = first !== undefined;
    if (first === undefined) return;
    waiting.delete(first);
    first();
  };

  return () => {
    let asked: Promise<boolean> | undefined;
    let giveUp = () => {};
    let isMine = false;
    const wait = (): Promise<boolean> =>
      new Promise((resolve) => {
        const start = () => {
          clearTimeout(timer);
          isMine = true;
          resolve(true);
        };
        giveUp = () => {
          clearTimeout(timer);
          waiting.delete(start);
          resolve(isMine);
        };
        const timer = setTimeout(() => giveUp(), waitMilliseconds).unref();
        waiting.add(start);
        if (!isTaken) next();
      });
    return {
      take() {
        asked ??= wait();
        return asked;
      },
      end() {
        giveUp();
        if (!isMine) return;
        isMine = false;
        next();
      },
    };
  };
}
