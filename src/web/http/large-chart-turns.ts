import type { Turn } from '../../ehr/smart/types.ts';

/** A turn that somebody has to give back. */
export interface OwnTurn extends Turn {
  /** Lets the next one have it; also gives up waiting for it. */
  end(): void;
}

/**
 * One turn at a time for the whole process, in the order in which they were asked for. Charts with large documents are
 * read by turns, so that the bytes of several of them never lie in memory together.
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
