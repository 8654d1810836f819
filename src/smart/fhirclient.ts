import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { buildTokenRequest } from 'fhirclient/lib/smart.js';
import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import { boundedRequest, type Discovery } from './discovery.ts';
import { NodeAdapter } from './fhirclient-classes.ts';
import type { Limits } from './limits.ts';
import type { AuthorizationState } from './store.ts';

/**
 * The bridge to fhirclient, which knows the SMART launch but takes the raw request and the raw session for its input.
 * Here it sees a request of our own making and a storage that holds one launch, so nothing in a browser's address,
 * headers or other charts reaches it.
 */

const Written = z.object({
  authorizeUri: z.string().min(1),
  codeVerifier: z.string().min(43),
  codeChallenge: z.string().min(43),
  redirectUri: z.string(),
  scope: z.string(),
});

export interface AuthorizeRequest {
  readonly iss: string;
  readonly launch: string;
  readonly clientId: string;
  readonly scope: string;
  readonly redirectUri: string;
  readonly state: string;
}

/**
 * The parameters of the authorization request (with PKCE S256, required) and what its callback needs. Throws
 * discovery_failed.
 */
export async function authorizationRequest(
  request: AuthorizeRequest,
  discovery: Discovery,
  limits: Limits,
): Promise<{ params: URLSearchParams; kept: AuthorizationState }> {
  let written: unknown;
  const storage = {
    get: async () => undefined,
    set: async (key: string, value: unknown) => {
      if (key === request.state) written = value;
      return value;
    },
    unset: async () => true,
  };
  const address = new URL(
    `/launch?${new URLSearchParams({ iss: request.iss, launch: request.launch })}`,
    request.redirectUri,
  );
  const { clientId, scope, redirectUri, state } = request;
  const options = { clientId, scope, redirectUri, stateKey: state, noRedirect: true, pkceMode: 'required' as const };
  const requests = {
    wellKnownRequestOptions: boundedRequest(limits),
    conformanceRequestOptions: boundedRequest(limits),
  };
  const made = await adapter(address, storage)
    .getSmartApi()
    .authorize({ ...options, ...requests })
    .catch((cause: unknown) => {
      throw new BridgeError('discovery_failed', { reason: 'the authorization request could not be made' }, { cause });
    });
  const parsed = Written.safeParse(written);
  if (!parsed.success)
    throw new BridgeError('discovery_failed', { reason: 'the authorization request could not be made' });
  const { authorizeUri, codeVerifier, codeChallenge } = parsed.data;
  // fhirclient joins with a second "?" when the endpoint has a query of its own: only its parameters are taken
  const params = new URLSearchParams(String(made).slice(authorizeUri.length + 1));
  return {
    params,
    kept: {
      launch: request.launch,
      redirectUri,
      scope,
      codeVerifier,
      codeChallenge,
      tokenUri: discovery.tokenEndpoint,
    },
  };
}

/**
 * The form body of the code exchange, without client authentication. It is sent by our own fetch:
 * fhirclient's `ready` would follow redirects with it, and knows neither a time limit nor a size cap.
 */
export async function codeExchange(code: string, kept: AuthorizationState, clientId: string): Promise<string> {
  const { redirectUri, tokenUri, codeVerifier } = kept;
  const state = { serverUrl: tokenUri, redirectUri, tokenUri, codeVerifier, clientId };
  const nowhere = { get: async () => undefined, set: async () => undefined, unset: async () => true };
  // fhirclient writes the code into the body as it stands
  const made = await buildTokenRequest(adapter(new URL(redirectUri), nowhere), {
    code: encodeURIComponent(code),
    state,
  });
  const body = new URLSearchParams(String(made.body));
  body.delete('client_id');
  return body.toString();
}

function adapter(
  address: URL,
  storage: {
    get: (key: string) => Promise<unknown>;
    set: (key: string, value: unknown) => Promise<unknown>;
    unset: (key: string) => Promise<boolean>;
  },
) {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = `${address.pathname}${address.search}`;
  request.headers = { host: address.host, 'x-forwarded-proto': address.protocol.slice(0, -1) };
  return new NodeAdapter({ request, response: new ServerResponse(request), storage });
}
