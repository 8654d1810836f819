import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atWork, live, type Scene, secondsToAnswer, statusAt } from './day.ts';
import { smallDisk } from './small-disk.ts';

const fullSeconds = 20;

/** The disk of the embedded store is full for a while, while people work. */
export async function diskFullStore({ folder, say }: Scene): Promise<boolean> {
  const disk = smallDisk(join(folder, '.data'), 400);
  say(`The data folder of the embedded store: ${disk.told}.`);
  try {
    return await live({
      folder,
      say,
      store: 'pglite',
      env: disk.env,
      async happens(storm) {
        const { world, people } = storm;
        const [process] = world.processes;
        if (process === undefined) throw new Error('no process');
        const load = atWork(storm);
        await load.begun(Math.floor(people.length / 3));
        disk.fill();
        say(`${load.seen.size} people had begun when the disk became full.`);
        await pause(fullSeconds * 1000);
        const [alive = 'nothing', ready = 'nothing'] = [
          await statusAt(`${world.url}/healthz`),
          await statusAt(`${world.url}/readyz`),
        ];
        const state = process.isUp ? 'runs' : 'has ended';
        say(`${fullSeconds} s later the process ${state}; /healthz says ${alive}, /readyz ${ready}.`);
        disk.free();
        const seconds = process.isUp ? await secondsToAnswer(world, 60) : undefined;
        if (seconds === undefined) {
          say(`With room again ${process.isUp ? 'it is not ready within 60 s' : 'it has ended'}: it is started anew.`);
          process.signal('SIGKILL');
          while (process.isUp) await pause(50);
          process.start(0);
          say(`It is ready ${Math.round((await process.ready()) / 100) / 10} s after its start.`);
        } else say(`With room again it is ready after ${seconds} s, without a new start.`);
        await load.begun(people.length);
        await load.end();
        return people;
      },
    });
  } finally {
    disk.remove();
  }
}
