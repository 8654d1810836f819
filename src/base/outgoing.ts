/** The requests of this process to EHRs and services. */
export interface Outgoing {
  readonly fetch: typeof globalThis.fetch;
  /**
   * Gives up every request under way, and every later one before it leaves. One that had left may have arrived, and
   * ends as one whose answer was lost; one that did not leave says so.
   */
  giveUp(): void;
}

export function createOutgoing(
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): Outgoing {
  const ending = new AbortController();
  return {
    async fetch(input, init) {
      if (ending.signal.aborted) throw new StoppedError(notSentCode);
      const signals = [ending.signal, ...(init?.signal == null ? [] : [init.signal])];
      return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
    giveUp: () => ending.abort(new StoppedError('STOPPING')),
  };
}

/** The code of a request that did not leave, since the process is ending. */
const notSentCode = 'STOPPED';

class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(readonly code: 'STOPPING' | typeof notSentCode) {
    super('the process is ending');
  }
}
