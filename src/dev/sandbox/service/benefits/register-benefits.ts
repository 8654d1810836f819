import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { businessError } from '../error-bodies.ts';
import { validate } from '../requests/validate.ts';
import type { ServiceSite } from '../sites.ts';
import type { BenefitHandler } from './benefit-handler.ts';
import { BenefitBody } from './request.ts';

type Params = { Params: { id: string } };

/** The endpoints of benefit verification. They do not exist in the profile `documented`. */
export function registerBenefits(
  app: FastifyInstance,
  options: {
    readonly handler: BenefitHandler;
    readonly caller: (request: FastifyRequest) => ServiceSite | undefined;
    readonly allowMock: boolean;
  },
): void {
  const { handler, caller, allowMock } = options;

  app.post('/benefit-verification', async (request, reply) => {
    const site = caller(request);
    if (site?.profile !== 'current') return notThere(reply);
    const checked = validate(BenefitBody, request.body);
    if ('invalid' in checked) return reply.code(422).send(checked.invalid);
    const { body } = checked;
    const rxBin = body.insurance_content?.rx_bin;
    if (rxBin !== undefined && rxBin !== null && !/^\d{6}$/.test(rxBin))
      return reply.code(400).send(businessError('insurance_content_invalid_rx_bin', 'Invalid RxBIN'));
    if (body.mock_result && !allowMock)
      return reply.code(400).send(businessError('mock_result_not_allowed', 'Mock results are not allowed'));
    const { id } = await handler.create(body, site.id);
    return { status: 'success', data: { id } };
  });

  app.get<Params>('/benefit-verification/:id', async (request, reply) => {
    const stored = found(request);
    return stored === undefined ? missing(reply) : { status: 'success', data: handler.record(stored) };
  });

  app.post<Params>('/benefit-verification/:id/cancel', async (request, reply) => {
    const stored = found(request);
    if (stored === undefined) return missing(reply);
    if ((await handler.cancel(stored, 'api')) === undefined)
      return reply
        .code(400)
        .send({ detail: `Cannot cancel benefit verification with status: ${stored.status.toUpperCase()}` });
    return reply.code(204).send();
  });

  function found(request: FastifyRequest<Params>) {
    const [stored, site] = [handler.get(request.params.id), caller(request)];
    return stored !== undefined && site?.profile === 'current' && stored.site === site.id ? stored : undefined;
  }
}

function notThere(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ detail: 'Not Found' });
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ detail: 'Benefit Verification does not exist.' });
}
