import type { Site } from '../../config/config.ts';
import { asBridgeError, BridgeError } from '../../core/errors.ts';
import { saidBy } from '../../core/fhir/ehr-says.ts';
import { callbackAddress } from './authorize.ts';
import { exchangeCode } from './callback.ts';
import { createKeyring, generateKeys } from './keys.ts';
import { randomText } from './launch.ts';
import type { SiteParts } from './types.ts';

/** Whether an EHR knows a client, judged by its response to a made-up authorization code. */
export interface ClientTrial {
  /**
   * `known`: the EHR refuses the code, and refuses an unknown client differently. `refused`: the EHR refuses the client
   * before it checks the code. `unclear`: its responses prove neither.
   */
  readonly verdict: 'known' | 'refused' | 'unclear';
  /** The response to the site's own client. The cause is the EHR's message. */
  readonly refusal: BridgeError;
}

/**
 * Sends a made-up code to the token endpoint, first as the launch client and then as an unknown client, with a made-up
 * secret, key or client id. RFC 6749 5.2 demands `invalid_grant` for the first and `invalid_client` for the second. But
 * some servers check the code before the client, and some call a wrong code a wrong client. Throws token_failed if
 * there is no response, token_invalid if the EHR issued a token, and the errors of discovery.
 */
export async function tryClient(parts: SiteParts, site: Site): Promise<ClientTrial> {
  const { tokenEndpoint } = await parts.discover(site);
  const madeUp = () => randomText(parts.random, 32);
  const exchange = { redirectUri: callbackAddress(parts, site), tokenUri: tokenEndpoint, codeVerifier: madeUp() };
  const ask = async (as: Asker, code?: string) => {
    const refusal = await exchangeCode(as.parts, as.site, exchange, code).then(() => undefined, asBridgeError);
    if (refusal !== undefined) return refusal;
    throw new BridgeError('token_invalid', { site: site.id, reason: 'the EHR gave a token for a code of nobody' });
  };
  const ours = { parts, site };
  const refusal = await ask(ours, madeUp());
  if (!isAnswer(refusal)) throw refusal;
  const other = await ask(await somebodyElse(ours, madeUp()), madeUp());
  if (!isAnswer(other)) return { verdict: 'unclear', refusal };
  const isClients = refusal.code === 'client_refused';
  if (!isAlike(refusal, other)) return { verdict: isClients ? 'refused' : 'known', refusal };
  // If a request without a code gets the same response, the server did not check the code.
  const isBeforeCode = isClients && isAlike(refusal, await ask(ours));
  return { verdict: isBeforeCode ? 'refused' : 'unclear', refusal };
}

interface Asker {
  readonly parts: SiteParts;
  readonly site: Site;
}

async function somebodyElse({ parts, site }: Asker, madeUp: string): Promise<Asker> {
  const { client } = site;
  if (client.auth === 'public') return { parts, site: { ...site, client: { ...client, id: madeUp } } };
  if (client.auth === 'client_secret')
    return { parts: { ...parts, config: { ...parts.config, secret: () => madeUp } }, site };
  const keys = createKeyring(JSON.stringify(await generateKeys(client.alg)));
  return { parts: { ...parts, keys }, site };
}

/** Whether an OAuth server refused the request (RFC 6749 5.2), and not the network, a gateway or a rate limit. */
function isAnswer({ code, facts: { http } }: BridgeError): boolean {
  return (code === 'client_refused' || code === 'token_failed') && (http === 400 || http === 401 || http === 403);
}

/** Whether two refusals are equal, apart from numbers that identify a single response. */
function isAlike(one: BridgeError, other: BridgeError): boolean {
  const said = (error: BridgeError) =>
    [error.facts.http, error.facts.error, saidBy(error).replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#')].join(' ');
  return said(one) === said(other);
}
