import type { Site } from '../../config/config.ts';
import { systemScopesOf } from '../../config/presets/preset-scopes.ts';
import { presetOf } from '../../config/presets/presets.ts';
import { neededScopes, typesWrittenBy, writeScope } from '../../config/scopes.ts';
import { BridgeError } from '../../core/errors.ts';
import { saidBy } from '../../core/fhir/ehr-says.ts';
import { covers, grants, scopeList } from '../../core/fhir/scopes.ts';
import { issuersOf } from '../../ehr/smart/id-token.ts';
import type { Inspection } from '../../ehr/smart/inspect.ts';
import type { Discovery } from '../../ehr/smart/types.ts';
import { tried } from '../../writeback/channel-plan.ts';
import type { KeysShown } from './bridge.ts';
import { type DoctorFinding, failed, note, ok, problemFinding, untried } from './finding.ts';

const nexts = {
  discovery_failed:
    'Compare iss with the FHIR base address that the EHR’s administrator gave: it must answer at ' +
    '/.well-known/smart-configuration with JSON.',
  discovery_unsafe: 'If that is where this EHR signs people in, add the origin to "origins" of the site.',
  token_failed: 'Ask the EHR’s administrator whether the client is registered and switched on.',
} as const;

/** Checks that the EHR's SMART configuration has everything that a launch needs. */
export function discoveryFindings(site: Site, discovery: Discovery): DoctorFinding[] {
  const { authorizationEndpoint, tokenEndpoint, pkceMethods, capabilities } = discovery;
  const [authorize, token] = [authorizationEndpoint, tokenEndpoint].map((address) => new URL(address).origin);
  return [
    ok(`smart-configuration is read: sign-in at ${authorize}, tokens at ${token}.`),
    pkceMethods.includes('S256')
      ? ok('PKCE with S256 is offered.')
      : problemFinding('PKCE with S256 is not offered, so every launch is refused.', 'The EHR must switch PKCE on.'),
    ...(capabilities.length === 0 || capabilities.includes('launch-ehr')
      ? []
      : [note('The EHR does not say that it launches apps from a chart (launch-ehr).')]),
    ok(`id_tokens are believed of ${issuersOf(site, discovery).join(', ')}.`),
  ];
}

export function discoveryFailed(thrown: unknown): DoctorFinding {
  return failed(thrown, nexts);
}

/** Compares the scopes that a launch requests with those that the EHR lists. */
export function scopeFindings(asked: readonly string[], discovery: Discovery): DoctorFinding[] {
  const listed = discovery.scopes.filter((scope) => scope.includes('/'));
  const unlisted = listed.length === 0 ? [] : asked.filter((scope) => scope.includes('/') && !covers(listed, scope));
  const lacking = neededScopes.filter((scope) => {
    const [, type = '', interactions = ''] = /\/(\w+)\.(\w+)/.exec(scope) ?? [];
    return !grants(asked, type, interactions.includes('s') ? 's' : 'r');
  });
  return [
    ok(`A launch asks for ${asked.length} scopes; what is granted is known at the first launch.`),
    ...(lacking.length === 0
      ? []
      : [
          problemFinding(
            `A launch does not ask for ${lacking.join(' ')}: without them there is no request.`,
            'Add them to "scopes" of the site.',
          ),
        ]),
    ...(asked.includes('openid') && asked.includes('fhirUser')
      ? []
      : [note('A launch does not ask for openid and fhirUser: nobody knows who sends, and there is no worklist.')]),
    ...(unlisted.length === 0
      ? []
      : [note(`The EHR does not list ${unlisted.join(', ')}; it may grant them all the same.`)]),
  ];
}

/**
 * Sends an invalid authorization code to check whether the EHR knows the launch client. `keys`: what the EHR finds at
 * our JWKS address.
 */
export async function clientFindings(site: Site, inspection: Inspection, keys: KeysShown): Promise<DoctorFinding[]> {
  const { auth, id } = site.client;
  const client = `the client ${id} (${auth})`;
  try {
    const { verdict, refusal } = await inspection.tryLaunchClient();
    if (verdict === 'known') return [ok(`The EHR knows ${client}: of a made-up sign-in it refused the code alone.`)];
    if (verdict === 'refused')
      return [
        auth === 'private_key_jwt' && keys !== 'ours'
          ? unreadKeys(id, inspection, { keys, refusal })
          : refused(refusal, nexts),
      ];
    return [
      untried(
        `Whether the EHR knows ${client} cannot be told: it takes ${strangers[auth]} alike. ` +
          `Of a made-up sign-in it says: ${answerWords(refusal)}.`,
        'Compare that with what is registered; the first launch shows whether the client is right.',
      ),
    ];
  } catch (error) {
    return [refused(error, nexts)];
  }
}

