import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { callbackAddress } from './authorize.ts';
import { launchClient } from './keys.ts';
import { saidOf } from './oauth-says.ts';
import { clientRefused, isClientError } from './token-endpoint.ts';
import type { Query, SiteParts } from './types.ts';

/**
 * Codes of RFC 6749 4.1.2.1 and OpenID Connect Core 3.1.2.6. Any other text in the URL is shown only on the page and
 * not logged.
 */
const refusals: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_request',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]);

type Place = Pick<SiteParts, 'config'>;

const scopes = () => [
  'the EHR has every scope of this site switched on for the client; doctor lists them',
  '"scopes" of the site names none that this EHR does not know',
];
const redirect = (parts: Place, site: Site) => [`the EHR has the redirect address ${callbackAddress(parts, site)}`];
const audience = (_: Place, site: Site) => [`iss is the address of the EHR to the letter (${site.iss}), as it is aud`];
const flow = () => ['the EHR has the client as an app that launches from a chart (authorization code)'];

/** By error code: the settings that the operator or the EHR's administrator should check. */
const toMend: Readonly<Record<string, (parts: Place, site: Site) => string[]>> = {
  invalid_scope: scopes,
  invalid_target: audience,
  unsupported_response_type: flow,
  unsupported_grant_type: flow,
  invalid_redirect_uri: redirect,
  redirect_uri_mismatch: redirect,
};

/** Returns the error of a sign-in that came back with an error in place of a code. The EHR's message is the cause. */
export function signInRefused(parts: SiteParts, site: Site, query: Query): BridgeError {
  const { error, state } = query;
  const stated = isClientError(error) || isToMend(error) || isRefusal(error) ? error : undefined;
  const said = saidOf(query, { hidden: typeof state === 'string' ? [state] : [], stated });
  if (isClientError(error)) return clientRefused(parts, { site: site.id, client: launchClient(site) }, { error }, said);
  if (isToMend(error)) return registrationRefused(parts, site, { error }, said);
  const facts = stated === undefined ? {} : { error: stated };
  if (error !== 'invalid_request') return new BridgeError('ehr_denied', facts, said);
  // `invalid_request` may mean that the launch took too long, or that this EHR never accepts such a request.
  const check = [...redirect(parts, site), ...audience(parts, site)];
  parts.log.warn({ event: 'sign_in_refused', site: site.id, ...facts, check }, 'the EHR refused a sign-in request');
  const next =
    'Start again from the chart. If it keeps happening, the operator of the bridge must compare what the EHR has ' +
    'registered with what doctor prints.';
  return new BridgeError('ehr_denied', { ...facts, check }, { ...said, next });
}

/**
 * Returns the error of a failed code exchange. If only the operator or the EHR's administrator can fix it, the error
 * says so.
 */
export function exchangeRefused(parts: SiteParts, site: Site, thrown: unknown): unknown {
  if (!(thrown instanceof BridgeError) || thrown.code !== 'token_failed') return thrown;
  const { error } = thrown.facts;
  return isToMend(error)
    ? registrationRefused(parts, site, { ...thrown.facts, error }, { cause: thrown.cause })
    : thrown;
}

function isRefusal(error: unknown): error is string {
  return typeof error === 'string' && refusals.has(error);
}

function isToMend(error: unknown): error is string {
  return typeof error === 'string' && Object.hasOwn(toMend, error);
}

function registrationRefused(
  parts: SiteParts,
  site: Site,
  stated: BridgeError['facts'] & { readonly error: string },
  said: { readonly cause?: unknown },
): BridgeError {
  const facts = { site: site.id, ...stated, check: toMend[stated.error]?.(parts, site) ?? [] };
  parts.log.error({ event: 'registration_refused', ...facts }, 'the EHR does not take what this site asks for');
  return new BridgeError('registration_refused', facts, said);
}
