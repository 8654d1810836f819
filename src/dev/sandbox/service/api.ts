import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { misbehave } from '../control/misbehave.ts';
import type { Occasion } from '../control/switches.ts';
import { registerBenefits } from './benefits/register-benefits.ts';
import { businessError, errorBody } from './error-bodies.ts';
import { endField } from './profile.ts';
import { type RefusedRequests, reasonsIn } from './refusals.ts';
import type { RequestHandler } from './request-handler.ts';
import { CurrentAmendBody } from './requests/current.ts';
import { EnrollmentBody } from './requests/enrollment-body.ts';
import { cancelBody, createBody } from './requests/profiles.ts';
import { validate } from './requests/validate.ts';
import type { ServiceSwitches } from './service-switches.ts';
import { type ServiceSite, siteOfToken } from './sites.ts';
import { naive } from './stored-record.ts';

type Params = { Params: { id: string } };

/**
 * The service's API (section 4 of its interface) with the error bodies of the live service. Each caller gets the
 * profile of its site. Refusals are listed on the pages.
 */
export function registerApi(
  app: FastifyInstance,
  options: {
    readonly handler: RequestHandler;
    readonly refusals: RefusedRequests;
    readonly switches: ServiceSwitches;
    readonly sites: readonly ServiceSite[];
    readonly stop: AbortSignal;
    readonly allowMock: boolean;
  },
): void {
  const { handler, refusals, switches, sites, stop } = options;
  const callers = new WeakMap<FastifyRequest, ServiceSite>();
  const siteId = (request: FastifyRequest) => callers.get(request)?.id ?? '';
  const profileOf = (request: FastifyRequest) => callers.get(request)?.profile ?? 'documented';
  const occasion = (request: FastifyRequest): Occasion => ({ ...servicePath(request), site: siteId(request) });

  app.addHook('onSend', async (request, reply, payload) => {
    const status = reply.statusCode;
    if (status < 400 || status >= 500) return payload;
    const caller = callers.get(request);
    const reasons = reasonsIn(payload);
    const who = caller === undefined ? {} : { site: caller.id, profile: profileOf(request) };
    refusals.add({ at: naive(handler.now()), ...who, ...servicePath(request), status, reasons });
    return payload;
  });
  app.addHook('onRequest', async (request, reply) => {
    const site = siteOfToken(sites, request.headers.authorization);
    if (site === undefined) return reply.code(401).send(businessError('unauthorized', 'Unauthorized'));
    callers.set(request, site);
    return undefined;
  });
  misbehave(app, { switches, stop, occasion, body: errorBody });
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'GET') return undefined;
    const refused = switches.take('error-code', occasion(request));
    return refused === undefined
      ? undefined
      : reply.code(refused.status).send(businessError(refused.code, refused.title));
  });

  app.post('/prior-authorization', async (request, reply) => {
    const checked = validate(createBody(profileOf(request), request.body), request.body);
    if ('invalid' in checked) return reply.code(422).send(checked.invalid);
    const { body } = checked;
    const rxBin = body.insurance_content?.rx_bin;
    if (rxBin !== undefined && rxBin !== null && !/^\d{6}$/.test(rxBin))
      return reply.code(400).send(businessError('insurance_content_invalid_rx_bin', 'Invalid RxBIN'));
    if (body.mock_result && !options.allowMock)
      return reply.code(400).send(businessError('mock_result_not_allowed', 'Mock results are not allowed'));
    const { id } = await handler.create(body, siteId(request));
    return { status: 'success', data: { id } };
  });

  app.get<Params>('/prior-authorization/:id', async (request, reply) => {
    const stored = found(request);
    return stored === undefined ? notFound(reply) : { status: 'success', data: handler.record(stored) };
  });

  app.post<Params>('/prior-authorization/:id/cancel', async (request, reply) => {
    const stored = found(request);
    if (stored === undefined) return notFound(reply);
    const checked = validate(cancelBody(profileOf(request)), request.body ?? {});
    if ('invalid' in checked) return reply.code(422).send(checked.invalid);
    const cancelled = await handler.cancel(stored, checked.body.cancellation_reason, 'api');
    if (cancelled === undefined)
      return reply
        .code(400)
        .send({ detail: `Cannot cancel prior authorization with status: ${stored.status.toUpperCase()}` });
    return { status: 'success', data: null };
  });

  app.patch<Params>('/prior-authorization/:id', async (request, reply) => {
    const stored = found(request);
    // The interface document has no such endpoint.
    if (stored === undefined || profileOf(request) !== 'current') return notFound(reply);
    const checked = validate(CurrentAmendBody, request.body);
    if ('invalid' in checked) return reply.code(422).send(checked.invalid);
    const { evidence = [], [endField]: ends } = checked.body;
    const amended = await handler.amend(stored, { evidence, completes: ends === true });
    if (amended === undefined)
      return reply
        .code(400)
        .send({ detail: `Cannot update prior authorization with status: ${stored.status.toUpperCase()}` });
    return { status: 'success', data: { id: amended.id } };
  });

  app.post('/patient-enrollment', async (request, reply) => {
    const checked = validate(EnrollmentBody, request.body);
    if ('invalid' in checked) return reply.code(422).send(checked.invalid);
    const { id } = await handler.enroll(checked.body, siteId(request));
    return { status: 'success', data: { id } };
  });

  const { allowMock } = options;
  registerBenefits(app, { handler: handler.benefits, caller: (request) => callers.get(request), allowMock });

  function found(request: FastifyRequest<Params>) {
    const stored = handler.get(request.params.id);
    return stored !== undefined && stored.site === siteId(request) ? stored : undefined;
  }
}

/** Method and path of a request, for the limits of a switch. */
export function servicePath(request: FastifyRequest): { readonly method: string; readonly path: string } {
  return { method: request.method, path: new URL(request.url, 'http://sandbox').pathname };
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ detail: 'Prior Authorization Request does not exist.' });
}
