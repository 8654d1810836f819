import type { Io } from './cli/io.ts';
import { run } from './cli/program.ts';

const sameSignalMs = 300;

/** The process: connects `run` to the real console, files and signals, and exits with its code. */
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
          // A terminal signals the whole process group, and the outer process forwards its own signal: both are one
          // request.
          if (asked !== undefined && performance.now() - asked < sameSignalMs) return;
          // A person who asks twice does not want to wait: unfinished work resumes at the next start.
          if (asked !== undefined) process.exit(3);
          asked = performance.now();
          resolve(signal);
        });
    }),
};

// `... | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

process.exitCode = await run(process.argv.slice(2), io);
