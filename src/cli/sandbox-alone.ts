import type { ServiceAlone } from '../sandbox/alone.ts';
import { clientId, systemClientId } from '../sandbox/bridge.ts';
import type { SandboxEhr } from '../sandbox/ehr/index.ts';

/** What a person needs to point a bridge at the service, or one line of JSON for a program. */
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

/** The same of the EHR. */
export function aboutEhr(
  ehr: SandboxEhr,
  registered: { readonly bridge: string; readonly site: string },
  asJson: boolean,
): string {
  const clients = { launch: clientId, system: systemClientId };
  if (asJson) return `${JSON.stringify({ url: ehr.url, iss: ehr.fhirBase, ...registered, clients })}\n`;
  return `
The sandbox EHR is running.

  EHR         ${ehr.url}   invented patients and their charts
  Switches    ${ehr.url}/sandbox/switches
  Ledger      ${ehr.url}/sandbox/ledger
  Bridge      ${registered.bridge}, registered as ${clientId} and ${systemClientId} (private_key_jwt)

In the sites file:
  "id": "${registered.site}", "iss": "${ehr.fhirBase}", "client": { "auth": "private_key_jwt", "id": "${clientId}" }

  Stop        Ctrl+C
`;
}
