import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

/** Servers whose response to a wrong code differs from RFC 6749 5.2. */
export const tokenRefusals = ['medplum', 'smart-launcher'] as const;

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

interface Words {
  readonly noCode: Refusal;
  readonly wrongCode: Refusal;
  /** For servers that check the signature before the code. */
  readonly wrongSignature?: Refusal;
}

/** Sources: medplum/medplum, oauth/token.ts; smart-on-fhir/smart-launcher-v2, auth/token.ts. */
const words: Readonly<Record<(typeof tokenRefusals)[number], Words>> = {
  medplum: {
    noCode: { status: 400, error: 'invalid_request', description: 'Missing code' },
    wrongCode: { status: 400, error: 'invalid_request', description: 'Invalid code' },
    wrongSignature: { status: 400, error: 'invalid_request', description: 'Invalid client assertion signature' },
  },
  'smart-launcher': {
    noCode: { status: 400, error: 'invalid_client', description: "Missing 'code' parameter" },
    wrongCode: {
      status: 401,
      error: 'invalid_client',
      description: 'Invalid token (supplied as code parameter in the POST body). jwt malformed',
    },
  },
};

interface Context {
  readonly oidc?: KoaContextWithOIDC['oidc'];
  status: number;
  body: unknown;
}

/** Middleware of oidc-provider: answers a token request with a wrong code as the server that `whose` returns does. */
export async function refuseAsOthers(
  ctx: Context,
  next: () => Promise<unknown>,
  provider: Provider,
  whose: () => (typeof tokenRefusals)[number] | undefined,
): Promise<void> {
  await next();
  if (ctx.oidc?.route !== 'token' || ctx.oidc.body?.grant_type !== 'authorization_code') return;
  const { code, client_assertion: assertion } = ctx.oidc.body;
  if (typeof code === 'string' && (await provider.AuthorizationCode.find(code)) !== undefined) return;
  const as = whose();
  if (as === undefined) return;
  const { noCode, wrongCode, wrongSignature } = words[as];
  const isUnsigned = assertion !== undefined && ctx.status === 401;
  const refusal = isUnsigned && wrongSignature !== undefined ? wrongSignature : code === undefined ? noCode : wrongCode;
  ctx.status = refusal.status;
  ctx.body = { error: refusal.error, error_description: refusal.description };
}
