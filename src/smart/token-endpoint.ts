import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import { type Answer, jsonOf, NoAnswer, send } from './http.ts';
import type { Room } from './room.ts';

const day = 86_400;

const TokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  /** Seconds; 300 when the EHR names none, never more than a day. */
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .catch(300)
    .transform((seconds) => Math.min(Math.max(seconds, 0), day)),
  scope: z.string().optional(),
  refresh_token: z.string().min(1).optional().catch(undefined),
  id_token: z.string().min(1).optional().catch(undefined),
  patient: z.unknown().optional(),
  encounter: z.unknown().optional(),
  fhirContext: z.unknown().optional(),
  need_patient_banner: z.unknown().optional(),
  intent: z.unknown().optional(),
});
/** A token answer whose context values are not yet believed. */
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/**
 * Sends one token request and checks the answer (RFC 6749 5.1). Throws token_failed with `http` and the OAuth `error`
 * code when the EHR says no,
 * token_failed without `error` when it does not answer, token_invalid when the answer is not a bearer token. Never
 * tried twice: codes are good once.
 */
export async function askToken(
  room: Room,
  tokenUri: string,
  request: { readonly headers: Record<string, string>; readonly body: string },
): Promise<TokenAnswer> {
  const answer = await post(room, tokenUri, request);
  if (answer.status !== 200 && answer.status !== 201)
    throw new BridgeError('token_failed', { http: answer.status, ...errorFact(answer) });
  const parsed = TokenAnswer.safeParse(jsonOf(answer));
  // the issues' messages are left out: they would quote the tokens
  if (!parsed.success)
    throw new BridgeError('token_invalid', {
      fields: parsed.error.issues.map((issue) => issue.path.join('.') || 'body'),
    });
  if (answer.headers.get('cache-control')?.includes('no-store') !== true)
    room.log.debug({ event: 'token_cacheable' }, 'token answer without Cache-Control: no-store');
  return parsed.data;
}

/** Whether a failed token request means that the grant itself is dead, so that trying again is useless. */
export function isGrantDead(error: BridgeError): boolean {
  return (
    error.code === 'token_failed' &&
    ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'].includes(String(error.facts.error))
  );
}

async function post(
  room: Room,
  tokenUri: string,
  { headers, body }: { readonly headers: Record<string, string>; readonly body: string },
): Promise<Answer> {
  try {
    return await send(
      room.fetch,
      tokenUri,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      },
      { timeoutMs: room.limits.timeoutMs, bytes: room.limits.documentBytes },
    );
  } catch (cause) {
    throw new BridgeError(
      'token_failed',
      { reason: cause instanceof NoAnswer ? cause.reason : 'connection' },
      { cause },
    );
  }
}

function errorFact(answer: Answer): { error?: string } {
  const body = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) }).safeParse(jsonOf(answer));
  return body.success ? { error: body.data.error } : {};
}
