import { isObject } from '../../core/fhir/is-object.ts';
import type { Preset } from './preset.ts';
import { scopesOf } from './preset-scopes.ts';
import { type PresetId, presetOf, presets } from './presets.ts';

/**
 * Fills a site's missing settings from its preset. A site without a preset, or with an unknown one, is returned
 * unchanged.
 */
export function withPreset(site: unknown): unknown {
  const preset = isObject(site) && isPreset(site.preset) ? presetOf({ preset: site.preset }) : undefined;
  if (!isObject(site) || preset === undefined) return site;
  return {
    id: preset.id,
    name: preset.name,
    scopes: scopesOf(preset).join(' '),
    origins: preset.signIn.origins,
    ...site,
    ...(isObject(site.client) ? { client: clientOf(site.client, preset) } : {}),
    writeback: writebackOf(site.writeback, preset),
  };
}

export function isPreset(value: unknown): value is PresetId {
  return presets.some(({ id }) => id === value);
}

function clientOf(client: object, { signIn }: Preset): object {
  const auth = 'auth' in client ? client.auth : 'secretEnv' in client ? 'client_secret' : signIn.auth[0];
  const alg = auth === 'private_key_jwt' && !('alg' in client) ? { alg: signIn.algs[0] } : {};
  return { ...client, auth, ...alg };
}

// A value of the wrong type is left unchanged, because the schema reports it.
function writebackOf(writeback: unknown, { channels, signIn }: Preset): unknown {
  if (writeback !== undefined && !isObject(writeback)) return writeback;
  const system = isObject(writeback) ? writeback.system : undefined;
  const signed = isObject(system) ? { system: { alg: signIn.algs[0], ...system } } : {};
  const isNothing = channels[0] === 'worklist' && (writeback === undefined || !('channels' in writeback));
  return { channels: [...channels], ...(isNothing ? { tokens: ['next-launch'] } : {}), ...writeback, ...signed };
}
