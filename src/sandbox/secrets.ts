import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import { generateKeys } from '../smart/index.ts';
import { newKey } from '../vault.ts';

const Secrets = z.object({
  bridgeKey: z.string().min(1),
  jwks: z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) }),
  serviceToken: z.string().min(1),
  webhookSecret: z.string().min(1),
});
export type Secrets = z.infer<typeof Secrets>;

/** The sandbox's keys and tokens: made at the first start, kept beside the data that they seal. */
export async function loadSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return parse(text, path);
  const secrets = Secrets.parse({
    bridgeKey: newKey(),
    jwks: await generateKeys(),
    serviceToken: randomBytes(24).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  });
  await writeFile(path, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
  return secrets;
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
