import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { someEhrs } from '../ehrs.ts';
import { type Person, takeTurns } from '../person.ts';
import { isAtEnd, noteInto, type Storm, type TortureResult, torture } from '../torture.ts';
import type { Store, World } from '../world.ts';

/** Where a bad day takes place, and where it tells what happens, a sentence a line. */
export interface Scene {
  /** Empty, and of this day alone. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** What a day does to the bridge. */
export interface Day extends Scene {
  readonly store: Store;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers who goes on afterwards, and is judged. */
  readonly happens: (storm: Storm) => Promise<readonly Person[]>;
}

/** People send, follow and answer as on any day; something bad happens; then the judge counts, and tells. */
export async function live({ folder, say, store, env = {}, happens }: Day): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const result = await torture({
    cases: 40,
    asked: 0,
    kills: 0,
    seed: 1,
    sites: someEhrs('valley', 'brook'),
    profile: 'current',
    store,
    webs: 1,
    workers: store === 'postgres' ? 2 : 0,
    together: 6,
    leavers: 0,
    hurry: 60,
    looksAgain: false,
    speed: 4,
    slowestMs: 1500,
    stormSeconds: 1200,
    quietSeconds: 900,
    slowSite: false,
    env,
    storm: happens,
    folder,
    say: () => undefined,
  });
  return tell(result, say);
}

function tell({ counts, violations, troubles, endings }: TortureResult, say: (line: string) => void): boolean {
  const met = Object.values(troubles).reduce((sum, times) => sum + times, 0);
  say(`People met an error ${met} times on their way and tried again.`);
  for (const ending of endings) say(`At the end ${ending}.`);
  say(
    `The judge: ${counts.cases} requests, ${counts['creates at the service']} at the service, ` +
      `${counts['Tasks in charts']} Tasks and ${counts['documents in charts']} documents in charts; ` +
      `${counts.lost} lost, ${counts.doubled} doubled, ${counts.false} false, ` +
      `${counts['another patient']} at another patient, ${counts['not said']} not said.`,
  );
  for (const violation of violations) say(`  ${violation}`);
  return violations.length === 0;
}

export interface Load {
  /** Resolves once so many people have begun. */
  begun(people: number): Promise<void>;
  /** Who has pressed Send until now, or has at least begun to. */
  readonly seen: ReadonlySet<Person>;
  /** Ends what they are at. */
  end(): Promise<void>;
}

/** People at work until it is ended. */
export function atWork({ people, options, troubles }: Storm, among: readonly Person[] = people): Load {
  const state = { over: false };
  const seen = new Set<Person>();
  const visits = takeTurns(among, {
    together: options.together,
    pauseMs: 300,
    isDone(person, standing) {
      seen.add(person);
      return isAtEnd(standing);
    },
    stop: () => state.over,
    failed: noteInto(troubles),
  });
  return {
    seen,
    async begun(count) {
      while (seen.size < count) await Promise.race([visits, pause(100)]);
    },
    async end() {
      state.over = true;
      await visits;
    },
  };
}

/** Seconds until the bridge answers at its address again; undefined when it does not within so many. */
export async function secondsToAnswer({ url }: World, most: number): Promise<number | undefined> {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  while (passed() < most) {
    if ((await statusAt(`${url}/readyz`)) === 200) return Math.round(passed() * 10) / 10;
    await pause(100);
  }
  return undefined;
}

/** The HTTP status at an address; undefined for no answer. */
export async function statusAt(address: string): Promise<number | undefined> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.status;
}
