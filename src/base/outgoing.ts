export interface Outgoing {
  readonly fetch: typeof globalThis.fetch;
  /**
   * Aborts every request under way, and rejects later ones before they are sent. A request that had been sent may have
   * arrived, so its answer counts as lost; the error of an unsent request states that it was not sent.
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

/** The code of a request that was not sent because the process is ending. */
const notSentCode = 'STOPPED';

class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(readonly code: 'STOPPING' | typeof notSentCode) {
    super('the process is ending');
  }
}
