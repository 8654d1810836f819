import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { cardImagesIn, type Leaves } from '../../request/leaves.ts';
import { type OrderDeps, type OrderParams, type OrderRequest, openEditable } from '../../request/order-request.ts';
import { imageType } from '../../ui/card.tsx';
import { visit } from '../launch/route.ts';

interface CardParams extends OrderParams {
  /** The index of the picture, from 0. */
  readonly side: string;
}

/**
 * Registers the pictures of the insurance card in a request. Pages link to them, so that a page that saves itself need
 * not include their bytes.
 */
export function registerCard(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  for (const kind of kinds) {
    const page: OrderDeps = { deps, pulls, kind };
    app.get<{ Params: CardParams }>(`/app/:launch/orders/:order${kindPages[kind].path}/card/:side`, (request, reply) =>
      sendSide(page, request, reply),
    );
  }
}

async function sendSide(
  page: OrderDeps,
  request: OrderRequest<CardParams>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await visit(page.deps, request, { touch: false });
  const draft = await openEditable(page, opened, request);
  const content = cardImagesIn(draft.values)[Number(request.params.side)];
  const type = content === undefined ? undefined : imageType(content);
  if (content === undefined || type === undefined) throw new BridgeError('not_found', { what: 'the picture' });
  return sendPatientFile(request, reply, type, Buffer.from(content, 'base64'));
}

/** URLs of the card's pictures. A different picture has a different URL. */
export function cardAddresses(values: Leaves, here: string): (string | undefined)[] {
  return cardImagesIn(values).map((content, side) => {
    const mark = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    return imageType(content) === undefined ? undefined : `${here}/card/${side}?v=${mark}`;
  });
}
