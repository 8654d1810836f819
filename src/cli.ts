import type { Io } from './cli/io.ts';
import { run } from './cli/program.ts';

const sameSignalMs = 300;

/** The process: hands the real world to `run` and ends with its exit code. */
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
          // A terminal signals the whole group, and the outer process passes its own on: both are one request.
          if (asked !== undefined && performance.now() - asked < sameSignalMs) return;
          // Who asks twice does not want to wait: what is under way is taken up at the next start.
          if (asked !== undefined) process.exit(3);
          asked = performance.now();
          resolve(signal);
        });
    }),
};

// `... | head` closes the pipe early; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

process.exitCode = await run(process.argv.slice(2), io);
