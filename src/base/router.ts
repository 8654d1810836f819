import { BridgeError } from '../core/errors.ts';
import { mayGenerate } from '../core/fhir/may-generate.ts';

/**
 * Throws config_invalid where pages cannot be served: find-my-way, the router of Fastify, generates code from the text
 * of each route and has no alternative.
 */
export function checkRouter(): void {
  if (mayGenerate) return;
  const problem =
    'NODE_OPTIONS: --disallow-code-generation-from-strings forbids what find-my-way, the router of the pages, is ' +
    'made of; leave it out for serve, sandbox and BRIDGE_METRICS_PORT';
  throw new BridgeError('config_invalid', { problems: [problem] });
}
