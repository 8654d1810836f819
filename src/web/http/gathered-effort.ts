import type { Log } from '../../base/log.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { EffortTable } from '../../store/types.ts';

const gatherMs = 5000;

export interface GatheredEffort extends EffortTable {
  /** Writes the gathered actions and stops gathering. */
  close(): Promise<void>;
}

/**
 * The first action on a case is written at once. The actions of the next five seconds become one write with the time of
 * the last action, so that touches and seconds add up as if each had been written. A killed process loses those five
 * seconds. `of` includes everything that this process gathered; actions of other processes appear later.
 */
export function gatherEffort(table: EffortTable, { log }: { readonly log: Log }): GatheredEffort {
  const waiting = new Map<string, { lastAt?: number; opens: boolean; readonly timer: NodeJS.Timeout }>();
  const state = { isClosed: false };

  const gather = (id: string): void => {
    if (!state.isClosed) waiting.set(id, { opens: true, timer: setTimeout(() => void goOn(id), gatherMs).unref() });
  };
  /** false if there was nothing to write. */
  const write = async (id: string): Promise<boolean> => {
    const one = waiting.get(id);
    clearTimeout(one?.timer);
    waiting.delete(id);
    if (one?.lastAt === undefined) return false;
    const { lastAt, opens } = one;
    await table.note(id, { agoMs: performance.now() - lastAt, opens }).catch((thrown: unknown) => {
      log.warn({ case: id, code: asBridgeError(thrown).code }, 'the work on a case was not noted');
    });
    return true;
  };
  const goOn = async (id: string): Promise<void> => {
    if (await write(id)) gather(id);
  };

  return {
    async note(id, { opens = false } = {}) {
      const one = waiting.get(id);
      if (one !== undefined) {
        one.lastAt = performance.now();
        one.opens &&= opens;
        return;
      }
      gather(id);
      await table.note(id, { opens });
    },
    async of(id) {
      await write(id);
      return await table.of(id);
    },
    sent: (site, days) => table.sent(site, days),
    async close() {
      state.isClosed = true;
      for (const id of [...waiting.keys()]) await write(id);
    },
  };
}