/** The token request is repeated with these made-up credentials, one row for each kind of client authentication. */
const strangers = {
  public: 'a client id that nobody has',
  client_secret: 'a made-up secret',
  private_key_jwt: 'a signature by another key',
} as const;

function refused(thrown: unknown, advice: Parameters<typeof failed>[1]): DoctorFinding {
  const finding = failed(thrown, advice);
  const said = thrown instanceof Error ? saidBy(thrown) : '';
  return said === '' ? finding : { ...finding, text: `${finding.text} The EHR says: “${said}”.` };
}

/** Example: `invalid_request, “Invalid code” (HTTP 400)`. */
function answerWords(error: BridgeError): string {
  const { http, error: code } = error.facts;
  const said = saidBy(error);
  const parts = [...(typeof code === 'string' ? [code] : []), ...(said === '' ? [] : [`“${said}”`])];
  return parts.length === 0 ? `HTTP ${http} without a reason` : `${parts.join(', ')} (HTTP ${http})`;
}

function isRefusal(error: unknown): error is BridgeError {
  return error instanceof BridgeError && error.code === 'client_refused';
}

// An EHR that fetches keys from the bridge's URL cannot know them until a bridge publishes them there.
function unreadKeys(
  id: string,
  { addresses }: Inspection,
  { keys, refusal }: { readonly keys: Exclude<KeysShown, 'ours'>; readonly refusal: BridgeError },
): DoctorFinding {
  const [why, next] = {
    none: [
      `no bridge shows its keys at ${addresses.jwks}`,
      'Start the bridge where the EHR can read that address (it needs no site for that), then look again.',
    ],
    others: [
      `the bridge that answers at ${addresses.jwks} shows other keys than those of BRIDGE_JWKS`,
      'Look again with the environment of that bridge, or start it again with this one.',
    ],
  }[keys];
  return untried(
    `The EHR does not take the signature of ${id} yet, and ${why}. It says: ${answerWords(refusal)}.`,
    next,
  );
}

/** Requests a Backend Services token if the site has a client for it. */
export async function systemFindings(
  site: Site,
  inspection: Inspection,
  keys: KeysShown,
): Promise<{ readonly findings: DoctorFinding[]; readonly granted?: readonly string[] }> {
  const { system, tokens, channels } = site.writeback;
  if (system === undefined) {
    if (tried(channels).length === 0) return { findings: [] };
    const by = tokens.includes('refresh') ? 'while a launch’s token can be refreshed, else ' : '';
    return {
      findings: [
        note(
          `No client for Backend Services: outcomes are written ${by}at the patient’s next launch.`,
          'Where the EHR gives one, name it in writeback.system, with "system" in writeback.tokens. Its scopes, as ' +
            `far as the EHR has them: ${backendScopes(site).join(' ')}`,
        ),
      ],
    };
  }
  const unused = tokens.includes('system')
    ? []
    : [note('The client for Backend Services is not used.', 'Add "system" to writeback.tokens.')];
  try {
    const { scopes } = await inspection.systemApi();
    const missing = scopeList(system.scopes).filter((scope) => !covers(scopes, scope));
    return {
      granted: scopes,
      findings: [
        ok(`The EHR gave ${system.id} a token by Backend Services.`),
        ...(missing.length === 0
          ? [ok(`All its scopes are granted: ${system.scopes}`)]
          : [
              problemFinding(
                `Not granted to ${system.id}: ${missing.join(' ')}`,
                'The EHR’s administrator must grant these scopes to the client, or writeback.system.scopes leaves ' +
                  'them out.',
              ),
            ]),
        ...unused,
      ],
    };
  } catch (error) {
    const finding =
      keys !== 'ours' && isRefusal(error)
        ? unreadKeys(system.id, inspection, { keys, refusal: error })
        : refused(error, systemNexts);
    return { findings: [finding, ...unused] };
  }
}

/** The scopes that a Backend Services client needs at this site. */
function backendScopes(site: Site): readonly string[] {
  const preset = presetOf(site);
  if (preset !== undefined) return systemScopesOf(preset);
  return [...typesWrittenBy(tried(site.writeback.channels)), 'Provenance' as const].map((type) =>
    writeScope(type, 'system'),
  );
}

const systemNexts = {
  ...nexts,
  token_failed:
    'Ask the EHR’s administrator whether the client may use client_credentials with these scopes, and whether it has ' +
    'a user to run as.',
} as const;
