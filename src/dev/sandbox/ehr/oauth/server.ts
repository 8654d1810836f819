import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { misbehave } from '../../control/misbehave.ts';
import type { EhrSwitches } from '../ehr-switches.ts';
import { type Access, accessOf } from '../fhir/access.ts';
import type { SignIn } from '../fhir/capability.ts';
import { fhirPath } from '../fhir/path.ts';
import { resourceTypes } from '../fhir/resource-types.ts';
import type { OAuthStore } from './adapter.ts';
import { clientMetadata, type SandboxClient } from './clients.ts';
import type { Launches, TokenContext } from './launches.ts';
import { refuseAsOthers } from './token-refusals.ts';

export interface OAuthServerOptions {
  /** Also the issuer of id_tokens, such as `http://127.0.0.1:8081/oauth`. */
  readonly issuer: string;
  readonly fhirBase: string;
  readonly clients: readonly SandboxClient[];
  readonly launches: Launches;
  readonly store: OAuthStore;
  /** Launch contexts by grant id. The caller keeps them across a restart. */
  readonly contexts: Map<string, TokenContext>;
  /** Private keys. The RSA key (RS256) signs id_tokens. */
  readonly keys: readonly JWK[];
  readonly cookieKey: string;
  readonly nameOf: (practitioner: string) => string | undefined;
  readonly switches: EhrSwitches;
  readonly signIn: SignIn;
  /** Ends every wait. */
  readonly stop: AbortSignal;
}

export interface OAuthServer {
  /** The plugin that serves the paths below the issuer. */
  readonly routes: (app: FastifyInstance) => Promise<void>;
  /** Returns the access of a token; undefined if the token is unknown, expired or revoked. */
  accessFor(token: string): Promise<Access | undefined>;
}

/**
 * The OAuth server of the sandbox: oidc-provider with SMART launches. The launch id determines the user and the chart,
 * so no page asks for them. The parameter `launch` is checked, its practitioner is signed in, and the granted scopes go
 * to a grant that stores the context.
 */
export function createOAuthServer(options: OAuthServerOptions): OAuthServer {
  const provider = new Provider(options.issuer, configuration(options));
  provider.on('grant.success', (ctx) => addLaunchContext(ctx, options));
  const whose = () => options.switches.take('token-refusals', { path: '/oauth/token', method: 'POST' });
  provider.use((ctx, next) => refuseAsOthers(ctx, next, provider, whose));
  return {
    routes: async (app) => mount(app, provider, options),
    async accessFor(token) {
      const user = await provider.AccessToken.find(token);
      const context = user === undefined ? undefined : options.contexts.get(user.grantId);
      if (user !== undefined)
        return accessOf(
          [...user.scopes].filter((scope) => !scope.startsWith('system/')),
          context?.patient,
          context === undefined ? undefined : `Practitioner/${context.practitioner}`,
        );
      const system = await provider.ClientCredentials.find(token);
      return system === undefined
        ? undefined
        : accessOf(
            (system.scope ?? '').split(' ').filter((scope) => scope.startsWith('system/')),
            undefined,
          );
    },
  };
}

function configuration(options: OAuthServerOptions): Configuration {
  return {
    adapter: (model: string) => options.store.adapter(model),
    clients: options.clients.map(clientMetadata),
    jwks: { keys: [...options.keys] },
    cookies: { keys: [options.cookieKey] },
    scopes: allScopes(options.signIn),
    claims: { openid: ['sub'], fhirUser: ['fhirUser'], profile: ['name', 'profile'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    enabledJWA: { clientAuthSigningAlgValues: [...options.signIn.algs] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    },
    interactions: { policy: [], url: async () => `${options.issuer}/none` },
    extraParams: {
      aud: async (_ctx, aud) => {
        if (aud?.replace(/\/$/, '') !== options.fhirBase)
          throw new errors.InvalidRequest('aud is not the address of this FHIR server');
        refuseSignIn(options.switches);
      },
      launch: async (ctx, launch) => signIn(ctx, launch, options.launches),
    },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        name: options.nameOf(id),
        profile: `${options.fhirBase}/Practitioner/${id}`,
        fhirUser: `${options.fhirBase}/Practitioner/${id}`,
      }),
    }),
    loadExistingGrant: async (ctx) => grantFor(ctx, options),
    issueRefreshToken: async (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') &&
      (code.scopes.has('online_access') || code.scopes.has('offline_access')),
    rotateRefreshToken: true,
    // One browser launches for several practitioners. A token must not end when another practitioner signs in.
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      ClientCredentials: 300,
      Grant: 14 * 86_400,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 14 * 86_400,
      Session: 86_400,
    },
    // The clients' keys are at loopback addresses, which oidc-provider's own fetch refuses.
    fetch: (url, init) =>
      fetch(url, {
        ...(init?.method === undefined ? {} : { method: init.method }),
        ...(init?.headers === undefined ? {} : { headers: init.headers }),
        signal: AbortSignal.timeout(2500),
      }),
    renderError: async (ctx, out) => {
      ctx.type = 'text/plain';
      const description = out.error_description === undefined ? '' : ` (${out.error_description})`;
      ctx.body = `Sign-in failed: ${out.error}${description}`;
    },
  };
}

