import type { Io } from './cli/io.ts';
import { run } from './cli/program.ts';

const sameSignalMs = 300;

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  clock: () => new Date(),
  stopped: () =>
    new Promise((resolve) => {
      let asked: number | undefined;
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.on(signal, () => {
          // A terminal sends its signal to every process of the group, and the launcher forwards its own signal too.
          // Signals this close together are one request to stop.
          if (asked !== undefined && performance.now() - asked < sameSignalMs) return;
          // A second request to stop exits at once. The next start resumes unfinished work.
          if (asked !== undefined) process.exit(3);
          asked = performance.now();
          resolve(signal);
        });
    }),
};

// `... | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

process.exitCode = await run(process.argv.slice(2), io);
