import type { FastifyInstance } from 'fastify';
import type { Config, Site } from '../../config/config.ts';
import { WebhookEvent } from '../../core/contract/envelope.ts';
import { BridgeError } from '../../core/errors.ts';
import { verifyWebhook } from '../../service/webhook-signature.ts';
import type { Deps } from './deps.ts';
import { limitedPerSite } from './limits.ts';

/**
 * `POST /webhooks/:site`: accepted only with a valid signature over the raw bytes. Even then it is only a hint to read
 * the record.
 */
export async function registerWebhooks(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register((room, _options, done) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: 1024 * 1024 },
      (_request, body, parsed) => parsed(null, body),
    );

    room.post<{ Params: { site: string } }>(
      '/webhooks/:site',
      limitedPerSite(deps.config, 600),
      async (request, reply) => {
        const site = siteOf(deps.config, request.params.site);
        request.siteId = site.id;
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const { id, proves } = await verifyWebhook({
          headers: request.headers,
          rawBody,
          secrets: site.service.webhookSecretEnvs.map(deps.config.secret),
          now: deps.clock(),
        });
        const event = WebhookEvent.safeParse(parse(rawBody));
        if (!event.success) throw new BridgeError('bad_request');
        const delivered = { ...(id === undefined ? {} : { id }), isSigned: proves === 'body' };
        await deps.cases.receiveWebhook(site.id, event.data, delivered);
        return reply.code(202).send({});
      },
    );
    done();
  });
}

// An unknown site gets the same answer as a wrong signature, so that nobody can find out which sites exist.
function siteOf(config: Config, id: string): Site {
  const site = config.sites.find((candidate) => candidate.id === id && candidate.enabled);
  if (site === undefined) throw new BridgeError('webhook_unauthorized');
  return site;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
