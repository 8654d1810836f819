import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CapabilityStatement } from 'fhir/r4.js';
import { decodeProtectedHeader } from 'jose';
import nock from 'nock';
import { generateKeys } from '../../../src/ehr/smart/keys.ts';

export const ehr = 'https://ehr.valley.example';
export const service = 'https://service.example';
export const bridge = 'https://bridge.example';

export const keys = await generateKeys();

/** Whatever is secret in this world: nothing of it may be printed. */
export const secrets = {
  serviceToken: 'canary-service-token',
  webhookSecret: `whsec_${Buffer.from('canary-webhook-secret-of-32-byte').toString('base64')}`,
  clientSecret: 'canary-client-secret',
  accessToken: 'canary-access-token',
  sealingKey: '0123456789abcdef'.repeat(4),
};

export const env = {
  BRIDGE_URL: bridge,
  BRIDGE_KEYS: secrets.sealingKey,
  BRIDGE_JWKS: JSON.stringify(keys),
  SERVICE_TOKEN: secrets.serviceToken,
  WEBHOOK_SECRET: secrets.webhookSecret,
  CLIENT_SECRET: secrets.clientSecret,
};

const clientId = 'bridge-client';

export const site = {
  id: 'valley',
  name: 'Valley Clinic',
  iss: `${ehr}/fhir`,
  client: { auth: 'private_key_jwt', id: clientId },
  frameAncestors: [ehr],
  service: { url: service, tokenEnv: 'SERVICE_TOKEN', webhookSecretEnvs: ['WEBHOOK_SECRET'] },
  writeback: {
    tokens: ['system', 'refresh', 'next-launch'],
    system: { id: 'bridge-system', scopes: 'system/Task.crus system/DocumentReference.crus' },
  },
};

/** A sites file in `folder` with the site, changed; its path. */
export function sitesFile(folder: string, changes: Record<string, unknown> = {}): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'sites.json');
  writeFileSync(path, JSON.stringify({ sites: [{ ...site, ...changes }] }, undefined, 2));
  return path;
}

const writable = ['create', 'read', 'search-type', 'update'];

/** A CapabilityStatement with these interactions by type, besides the searches of a chart. */
export function statementOf(writes: Readonly<Record<string, readonly string[]>>): CapabilityStatement {
  const reads = ['Patient', 'MedicationRequest', 'Coverage', 'Condition', 'Observation'];
  const rows = { ...Object.fromEntries(reads.map((type) => [type, ['read', 'search-type']])), ...writes };
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-11-01',
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        resource: Object.entries(rows).map(([type, codes]) => ({
          type: type as 'Task',
          interaction: codes.map((code) => ({ code: code as 'read' })),
          ...(type === 'MedicationRequest' ? { searchInclude: ['MedicationRequest:medication'] } : {}),
          searchParam: [{ name: 'identifier', type: 'token' }],
        })),
      },
    ],
  };
}

export interface World {
  readonly wellKnown?: Record<string, unknown>;
  readonly statement?: CapabilityStatement;
  /** The answer to a code that nobody gave, whoever asks; when left out, only the bridge's own client is known. */
  readonly code?: { readonly status: number; readonly body: unknown };
  /** The answer to client_credentials. */
  readonly system?: { readonly status: number; readonly body: unknown };
  /** HTTP status of the service, by whether the token is the right one. */
  readonly service?: (isRight: boolean) => number;
  /** HTTP status of the webhook endpoint of the running bridge; no bridge runs when left out. */
  readonly webhook?: number;
  readonly publishes?: unknown;
  /** Header Date of the EHR's answers. */
  readonly date?: string;
}

/** Every request that was sent, `POST https://…/token`, in order. */
export function world(changes: World = {}): string[] {
  const asked: string[] = [];
  const dated = changes.date === undefined ? {} : { date: changes.date };
  const json = { 'content-type': 'application/json', ...dated };
  nock.emitter.removeAllListeners();
  const note = (request: Request) => asked.push(`${request.method} ${request.url}`);
  nock(ehr)
    .persist()
    .get('/fhir/.well-known/smart-configuration')
    .reply(200, {
      authorization_endpoint: `${ehr}/oauth/authorize`,
      token_endpoint: `${ehr}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      capabilities: ['launch-ehr', 'permission-v2'],
      ...changes.wellKnown,
    });
  nock(ehr)
    .persist()
    .get('/fhir/metadata')
    .reply(200, changes.statement ?? statementOf({ Task: writable, DocumentReference: writable }), json);
  nock(ehr)
    .persist()
    .post('/oauth/token')
    .reply(async (request: Request) => {
      note(request);
      const form = new URLSearchParams(await request.text());
      const { status, body } =
        form.get('grant_type') === 'client_credentials'
          ? (changes.system ?? { status: 200, body: systemToken })
          : (changes.code ??
            (isOurs(form, request)
              ? { status: 400, body: { error: 'invalid_grant' } }
              : { status: 401, body: { error: 'invalid_client' } }));
      return [status, JSON.stringify(body), json];
    });
  nock(service)
    .persist()
    .get(/^\/prior-authorization\//)
    .reply((request: Request) => {
      note(request);
      const isRight = request.headers.get('authorization') === `Bearer ${secrets.serviceToken}`;
      const status = changes.service?.(isRight) ?? (isRight ? 404 : 401);
      return [status, JSON.stringify({ detail: `no, ${request.headers.get('authorization')}` }), json];
    });
  if (changes.webhook !== undefined) {
    const published = { keys: keys.keys.map(({ kid, kty }) => ({ kid, kty })) };
    nock(bridge)
      .persist()
      .get('/.well-known/jwks.json')
      .reply(200, (changes.publishes ?? published) as Record<string, unknown>);
    nock(bridge)
      .persist()
      .post('/webhooks/valley')
      .reply((request: Request) => {
        note(request);
        return [changes.webhook, '{}'];
      });
  }
  return asked;
}

function isOurs(form: URLSearchParams, request: Request): boolean {
  const assertion = form.get('client_assertion');
  const kid = assertion === null ? undefined : decodeProtectedHeader(assertion).kid;
  const [, basic = ''] = request.headers.get('authorization')?.split(' ') ?? [];
  const secret = Buffer.from(basic, 'base64').toString().split(':')[1];
  return (
    keys.keys.some((key) => key.kid === kid) || secret === secrets.clientSecret || form.get('client_id') === clientId
  );
}

export const systemToken = {
  access_token: secrets.accessToken,
  token_type: 'Bearer',
  expires_in: 300,
  scope: 'system/Task.crus system/DocumentReference.crus',
};
