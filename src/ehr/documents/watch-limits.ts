import { workerData } from 'node:worker_threads';

/**
 * Ends the whole process if it uses more memory or CPU time than allowed for the current document. This code runs in a
 * thread of its own, because the reading thread may be blocked inside one call.
 */
const limits: Int32Array = workerData;
const pause = new Int32Array(new SharedArrayBuffer(4));
const everyMilliseconds = 5;

for (;;) {
  // sleeps until a document is being read
  Atomics.wait(limits, 0, 0);
  const [megabytes = 0, processorMilliseconds = 0] = limits;
  const { user, system } = process.cpuUsage();
  if (megabytes > 0 && process.memoryUsage.rss() > megabytes * 2 ** 20) process.kill(process.pid, 'SIGKILL');
  if (megabytes > 0 && (user + system) / 1000 > processorMilliseconds) process.kill(process.pid, 'SIGVTALRM');
  Atomics.wait(pause, 0, 0, everyMilliseconds);
}
