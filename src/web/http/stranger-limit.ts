import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { BridgeError } from '../../core/errors.ts';
import type { Deps } from './deps.ts';
import { allAncestors } from './security.ts';
import { sessionOf } from './session.ts';

/**
 * Requests per minute from one address without a known session. All users of a clinic may share one address while they
 * sign in.
 */
export const strangersPerMinute = 300;

const minute = 60_000;
/** The maximum number of sessions and of addresses in memory. The oldest are dropped first. */
const most = 10_000;

/**
 * Limits the number of requests below `/app/:launch` that come without a known session. A request without a session is
 * refused before its body is read and before the store is queried. A session that no page of this process has opened
 * counts against the limit of its address until it is opened. A page whose handler opened no session is not sent.
 */
export function refuseStrangers(app: FastifyInstance, { config }: Pick<Deps, 'config'>): void {
  const known = new Set<string>();
  const tries = createTries();
  app.decorateRequest('strangersMark');

  app.addHook('onRequest', async (request, reply) => {
    const launch = launchOf(request.routeOptions.url, request.params);
    if (launch === undefined) return;
    const session = sessionOf(request, launch);
    const mark = session === undefined ? undefined : markOf(launch, session);
    if (mark !== undefined && known.has(mark)) return;
    // The refusal must be readable inside the frame of an EHR.
    request.frameAncestors = allAncestors(config);
    tries.add(normalizeIP(request.ip), reply);
    if (mark === undefined) throw new BridgeError('launch_not_found');
    request.strangersMark = mark;
  });

  app.addHook('onSend', async ({ strangersMark, siteId }, { statusCode }) => {
    if (strangersMark !== undefined && siteId === '' && statusCode < 400) throw new BridgeError('launch_not_found');
  });

  app.addHook('onResponse', async (request) => {
    // `siteId` is set when a handler opens the session.
    if (request.strangersMark === undefined || request.siteId === '') return;
    remember(known, request.strangersMark);
    tries.takeBack(normalizeIP(request.ip));
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** A hash of the request's session, if this process does not know that session yet. */
    strangersMark: string | undefined;
  }
}

function launchOf(route: string | undefined, params: unknown): string | undefined {
  return route?.startsWith('/app/:launch') === true ? (params as { readonly launch: string }).launch : undefined;
}

function markOf(launch: string, session: string): string {
  return createHash('sha256').update(`${launch}|${session}`).digest('base64url');
}

function remember(known: Set<string>, mark: string): void {
  known.add(mark);
  const [oldest] = known;
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

interface Tries {
  /** Throws too_many if the address has used up its requests of this minute. */
  add(address: string, reply: FastifyReply): void;
  takeBack(address: string): void;
}

function createTries(): Tries {
  const byAddress = new Map<string, { count: number; readonly until: number }>();
  const of = (address: string) => {
    const now = performance.now();
    const before = byAddress.get(address);
    if (before !== undefined && before.until > now) return before;
    const fresh = { count: 0, until: now + minute };
    byAddress.delete(address);
    byAddress.set(address, fresh);
    const [oldest] = byAddress.keys();
    if (byAddress.size > most && oldest !== undefined) byAddress.delete(oldest);
    return fresh;
  };
  return {
    add(address, reply) {
      const tried = of(address);
      if (tried.count >= strangersPerMinute) {
        reply.header('retry-after', Math.ceil((tried.until - performance.now()) / 1000));
        throw new BridgeError('too_many');
      }
      tried.count += 1;
    },
    takeBack(address) {
      const tried = of(address);
      tried.count = Math.max(0, tried.count - 1);
    },
  };
}
