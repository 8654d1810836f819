import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Occasion, row, type Switches } from './switches.ts';

const milliseconds = z.int().min(1).max(3_600_000);

/** Faults that any HTTP server may have. Both sandboxes have these switches. */
export const httpSwitches = {
  delay: row({
    meaning:
      'The request waits before anything is done about it. It is done after that time even when the caller has gone.',
    value: milliseconds,
    values: 'milliseconds',
    off: 'at once',
    example: 2000,
    of: 'request',
  }),
  'late-answer': row({
    meaning: 'The request is done at once, and its answer comes so much later: after the caller’s deadline, say.',
    value: milliseconds,
    values: 'milliseconds',
    off: 'the answer follows at once',
    example: 60_000,
    of: 'request',
  }),
  drop: row({
    meaning:
      'The connection is cut: `before` anything is done, or `after` it was done, so that only the answer is lost.',
    value: z.enum(['before', 'after']),
    values: '`before`, `after`',
    off: 'connections stay',
    example: 'after' as const,
    of: 'request',
  }),
  status: row({
    meaning:
      'Nothing is done, and this status answers. `retryAfter` adds the header Retry-After, in seconds or ' +
      '(`retryAfterAs`: `date`) as an HTTP date.',
    value: z.strictObject({
      status: z.int().min(400).max(599),
      retryAfter: z.int().min(0).optional(),
      retryAfterAs: z.enum(['seconds', 'date']).default('seconds'),
    }),
    values: '`status` (400 to 599), `retryAfter` (seconds), `retryAfterAs` (`seconds`, `date`)',
    off: 'requests are done',
    example: { status: 429, retryAfter: 30, retryAfterAs: 'date' as const },
    of: 'request',
  }),
  'false-status': row({
    meaning: 'The request is done, and this status answers all the same.',
    value: z.int().min(400).max(599),
    values: '400 to 599',
    off: 'the status says what happened',
    example: 504,
    of: 'request',
  }),
  shape: row({
    meaning:
      'The request is done, and the answer has another form: an HTML page, no body, half of a body and then a ' +
      'cut connection, text that is not JSON, a list, an empty object, or numbers for texts and texts for ' +
      'numbers.',
    value: z.enum(['html', 'empty', 'cut', 'not-json', 'list', 'bare', 'other-types']),
    values: '`html`, `empty`, `cut`, `not-json`, `list`, `bare`, `other-types`',
    off: 'as documented',
    example: 'html' as const,
    of: 'request',
  }),
} as const;

export type HttpSwitches = Switches<typeof httpSwitches>;

type Shape = z.infer<(typeof httpSwitches)['shape']['value']>;

/** The faults of the current request's response. */
interface Plan {
  readonly late: number | undefined;
  readonly isDropped: boolean;
  readonly status: number | undefined;
  readonly shape: Shape | undefined;
}

export interface MisbehaveOptions {
  readonly switches: Pick<HttpSwitches, 'take'>;
  /** Ends every wait. */
  readonly stop: AbortSignal;
  readonly occasion: (request: FastifyRequest) => Occasion;
  /** Returns the body for a status. */
  readonly body: (status: number) => unknown;
  /** Whether the routes answer through fastify. If false, only faults before the request apply. */
  readonly hasAnswers?: boolean;
}

/**
 * Makes the routes of `app` follow `httpSwitches`. Faults are chosen when a request arrives, so that `times` and `rate`
 * follow the order of arrival.
 */
export function misbehave(app: FastifyInstance, options: MisbehaveOptions): void {
  const { switches, stop } = options;
  const plans = new WeakMap<FastifyRequest, Plan>();
  const wait = (time: number) => pause(time, undefined, { signal: stop, ref: false }).catch(() => undefined);

  app.addHook('preHandler', async (request, reply) => {
    const occasion = options.occasion(request);
    const delay = switches.take('delay', occasion);
    const drop = switches.take('drop', occasion, (when) => when === 'before' || options.hasAnswers !== false);
    const refused = drop === 'before' ? undefined : switches.take('status', occasion);
    const isDone = drop !== 'before' && refused === undefined;
    if (isDone && options.hasAnswers !== false)
      plans.set(request, {
        late: switches.take('late-answer', occasion),
        isDropped: drop === 'after',
        status: switches.take('false-status', occasion),
        shape: switches.take('shape', occasion),
      });
    if (delay !== undefined) await wait(delay);
    if (drop === 'before') return cut(reply);
    if (refused === undefined) return undefined;
    const { status, retryAfter, retryAfterAs } = refused;
    if (retryAfter !== undefined) reply.header('retry-after', retryAfterText(retryAfter, retryAfterAs));
    return reply.code(status).type('application/json').send(options.body(status));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const plan = plans.get(request);
    if (plan === undefined) return payload;
    if (plan.late !== undefined) await wait(plan.late);
    if (plan.isDropped) request.raw.socket.destroy();
    if (plan.status !== undefined) {
      reply.code(plan.status).removeHeader('location').removeHeader('etag').type('application/json');
      return JSON.stringify(options.body(plan.status));
    }
    return plan.shape === undefined ? payload : misshaped(plan.shape, reply, payload);
  });
}

/** Ends the connection without a response. */
export function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Returns a body that ends with an error halfway, which cuts the connection. */
export function half(bytes: Buffer): Readable {
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.ceil(bytes.length / 2));
      throw new Error('cut off');
    })(),
    { objectMode: false },
  );
}

function retryAfterText(seconds: number, form: 'seconds' | 'date'): string {
  return form === 'seconds' ? String(seconds) : new Date(Date.now() + seconds * 1000).toUTCString();
}

function misshaped(shape: Shape, reply: FastifyReply, payload: unknown): unknown {
  const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '';
  switch (shape) {
    case 'html':
      reply.code(200).type('text/html; charset=utf-8');
      return '<!doctype html><title>Portal</title><p>Please sign in.</p>';
    case 'empty':
      return '';
    case 'cut': {
      const bytes = Buffer.from(text);
      reply.header('content-length', bytes.length);
      return half(bytes);
    }
    case 'not-json':
      return `${text.slice(0, -1)},`;
    case 'list':
      return '[]';
    case 'bare':
      return '{}';
    case 'other-types':
      return JSON.stringify(otherTypes(parsed(text)));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function otherTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherTypes);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, otherTypes(inner)]));
  if (typeof value === 'string') return value.length;
  return typeof value === 'number' ? String(value) : value;
}
