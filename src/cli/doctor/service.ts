import { type Clock, silentLog } from '../../base/log.ts';
import type { Config, Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { createServiceClient } from '../../service/client.ts';
import { type DoctorFinding, failed, ok, problemFinding } from './finding.ts';

/** The id of a record that does not exist. Reading it changes nothing and requires a valid token. */
const nobody = 'prior-auth-bridge-doctor';

export async function serviceFindings(
  site: Site,
  { config, clock, fetch }: { readonly config: Config; readonly clock: Clock; readonly fetch: typeof globalThis.fetch },
): Promise<DoctorFinding[]> {
  const { url, tokenEnv, training, profile, prescription } = site.service;
  const ask = (token: () => string) =>
    createServiceClient({ url, token, clock, fetch, log: silentLog, policy: { attempts: 1 } })
      .getPriorAuthorization(nobody)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  const nexts = {
    service_unreachable: `Check service.url (${url}) and whether this machine may reach it.`,
    service_unauthorized: `Correct the token in ${tokenEnv}: it must be of this service and not expired.`,
    service_contract: `Check service.url (${url}): what answers there is not the service.`,
  };
  const answer = await ask(() => config.secret(tokenEnv));
  if (answer !== undefined && !is(answer, 'service_not_found')) return [failed(answer, nexts)];
  // The service refuses a wrong token. A server that does not is probably not the service.
  if (!is(await ask(() => 'no-token-of-anybody'), 'service_unauthorized'))
    return [
      problemFinding(
        `${url} answers a wrong token as it answers the one in ${tokenEnv}, so it may not be the service.`,
        'Check service.url.',
      ),
    ];
  return [
    ok(`The service takes the token in ${tokenEnv}.`),
    ok(`Requests are written in the profile ${profile}${profile === 'current' ? drugWords[prescription] : ''}.`),
    ...(training ? [ok('Requests go as training data: the service does not process them.')] : []),
  ];
}

const drugWords = { named: ', the drug by its name', coded: ', the drug by its NDC' } as const;

function is(error: unknown, code: BridgeError['code']): boolean {
  return error instanceof BridgeError && error.code === code;
}
