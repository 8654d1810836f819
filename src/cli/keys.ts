import { newKey } from '../base/vault.ts';
import { generateKeys } from '../ehr/smart/keys.ts';
import { exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';

interface KeysOptions {
  readonly json?: true;
}

const help = `
Prints two lines for the environment of serve, new at every call and kept nowhere else:
  BRIDGE_KEYS   the key that seals what is stored
  BRIDGE_JWKS   the keys that sign for sites with private_key_jwt (ES384, RS384); their public part is published

Whoever has them can read the store and sign as the bridge: let only its user read the file. Made again, they
open nothing that was sealed before. To change BRIDGE_KEYS, see rekey --help. To change
BRIDGE_JWKS, add the new keys behind the old ones, and take the old ones out when the EHR has fetched the new.

Examples
  (umask 077; prior-auth-bridge keys > bridge.env)
  set -a; . ./bridge.env; set +a; prior-auth-bridge serve
  prior-auth-bridge keys --json | jq .BRIDGE_JWKS      BRIDGE_JWKS may also be the path of a file that holds this`;

export const addKeys: AddCommand = (program, io, end) => {
  program
    .command('keys')
    .description('Make the keys that serve needs: BRIDGE_KEYS and BRIDGE_JWKS, as lines for its environment.')
    .option('--json', 'print them as JSON')
    .addHelpText('after', help)
    .action(async (options: KeysOptions) => {
      await keys(options, io);
      end(exit.ok);
    });
};

async function keys({ json }: KeysOptions, io: Io): Promise<void> {
  const made = { BRIDGE_KEYS: newKey(), BRIDGE_JWKS: await generateKeys() };
  if (json) io.stdout.write(`${JSON.stringify(made, undefined, 2)}\n`);
  // In single quotes, since a shell would remove the double quotes of JSON. No value contains a single quote.
  else
    for (const [name, value] of Object.entries(made))
      io.stdout.write(`${name}='${typeof value === 'string' ? value : JSON.stringify(value)}'\n`);
}
