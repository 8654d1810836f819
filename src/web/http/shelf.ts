import type { Clock } from '../../base/log.ts';

/** What is held for a while: the oldest goes when there are too many bytes, each goes when its time is over. */
export interface Shelf<T> {
  get(key: string): T | undefined;
  put(key: string, value: T, bytes: number): void;
  drop(isMeant: (key: string) => boolean): void;
  size(): { readonly count: number; readonly bytes: number };
}

/** `bytes` bounds all together; what is larger alone is not held at all. */
export function createShelf<T>(options: {
  readonly clock: Clock;
  readonly bytes: number;
  readonly milliseconds: number;
}): Shelf<T> {
  const { clock, bytes, milliseconds } = options;
  const held = new Map<string, { readonly value: T; readonly bytes: number; readonly until: number }>();
  const state: { bytes: number; timer?: NodeJS.Timeout } = { bytes: 0 };

  const remove = (key: string): void => {
    state.bytes -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  };
  const sweep = (): void => {
    const now = clock().getTime();
    // they lie in the order of their ends: each is held equally long
    for (const [key, { until }] of held) {
      if (until > now && state.bytes <= bytes) break;
      remove(key);
    }
  };
  // what nobody asks for again goes too, without keeping the process alive
  const watch = (): void => {
    if (state.timer !== undefined || held.size === 0) return;
    state.timer = setTimeout(() => {
      delete state.timer;
      sweep();
      watch();
    }, milliseconds).unref();
  };

  return {
    get(key) {
      sweep();
      return held.get(key)?.value;
    },
    put(key, value, size) {
      remove(key);
      held.set(key, { value, bytes: size, until: clock().getTime() + milliseconds });
      state.bytes += size;
      sweep();
      watch();
    },
    drop(isMeant) {
      for (const key of held.keys()) if (isMeant(key)) remove(key);
    },
    size: () => ({ count: held.size, bytes: state.bytes }),
  };
}