function refuseSignIn(switches: EhrSwitches): void {
  const refusal = switches.take('refuse-sign-in', { path: '/oauth/auth', method: 'GET' });
  if (refusal !== undefined) throw new errors.CustomOIDCProviderError(refusal.error, refusal.description);
}

async function signIn(ctx: KoaContextWithOIDC, launch: string | undefined, launches: Launches): Promise<void> {
  const context = launch === undefined ? undefined : launches.find(launch);
  if (context === undefined) throw new errors.InvalidRequest('launch is missing, unknown or too old');
  ctx.oidc.session?.loginAccount({ accountId: context.practitioner });
  keepOfflineAccess(ctx);
}

// OpenID Connect drops offline_access without prompt=consent, but SMART grants it.
function keepOfflineAccess(ctx: KoaContextWithOIDC): void {
  const asked = ctx.oidc.body?.scope ?? ctx.query.scope;
  const { params } = ctx.oidc;
  if (typeof asked !== 'string' || params === undefined || typeof params.scope !== 'string') return;
  if (asked.split(' ').includes('offline_access') && !params.scope.split(' ').includes('offline_access'))
    params.scope = `${params.scope} offline_access`;
}

async function grantFor(ctx: KoaContextWithOIDC, options: OAuthServerOptions) {
  const { client, session, params, provider } = ctx.oidc;
  const context = typeof params?.launch === 'string' ? options.launches.find(params.launch) : undefined;
  if (client === undefined || session?.accountId === undefined || context === undefined) return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope([...ctx.oidc.requestParamOIDCScopes].filter((scope) => !scope.startsWith('system/')));
  options.contexts.set(await grant.save(), context);
  return grant;
}

function addLaunchContext(ctx: KoaContextWithOIDC, { contexts, switches }: OAuthServerOptions): void {
  if (typeof ctx.body !== 'object' || ctx.body === null) return;
  const context = contexts.get(ctx.oidc.entities.AccessToken?.grantId ?? '');
  if (context === undefined) return;
  const { practitioner: _practitioner, patient, ...stated } = context;
  const isHidden = switches.take('hide-patient', { path: '/oauth/token', method: 'POST' }) === true;
  ctx.body = { ...ctx.body, ...stated, ...(isHidden || patient === undefined ? {} : { patient }) };
}

/**
 * Returns every possible scope, since oidc-provider grants only listed scopes: v1 and v2 forms of each level and type.
 */
function allScopes({ styles, refresh }: SignIn): string[] {
  const letters = ['c', 'r', 'u', 'd', 's'];
  const v2 = Array.from({ length: 31 }, (_, index) =>
    letters.filter((_letter, bit) => ((index + 1) >> bit) & 1).join(''),
  );
  const actions = [...(styles.includes('v1') ? ['read', 'write', '*'] : []), ...(styles.includes('v2') ? v2 : [])];
  const resources = ['patient', 'user', 'system'].flatMap((level) =>
    ['*', ...resourceTypes].flatMap((type) => actions.map((action) => `${level}/${type}.${action}`)),
  );
  return ['openid', 'profile', 'fhirUser', 'launch', 'launch/patient', ...refresh, ...resources];
}

/**
 * Returns the path of the EHR's sign-in page if the request is an authorization request without a launch; else
 * undefined.
 */
function standaloneOf(url: string, prefix: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return pathname === `${prefix}/auth` && !searchParams.has('launch') && searchParams.has('client_id')
    ? `/sign-in?${searchParams}`
    : undefined;
}

async function mount(app: FastifyInstance, provider: Provider, options: OAuthServerOptions): Promise<void> {
  const prefix = new URL(options.issuer).pathname;
  const callback = provider.callback();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  misbehave(app, {
    switches: options.switches,
    stop: options.stop,
    occasion: fhirPath,
    body: () => ({ error: 'temporarily_unavailable' }),
    hasAnswers: false,
  });
  app.all('/*', async (request, reply) => {
    // In a standalone launch, the person selects user and chart at the EHR. From then on it is like any other launch.
    const standalone = standaloneOf(request.raw.url ?? '', prefix);
    if (standalone !== undefined) return reply.redirect(standalone, 303);
    reply.hijack();
    // oidc-provider finds its mount path by comparing originalUrl and url.
    Object.assign(request.raw, { originalUrl: request.raw.url, url: request.raw.url?.slice(prefix.length) });
    await callback(request.raw, reply.raw);
    return reply;
  });
}
