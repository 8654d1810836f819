import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Launch } from '../../ehr/smart/types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Origins that may show this response in a frame; empty if none may. */
    frameAncestors: readonly string[];
    /** The site of the launch or webhook, once it is known; for metrics. */
    siteId: string;
    /** The case that this page shows, once it is open. */
    caseId: string | undefined;
    /** The page sent this request by polling, so no person is working on it. */
    looksByItself: boolean;
    /** The launch whose chart the response may show; for the audit trail. */
    visitOf: Launch | undefined;
    /** Set if the response is a file of a patient instead of a page. */
    servesFile: 'image' | 'pdf' | undefined;
    /** The URL to open in a separate window if the page cannot be shown in a frame. */
    ownWindow: string | undefined;
  }
}

/**
 * Headers of every response: a CSP without inline code, frames only for the EHR of the launch, no caching, no referrer.
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
        // Pico's arrows and ticks are data: images, and so are the pages' insurance cards.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: framed ? [...request.frameAncestors] : ["'none'"],
      },
    },
  });
  // X-Frame-Options cannot list origins, so it is set only when nobody may frame the response.
  if (!framed) reply.header('x-frame-options', 'DENY');
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}

// A file may run, load or frame nothing.
async function protectFile(kind: 'image' | 'pdf', reply: FastifyReply): Promise<void> {
  const directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  await reply.helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      // A PDF gets no sandbox, because browsers do not show sandboxed PDFs. PDF viewers isolate a file from our origin
      // anyway.
      directives: kind === 'pdf' ? directives : { ...directives, sandbox: [] },
    },
  });
  reply.header('x-frame-options', 'DENY').header('cache-control', 'no-store');
}

/** The frame ancestors of the site with this id; empty if there is none. */
export function ancestorsOf(config: Config, siteId: unknown): readonly string[] {
  return config.sites.find((site) => site.id === siteId)?.frameAncestors ?? [];
}

/**
 * The frame ancestors of all enabled sites, for pages without chart data that must be readable inside any EHR's frame.
 */
export function allAncestors(config: Config): readonly string[] {
  return [...new Set(config.sites.filter((site) => site.enabled).flatMap((site) => site.frameAncestors))];
}
