import type { EhrAlone, ServiceAlone } from '../sandbox/alone.ts';
import { clientId, systemClientId } from '../sandbox/bridge.ts';
import { type ProductId, products } from '../sandbox/ehr/products.ts';

/** Returns the addresses and settings that a bridge needs to use the service, as text or as one line of JSON. */
export function aboutService({ service, sites }: ServiceAlone, asJson: boolean): string {
  if (asJson) return `${JSON.stringify({ url: service.url, sites })}\n`;
  const one = sites.map(
    ({ id, token, webhook }) => `
  Site        ${id}
  Token       ${token}
  Webhooks    ${webhook.url}
  Secret      ${webhook.secret}
`,
  );
  return `
The sandbox of the service is running. No payer is behind it; what it decides is invented.

  Service     ${service.url}   the requests that arrived, and how they move on
  Switches    ${service.url}/sandbox/switches
  Ledger      ${service.url}/sandbox/ledger
${one.join('')}
In the sites file, with the token and the secret in the two environment variables:
  "service": { "url": "${service.url}", "tokenEnv": "SERVICE_TOKEN", "webhookSecretEnvs": ["WEBHOOK_SECRET"] }

  Stop        Ctrl+C
`;
}

/** Returns the addresses and settings that a bridge needs to use the EHR, as text or as one line of JSON. */
export function aboutEhr(
  { ehr, secret }: EhrAlone,
  registered: { readonly bridge: string; readonly site: string; readonly product?: ProductId | undefined },
  asJson: boolean,
): string {
  const { bridge, site, product } = registered;
  const clients = { launch: clientId, system: systemClientId };
  if (asJson) return `${JSON.stringify({ url: ehr.url, iss: ehr.fhirBase, ...registered, clients, secret })}\n`;
  return `
The sandbox EHR is running${product === undefined ? '' : `, as ${products[product].name}`}.

  EHR         ${ehr.url}   invented patients and their charts
  Switches    ${ehr.url}/sandbox/switches
  Ledger      ${ehr.url}/sandbox/ledger
  Bridge      ${bridge}, registered as ${clientId} (${secret === undefined ? 'private_key_jwt' : 'client_secret'})
              and ${systemClientId} (private_key_jwt)
${secret === undefined ? '' : `  Secret      ${secret}\n`}
In the sites file${secret === undefined ? '' : ', with the secret in that variable'}:
  ${linesOf({ site, product, iss: ehr.fhirBase, hasSecret: secret !== undefined })}

  Stop        Ctrl+C
`;
}

function linesOf(of: {
  readonly site: string;
  readonly product: ProductId | undefined;
  readonly iss: string;
  readonly hasSecret: boolean;
}): string {
  const auth = of.product === undefined ? '"auth": "private_key_jwt", ' : '';
  const secret = of.hasSecret ? ', "secretEnv": "EHR_SECRET"' : '';
  const first = of.product === undefined ? '' : `"preset": "${of.product}", `;
  return `${first}"id": "${of.site}", "iss": "${of.iss}", "client": { ${auth}"id": "${clientId}"${secret} }`;
}
