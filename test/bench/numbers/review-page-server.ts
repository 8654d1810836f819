/**
 * The bridge with its sandbox and, beside it, a bare Fastify route that sends the bytes of the review page: in a
 * process of its own, so that who asks for the pages costs it nothing. Tells its parent where both are, and its
 * processor time whenever it is asked.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { silentLog } from '../../../src/base/log.ts';
import { startSandbox } from '../../../src/dev/sandbox/index.ts';
import { createVisitor } from '../../support/visitor.ts';

/** What the parent is told first. */
export interface Pages {
  readonly review: string;
  readonly cookie: string;
  readonly bare: string;
  readonly bytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'bench-review-'));
const sandbox = await startSandbox({ dataDir: folder, port: 0, speed: 0, clock: () => new Date(), log: silentLog });
const launch = await fetch(`${sandbox.ehr.url}/sandbox/launches`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ patient: 'complete-patient', order: 'complete-order' }),
});
const { address } = (await launch.json()) as { address: string }; // the answer of the sandbox's own endpoint
const visitor = await createVisitor().go(address);
if (!visitor.body.includes('id="review"')) throw new Error(`no review page: ${visitor.address}`);
const name = `__Host-bridge-${/\/app\/([\w-]+)\//.exec(visitor.address)?.[1]}`;
const page = visitor.body;
const bare = Fastify();
bare.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
const at = await bare.listen({ host: '127.0.0.1', port: 0 });
const pages: Pages = {
  review: visitor.address,
  cookie: `${name}=${visitor.cookie(name)}`,
  bare: at,
  bytes: Buffer.byteLength(page),
};
process.send?.(pages);
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => void end());

async function end(): Promise<void> {
  await bare.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
