import type { FastifyInstance } from 'fastify';
import { typedWord } from '../../mappings/typed-words.ts';
import { unread } from '../../mappings/unread.ts';
import type { Clock, Log } from '../base/log.ts';
import type { Outgoing } from '../base/outgoing.ts';
import type { Cases } from '../cases/cases.ts';
import { startOperations } from '../cases/metrics-port.ts';
import type { Config } from '../config/config.ts';
import { BridgeError } from '../core/errors.ts';
import type { Smart } from '../ehr/smart/smart.ts';
import type { Store } from '../store/types.ts';
import { buildApp } from '../web/app.ts';
import type { Deps } from '../web/http/deps.ts';
import { isAnswering, openProcess, type ProcessOptions } from './process.ts';

export interface BridgeOptions extends ProcessOptions {
  /** false: another process runs the jobs, over the same PostgreSQL. */
  readonly jobs?: boolean;
  /** Fills the store before any request is answered. Returns what pages must know about it. */
  readonly fill?: (store: Store) => Promise<Pick<Deps, 'codesArePartial'>>;
}

export interface Bridge {
  /** The address at which browsers reach the bridge. */
  readonly url: string;
  /** Stops accepting requests and jobs, waits for running work up to a limit, closes the store. */
  close(): Promise<void>;
}

const purgeMilliseconds = 10 * 60_000;

/**
 * Serves pages and webhooks on `config.host` and `config.port`, and also runs the jobs unless `jobs` is false. Throws
 * config_invalid, mapping_invalid, store_locked, store_older, store_newer, store_unavailable, port_busy. After an
 * error, nothing listens.
 */
export async function startBridge({ jobs = true, fill, ...options }: BridgeOptions): Promise<Bridge> {
  const { log } = options;
  const parts = await openProcess(options);
  const { config, vault, mappings, store, smart, cases, work, metrics, trends, outgoing, drain } = parts;
  const state = { open: true };
  const isStoreAnswering = onceASecond(() => isAnswering(cases.counts()));
  const ready = async () => state.open && isStoreAnswering();
  const started: { close(): Promise<unknown> }[] = [store];
  const close = async () => {
    state.open = false;
    for (const part of started.splice(0).reverse()) await part.close();
  };
  try {
    if (config.sites.length === 0) await refuseLostSites(cases);
    const filled = (await fill?.(store)) ?? {};
    // Unfinished work is resumed before any HTTP request is answered, so a start that fails answers none.
    if (jobs) await work.prepare();
    const app = await buildApp({
      config,
      vault,
      audit: store.audit,
      worklist: store.worklist,
      codes: store.codes,
      used: store.used,
      views: store.views,
      trends,
      effort: store.effort,
      smart,
      cases,
      mappings,
      unread,
      typedWord,
      ...filled,
      clock: store.clock,
      log,
      metrics,
      ready,
    });
    started.push(await startOperations({ config, metrics, ready }));
    await listen(app, config);
    // Requests and jobs end in parallel, within the same time limit.
    started.push({
      close: () => Promise.all([closeApp(app, config.drainSeconds, outgoing), drain()]),
    });
    if (jobs) work.start();
    const purging = purgeRegularly(smart, store.clock, log);
    started.push({ close: async () => clearInterval(purging) });
    return { url: config.url, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

// A fresh install may have no sites. But if the store already has cases, the wrong sites file was read.
async function refuseLostSites(cases: Pick<Cases, 'counts'>): Promise<void> {
  const sites = [...new Set((await cases.counts()).map(({ site }) => site))];
  if (sites.length === 0) return;
  const problem = `BRIDGE_SITES: no site is there, and the store has requests of ${sites.join(', ')}`;
  throw new BridgeError('config_invalid', { problems: [problem] });
}

/** Anyone can call the readiness endpoint, so the store is queried at most once a second. */
function onceASecond<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly until: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || last.until <= now) last = { until: now + 1000, answer: ask() };
    return last.answer;
  };
}

/** Waits for running HTTP requests. At the limit, closes their connections and cancels their outgoing requests. */
async function closeApp(app: FastifyInstance, limitSeconds: number, { giveUp }: Outgoing): Promise<void> {
  const limit = setTimeout(() => {
    giveUp();
    app.server.closeAllConnections();
  }, limitSeconds * 1000);
  await app.close();
  clearTimeout(limit);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new BridgeError('port_busy', { port, reason: code }, { cause });
  }
}

function purgeRegularly(smart: Smart, clock: Clock, log: Log): NodeJS.Timeout {
  const timer = setInterval(() => {
    smart.purge(clock()).then(
      (count) => log.debug({ count }, 'launches purged'),
      () => log.warn({}, 'launches could not be purged'),
    );
  }, purgeMilliseconds);
  return timer.unref();
}
