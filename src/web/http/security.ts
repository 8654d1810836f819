import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Launch } from '../../ehr/smart/types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Origins that may show this answer in a frame; empty means none may. */
    frameAncestors: readonly string[];
    /** The site of the launch or webhook, once it is known; for metrics. */
    siteId: string;
    /** The case that this page shows, once it is open. */
    caseId: string | undefined;
    /** The page polls on its own: no person is working on it. */
    looksByItself: boolean;
    /** The launch whose chart the answer may show; for the audit trail. */
    visitOf: Launch | undefined;
    /** Set if the answer is a patient's file instead of a page. */
    servesFile: 'image' | 'pdf' | undefined;
    /** The address to open in a separate window, if a frame cannot show the page. */
    ownWindow: string | undefined;
  }
}

/**
 * Headers of every answer: a CSP without any inline code, frames only for the EHR of the launch, no caching, no
 * referrer.
 */
export async function registerSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  app.decorateRequest('frameAncestors');
  app.decorateRequest('siteId', '');
  app.decorateRequest('caseId');
  app.decorateRequest('looksByItself', false);
  app.decorateRequest('visitOf');
  app.decorateRequest('servesFile');
  app.decorateRequest('ownWindow');
  await app.register(helmet, {
    global: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: config.url.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  });
  app.addHook('onRequest', async (request) => {
    request.frameAncestors = [];
  });
  app.addHook('onSend', async (request, reply) => {
    await protect(request, reply);
  });
}

async function protect(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.servesFile !== undefined) return await protectFile(request.servesFile, reply);
  const framed = request.frameAncestors.length > 0;
  await reply.helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Pico draws its arrows and ticks as data: images; insurance cards are shown the same way.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: framed ? [...request.frameAncestors] : ["'none'"],
      },
    },
  });
  // X-Frame-Options cannot name the EHR's origins, so it is set only when nobody may frame the answer.
  if (!framed) reply.header('x-frame-options', 'DENY');
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}

// Nothing may be run, loaded or framed from a file. A PDF gets no sandbox, because browsers do not show sandboxed PDFs,
// and their viewers isolate it from our origin anyway.
async function protectFile(kind: 'image' | 'pdf', reply: FastifyReply): Promise<void> {
  const directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  await reply.helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: kind === 'pdf' ? directives : { ...directives, sandbox: [] },
    },
  });
  reply.header('x-frame-options', 'DENY').header('cache-control', 'no-store');
}

/** The frame ancestors of a site that is known by id, or none. */
export function ancestorsOf(config: Config, siteId: unknown): readonly string[] {
  return config.sites.find((site) => site.id === siteId)?.frameAncestors ?? [];
}

/** All registered EHR origins: for pages without chart data that must be readable inside a frame. */
export function allAncestors(config: Config): readonly string[] {
  return [...new Set(config.sites.filter((site) => site.enabled).flatMap((site) => site.frameAncestors))];
}
