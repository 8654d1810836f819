import { z } from 'zod';
import type { Clock } from '../../base/log.ts';
import type { Config, Site } from '../../config/config.ts';
import { type EhrAnswer, jsonOf, NoAnswer, send } from '../../ehr/smart/http.ts';
import type { Inspection } from '../../ehr/smart/inspect.ts';
import { defaultLimits } from '../../ehr/smart/types.ts';
import { secretBits, signWebhook } from '../../service/webhook-signature.ts';
import { type DoctorFinding, note, ok, problemFinding, untried } from './finding.ts';

interface Reached {
  readonly config: Config;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** Returns the ids of the keys in the JWKS that a bridge publishes at BRIDGE_URL; undefined if none answers there. */
export async function publishedKeys(inspection: Inspection, reached: Reached): Promise<readonly string[] | undefined> {
  const answer = await ask(reached, inspection.addresses.jwks, {
    method: 'GET',
    headers: { accept: 'application/json' },
  });
  const keys = answer === undefined ? undefined : KeySet.safeParse(jsonOf(answer)).data;
  return keys?.keys.map(({ kid }) => kid);
}

/** The keys that an EHR finds in the published key set: those of BRIDGE_JWKS, other keys, or none. */
export type KeysShown = 'ours' | 'others' | 'none';

export function keysShown(inspection: Inspection, published: readonly string[] | undefined): KeysShown {
  if (published === undefined) return 'none';
  return inspection.jwks().keys.every(({ kid = '' }) => published.includes(kid)) ? 'ours' : 'others';
}

const KeySet = z.object({ keys: z.array(z.object({ kid: z.string() })) });

/**
 * Checks what a running bridge at BRIDGE_URL publishes and accepts. Stores nothing there. `isNew`: the site is not in
 * the sites file yet, so the bridge cannot know it.
 */
export async function bridgeFindings(
  site: Site,
  inspection: Inspection,
  {
    published,
    isNew,
    ...reached
  }: Reached & { readonly published: readonly string[] | undefined; readonly isNew: boolean },
): Promise<DoctorFinding[]> {
  const secrets = secretFindings(site, reached);
  if (published === undefined)
    return [
      untried(
        `No bridge answers at ${reached.config.url}: its key set and its webhooks were not looked at.`,
        'Start it with serve, then look again with doctor.',
      ),
      ...secrets,
    ];
  const keys = keyFinding(site, inspection, published);
  return isNew ? [keys, ...secrets] : [keys, ...secrets, ...(await webhookFindings(site, reached))];
}

function keyFinding(site: Site, inspection: Inspection, published: readonly string[]): DoctorFinding {
  const own = inspection.jwks().keys.length;
  const signs = site.client.auth === 'private_key_jwt' || site.writeback.system !== undefined;
  if (keysShown(inspection, published) === 'ours' && (own > 0 || !signs))
    return ok(`The bridge at BRIDGE_URL publishes the keys of BRIDGE_JWKS (${own}).`);
  return problemFinding(
    `${inspection.addresses.jwks} does not show the keys of BRIDGE_JWKS.`,
    'Start the bridge again with this environment; an EHR that reads the keys there refuses signatures until then.',
  );
}

/** No bridge is running that could receive a test webhook, so only the secrets are checked. */
function secretFindings({ service }: Site, { config }: Pick<Reached, 'config'>): DoctorFinding[] {
  if (service.webhookSecretEnvs.length === 0)
    return [note('No webhook secret: changes at the service are found by looking, not told by it.')];
  return service.webhookSecretEnvs.flatMap((name) => weakness(name, config.secret(name)));
}

const fewestBits = 192;

function weakness(name: string, secret: string): DoctorFinding[] {
  const bits = secretBits(secret);
  if (bits >= fewestBits) return [];
  const text = `The secret in ${name} has ${bits} bits; Standard Webhooks ask for ${fewestBits}.`;
  return [bits === 0 ? problemFinding(text, 'Copy the whole secret from the service.') : note(text)];
}

/**
 * Sends a signed webhook without an event. A bridge that knows the secret accepts the signature, refuses the body and
 * stores nothing.
 */
async function webhookFindings(site: Site, reached: Reached): Promise<DoctorFinding[]> {
  const { config, clock } = reached;
  const address = `${config.url}/webhooks/${site.id}`;
  const rawBody = '{}';
  const tried = site.service.webhookSecretEnvs.map(async (name): Promise<DoctorFinding> => {
    const signature = signWebhook({ id: 'doctor', rawBody, secret: config.secret(name), now: clock() });
    const headers = { 'content-type': 'application/json', ...signature };
    const answer = await ask(reached, address, { method: 'POST', headers, body: rawBody });
    if (answer?.status === 400) return ok(`The bridge at BRIDGE_URL believes webhooks signed with ${name}.`);
    const said = answer === undefined ? 'no answer' : `HTTP ${answer.status}`;
    return problemFinding(
      `${address} does not believe a webhook signed with ${name} (${said}).`,
      'Start the bridge again with this sites file and this environment.',
    );
  });
  return await Promise.all(tried);
}

async function ask(
  { fetch, timeoutMs }: Reached,
  address: string,
  init: Parameters<typeof send>[2],
): Promise<EhrAnswer | undefined> {
  try {
    return await send(fetch, address, init, { timeoutMs, bytes: defaultLimits.documentBytes });
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
