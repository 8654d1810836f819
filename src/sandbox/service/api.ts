import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Desk } from './desk.ts';
import type { Fault, Faults, Operation } from './faults.ts';
import { CancelBody, CreateBody, EnrollmentBody, validate } from './requests.ts';

/** The service's own API: section 4 of its interface, with the error bodies of the live service. */
export function registerApi(
  app: FastifyInstance,
  options: { readonly desk: Desk; readonly faults: Faults; readonly token: string; readonly allowMock: boolean },
): void {
  const { desk, faults } = options;

  app.addHook('onRequest', async (request, reply) => {
    if (faults.down) return drop(reply);
    if (!bears(request, options.token)) return reply.code(401).send(businessError('unauthorized', 'Unauthorized'));
  });

  app.post('/prior-authorization', (request, reply) =>
    withFault('create', reply, async () => {
      const checked = validate(CreateBody, request.body);
      if ('invalid' in checked) return reply.code(422).send(checked.invalid);
      const { body } = checked;
      const rxBin = body.insurance_content?.rx_bin;
      if (rxBin !== undefined && rxBin !== null && !/^\d{6}$/.test(rxBin))
        return reply.code(400).send(businessError('insurance_content_invalid_rx_bin', 'Invalid RxBIN'));
      if (body.mock_result && !options.allowMock)
        return reply.code(400).send(businessError('mock_result_not_allowed', 'Mock results are not allowed'));
      const { id } = await desk.create(body);
      return { status: 'success', data: { id } };
    }),
  );

  app.get<{ Params: { id: string } }>('/prior-authorization/:id', (request, reply) =>
    withFault('get', reply, async () => {
      const stored = desk.get(request.params.id);
      return stored === undefined ? notFound(reply) : { status: 'success', data: desk.record(stored) };
    }),
  );

  app.post<{ Params: { id: string } }>('/prior-authorization/:id/cancel', (request, reply) =>
    withFault('cancel', reply, async () => {
      const stored = desk.get(request.params.id);
      if (stored === undefined) return notFound(reply);
      const checked = validate(CancelBody, request.body ?? {});
      if ('invalid' in checked) return reply.code(422).send(checked.invalid);
      const cancelled = await desk.cancel(stored, checked.body.cancellation_reason);
      if (cancelled === undefined)
        return reply
          .code(400)
          .send({ detail: `Cannot cancel prior authorization with status: ${stored.status.toUpperCase()}` });
      return { status: 'success', data: null };
    }),
  );

  app.post('/patient-enrollment', (request, reply) =>
    withFault('enroll', reply, async () => {
      const checked = validate(EnrollmentBody, request.body);
      if ('invalid' in checked) return reply.code(422).send(checked.invalid);
      const { id } = await desk.enroll(checked.body);
      return { status: 'success', data: { id } };
    }),
  );

  async function withFault(
    operation: Operation,
    reply: FastifyReply,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    const fault = faults.take(operation);
    if (fault?.kind === 'status') return sendFault(fault, reply);
    if (fault?.kind === 'drop' && fault.when === 'before') return drop(reply);
    const answer = await handle();
    return fault === undefined ? answer : drop(reply);
  }
}

/** `{ status: "error", error: { code, title, description } }`: the service's body for what its own rules refuse. */
export function businessError(code: string, title: string): Record<string, unknown> {
  return { status: 'error', data: null, error: { code, title, description: `${title}.` } };
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ detail: 'Prior Authorization Request does not exist.' });
}

function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

function sendFault(fault: Extract<Fault, { kind: 'status' }>, reply: FastifyReply): FastifyReply {
  if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter));
  reply.code(fault.status);
  if (fault.status === 429) return reply.send(businessError('rate_limit_exceeded', 'Too many requests'));
  if (fault.status === 503) return reply.send(businessError('service_unavailable', 'Service unavailable'));
  return reply.type('text/plain').send('Internal Server Error');
}

function bears(request: FastifyRequest, token: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}
