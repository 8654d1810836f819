import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { newKey } from '../../base/vault.ts';
import type { Profile } from '../../core/contract/profile.ts';
import { BridgeError } from '../../core/errors.ts';
import { generateKeys } from '../../ehr/smart/keys.ts';
import { defaultSite } from './bridge.ts';
import type { ServiceSite } from './service/sites.ts';

const Secrets = z.object({
  bridgeKey: z.string().min(1),
  jwks: z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) }),
  serviceToken: z.string().min(1),
  webhookSecret: z.string().min(1),
});
export type Secrets = z.infer<typeof Secrets>;

/** Reads the sandbox's keys and tokens. They are created at the first start and stored in the data folder. */
export async function loadSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return parse(text, path);
  const secrets = await newSecrets();
  await writeFile(path, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
  return secrets;
}

export async function newSecrets(): Promise<Secrets> {
  return Secrets.parse({
    bridgeKey: newKey(),
    jwks: await generateKeys(),
    serviceToken: randomBytes(24).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  });
}

/**
 * Returns a site as the service knows it. The first site has the token and secret themselves; the other sites have
 * derived ones.
 */
export function callerOf(
  secrets: Secrets,
  { site, profile, bridge }: { readonly site: string; readonly profile: Profile; readonly bridge: string },
): Required<ServiceSite> {
  const isFirst = site === defaultSite;
  const token = isFirst ? secrets.serviceToken : derived(secrets.serviceToken, site).toString('base64url');
  const secret = isFirst ? secrets.webhookSecret : `whsec_${derived(secrets.webhookSecret, site).toString('base64')}`;
  return { id: site, token, profile, webhook: { url: `${bridge}/webhooks/${site}`, secret } };
}

/** The client secret of the bridge at an EHR whose apps do not sign. */
export function clientSecretOf(secrets: Secrets): string {
  return derived(secrets.serviceToken, 'client').toString('base64url');
}

function derived(secret: string, site: string): Buffer {
  return createHmac('sha256', secret).update(site).digest();
}

function parse(text: string, path: string): Secrets {
  try {
    return Secrets.parse(JSON.parse(text));
  } catch {
    // the parser's message would quote a secret
    throw new BridgeError(
      'config_invalid',
      { problems: [`${path}: not the sandbox's secrets file`] },
      { next: 'Start the sandbox once with --reset.' },
    );
  }
}
