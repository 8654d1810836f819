import { createRequire } from 'node:module';
import type { fhirclient } from 'fhirclient/lib/types.js';
import { z } from 'zod';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import type { AuthorizationState } from './store.ts';
import type { Limits } from './types.ts';

/**
 * The only file that uses fhirclient. Each launch has an environment of its own (`fhirclient.Adapter`), so fhirclient
 * sees no browser address, headers or other charts. Its `ready` is not used: it would follow redirects with the code
 * and the secret, without a limit of time or size.
 */

// fhirclient is CommonJS: `import` gives different results in Node.js and in test runners, `require` does not
const require = createRequire(import.meta.url);
const smart: typeof import('fhirclient/lib/smart.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/smart.js');
const lib: typeof import('fhirclient/lib/lib.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/lib.js');
const security: typeof import('fhirclient/lib/security/server.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/security/server.js');
const client: typeof import('fhirclient/lib/FhirClient.js', { with: {
  'resolution-mode': 'require',
}}) = require('fhirclient/lib/FhirClient.js');

/** fhirclient's FHIR client, whose `fhirRequest` `GuardedFhir` replaces. Its index exports no type of this class. */
export const FhirClient = client.default;

export interface AuthorizeRequest {
  readonly iss: string;
  /** Absent for a standalone launch. */
  readonly launch?: string;
  readonly clientId: string;
  readonly scope: string;
  readonly redirectUri: string;
  readonly state: string;
}

const Written = z.object({ codeVerifier: z.string().min(43), codeChallenge: z.string().min(43) });

/**
 * Returns the parameters of the authorization request, always with PKCE S256, and what the callback needs. `tokenUri`:
 * where the code will be sent. Throws discovery_failed.
 */
export async function authorizationRequest(
  request: AuthorizeRequest,
  tokenUri: string,
  limits: Limits,
): Promise<{ params: URLSearchParams; kept: AuthorizationState }> {
  const { iss, launch, clientId, scope, redirectUri, state } = request;
  const place = new LaunchPlace(redirectUri);
  const failed = (cause?: unknown) =>
    new BridgeError('discovery_failed', { reason: 'the authorization request could not be made' }, { cause });
  await smart
    .authorize(place, {
      iss,
      ...(launch === undefined ? {} : { launch }),
      clientId,
      scope,
      redirectUri,
      stateKey: state,
      pkceMode: 'required',
      wellKnownRequestOptions: bounded(limits),
      conformanceRequestOptions: bounded(limits),
    })
    .catch((cause: unknown) => {
      throw failed(cause);
    });
  const written = Written.safeParse(place.stored.get(state));
  if (!written.success || place.leadsTo === undefined) throw failed();
  // fhirclient adds a second "?" to an endpoint that has a query; its parameters follow the last "?"
  const params = new URLSearchParams(place.leadsTo.slice(place.leadsTo.lastIndexOf('?') + 1));
  return {
    params,
    kept: { ...(launch === undefined ? {} : { launch }), redirectUri, scope, ...written.data, tokenUri },
  };
}

/** The parts of an authorization request that a code exchange needs. */
export type CodeExchange = Pick<AuthorizationState, 'redirectUri' | 'tokenUri' | 'codeVerifier'>;

/** Returns the form of the code exchange, without client authentication. */
export async function codeExchange(code: string, kept: CodeExchange, clientId: string): Promise<URLSearchParams> {
  const { redirectUri, tokenUri, codeVerifier } = kept;
  const state = { serverUrl: tokenUri, redirectUri, tokenUri, codeVerifier, clientId };
  // fhirclient writes the code into the body without encoding it
  const made = await smart.buildTokenRequest(new LaunchPlace(redirectUri), { code: encodeURIComponent(code), state });
  const form = new URLSearchParams(String(made.body));
  form.delete('client_id');
  return form;
}

/**
 * Reads the site's `.well-known/smart-configuration`, unchecked. fhirclient caches every response, even a failure, as
 * long as the process runs, and its `authorize` uses that cache. So each call replaces the cached response, and a
 * failure affects only this launch. Rejects with fhirclient's own errors.
 */
export function readWellKnown(site: Site, limits: Limits): Promise<unknown> {
  return lib.getAndCache(`${site.iss}/.well-known/smart-configuration`, bounded(limits), true);
}

/** fhirclient uses node-fetch, which by default follows redirects and has no limit of size or time. */
function bounded(limits: Limits): RequestInit {
  const options = {
    redirect: 'error' as const,
    size: limits.documentBytes,
    signal: AbortSignal.timeout(limits.timeoutMs),
  };
  return options;
}

/** The environment of one launch: its redirect URI and a storage of its own. */
class LaunchPlace implements fhirclient.Adapter {
  readonly stored = new Map<string, unknown>();
  /** The URL to which fhirclient would send the browser. */
  leadsTo: string | undefined;
  readonly options = {};
  readonly security = security;

  constructor(private readonly address: string) {}

  getUrl(): URL {
    return new URL(this.address);
  }

  redirect(to: string): void {
    this.leadsTo = to;
  }

  getStorage(): fhirclient.Storage {
    const { stored } = this;
    return {
      get: async (key) => stored.get(key),
      set: async (key, value) => {
        stored.set(key, value);
        return value;
      },
      unset: async (key) => stored.delete(key),
    };
  }

  relative(path: string): string {
    return new URL(path, this.address).href;
  }

  btoa(text: string): string {
    return Buffer.from(text).toString('base64');
  }

  atob(text: string): string {
    return Buffer.from(text, 'base64').toString();
  }

  base64urlencode(input: string | Uint8Array): string {
    return Buffer.from(input).toString('base64url');
  }

  base64urldecode(text: string): string {
    return Buffer.from(text, 'base64url').toString();
  }

  getAbortController(): typeof AbortController {
    return AbortController;
  }

  getSmartApi(): never {
    throw new TypeError('a launch hands out no API of its own');
  }
}
