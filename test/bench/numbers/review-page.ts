import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Pages } from './review-page-server.ts';
import { type Measured, medianOf, type Wanted } from './row.ts';

/** Processor time of the bridge for one review page, over that of a bare route that sends the same bytes. */
export async function reviewPageNumbers({ size }: Wanted): Promise<Measured[]> {
  const server = fork(join(import.meta.dirname, 'review-page-server.ts'), { execArgv: process.execArgv });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const [told]: unknown[] = await once(server, 'message');
    const pages = told as Pages; // the first that it tells
    const [rounds, times, warmup] = size === 'short' ? [3, 20, 60] : [15, 60, 600];
    const ask = async (address: string, headers: Readonly<Record<string, string>>, count: number) => {
      for (let time = 0; time < count; time += 1) await fetched(address, headers, agent, pages.bytes);
    };
    const cookie = { cookie: pages.cookie, accept: 'text/html' };
    await ask(pages.review, cookie, warmup);
    await ask(pages.bare, {}, warmup * 10);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await processorOf(server);
      await ask(pages.review, cookie, times);
      const between = await processorOf(server);
      await ask(pages.bare, {}, times * 10);
      const after = await processorOf(server);
      ratios.push((between - before) / times / ((after - between) / (times * 10)));
    }
    return [{ name: 'review page', ratio: medianOf(ratios) }];
  } finally {
    agent.destroy();
    const ended = once(server, 'exit');
    server.disconnect();
    await ended;
  }
}

/** Throws when the answer is not a page of about that size. */
function fetched(
  address: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  bytes: number,
): Promise<void> {
  return new Promise((done, fail) => {
    get(address, { headers, agent }, (reply) => {
      buffer(reply).then((body) => {
        if (reply.statusCode === 200 && Math.abs(body.length - bytes) < bytes / 20) done();
        else fail(new Error(`${reply.statusCode}, ${body.length} bytes in place of ${bytes}`));
      }, fail);
    }).on('error', fail);
  });
}

/** Microseconds. */
async function processorOf(server: ChildProcess): Promise<number> {
  const told = once(server, 'message');
  server.send('processor time');
  const [{ user, system }] = (await told) as [NodeJS.CpuUsage];
  return user + system;
}
