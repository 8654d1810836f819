import { setTimeout as pause } from 'node:timers/promises';
import { installedPostgres } from '../../support/postgres.ts';
import { atWork, live, type Scene, secondsToAnswer, statusAt } from './day.ts';

const restarts = 6;

/** A PostgreSQL of this script alone is stopped and started while people work; the shared one is not touched. */
export async function postgresRestart({ folder, say }: Scene): Promise<boolean> {
  if (installedPostgres() === undefined) {
    say(
      'PostgreSQL is not installed below /usr/lib/postgresql, and this script restarts only one that it has started.',
    );
    return true;
  }
  return await live({
    folder,
    say,
    store: 'postgres',
    async happens(storm) {
      const { world, people } = storm;
      const cluster = world.cluster;
      if (cluster === undefined) throw new Error('this world has no cluster');
      say(`A PostgreSQL ${cluster.version} of its own runs; one process with pages, two workers.`);
      const load = atWork(storm);
      for (let nth = 1; nth <= restarts; nth += 1) {
        await load.begun(Math.floor((nth * people.length) / (restarts + 2)));
        const isKilled = nth % 2 === 0;
        if (isKilled) cluster.kill();
        else cluster.stop();
        await pause(2000);
        const away = await statusAt(`${world.url}/readyz`);
        cluster.start();
        const seconds = await secondsToAnswer(world, 120);
        say(
          `Restart ${nth}: the database was ${isKilled ? 'killed' : 'stopped'} for 2 s; ` +
            `/readyz said ${away ?? 'nothing'} meanwhile, and 200 ${seconds ?? 'never in 120'} s after its start.`,
        );
      }
      await load.begun(people.length);
      await load.end();
      const ended = world.processes.filter(({ isUp }) => !isUp).map(({ name }) => name);
      say(ended.length === 0 ? 'No process of the bridge ended.' : `Ended: ${ended.join(', ')}.`);
      return people;
    },
  });
}
