import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../world.ts';
import { atWork, live, type Scene, statusAt } from './day.ts';

const hourMs = 3_600_000;
const wrongSeconds = 60;

/**
 * The clock of the bridge's machine is set back an hour while people work, and set right a minute later. The embedded
 * store has that clock too; PostgreSQL, the service and the EHRs have their own.
 */
export async function clockBack({ folder, say }: Scene, store: Store): Promise<boolean> {
  const clock = join(folder, 'clock');
  const preload = new URL('./shifted.mjs', import.meta.url).href;
  const env = { BAD_DAY_CLOCK: clock, NODE_OPTIONS: `--import ${preload}` };
  return await live({
    folder,
    say,
    store,
    env,
    async happens(storm) {
      const { world, people, troubles } = storm;
      const load = atWork(storm);
      await load.begun(Math.floor(people.length / 3));
      writeFileSync(clock, String(-hourMs));
      say(`${load.seen.size} people had begun when the clock was set back an hour.`);
      await pause((wrongSeconds * 1000) / 2);
      say(`/readyz says ${(await statusAt(`${world.url}/readyz`)) ?? 'nothing'} meanwhile.`);
      await pause((wrongSeconds * 1000) / 2);
      const met = Object.entries(troubles).map(([what, times]) => `${times} x ${what}`);
      say(`In ${wrongSeconds} s people met: ${met.join('; ') || 'nothing'}.`);
      writeFileSync(clock, '0');
      say(`${load.seen.size} people had begun when it was set right.`);
      await load.begun(people.length);
      await load.end();
      const ended = world.processes.filter(({ isUp }) => !isUp).map(({ name }) => name);
      say(ended.length === 0 ? 'No process of the bridge ended.' : `Ended: ${ended.join(', ')}.`);
      return people;
    },
  });
}
