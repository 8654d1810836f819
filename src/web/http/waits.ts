import { setTimeout as pause } from 'node:timers/promises';

/** How long a browser waits for an answer before it gets a waiting page. */
export interface Patience {
  /** How long the first request waits, in milliseconds. */
  readonly firstMs: number;
  /** How long each further request of the waiting page waits, in milliseconds. */
  readonly againMs: number;
}

/** Work at the EHR that a page waits for across several requests. */
export interface Waits {
  /**
   * The result of the work once it is done; undefined while the work continues. If the work fails, one request gets the
   * error and the next request starts the work again. With `isLook`, the result or error stays for the next request.
   */
  result<T>(
    key: string,
    work: () => Promise<T>,
    options?: { readonly isLook?: boolean },
  ): Promise<{ readonly value: T } | undefined>;
}

/** How long a result is kept for a browser that sends no further request. */
const keepMs = 60_000;

export const patience: Patience = { firstMs: 700, againMs: 15_000 };

export function createWaits({ firstMs, againMs }: Patience = patience): Waits {
  const running = new Map<string, Promise<unknown>>();

  const start = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const started = work();
    running.set(key, started);
    const forget = () => {
      if (running.get(key) === started) running.delete(key);
    };
    const later = () => void setTimeout(forget, keepMs).unref();
    started.then(later, later);
    return started;
  };

  /** undefined if the work takes longer than a browser waits. */
  const soon = async <T>(key: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> => {
    const known = running.get(key) as Promise<T> | undefined; // each key is used for one type of value
    const reading = known ?? start(key, work);
    const stop = new AbortController();
    const options = { ref: false, signal: stop.signal };
    const late = pause(known === undefined ? firstMs : againMs, undefined, options).catch(() => undefined);
    try {
      return await Promise.race([reading.then((value) => ({ value })), late]);
    } finally {
      stop.abort();
    }
  };

  return {
    async result(key, work, { isLook = false } = {}) {
      const forget = () => void (isLook || running.delete(key));
      try {
        const found = await soon(key, work);
        if (found !== undefined) forget();
        return found;
      } catch (thrown) {
        forget();
        throw thrown;
      }
    },
  };
}
