import { vi } from 'vitest';

/**
 * What `check` gives, once it no longer throws. It may take a minute, which is long for a busy machine and short beside
 * every time after which the bridge would do by itself what a test waits for. It looks ten times a second: to look is
 * work too, which what is waited for then lacks.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 100 });
}
