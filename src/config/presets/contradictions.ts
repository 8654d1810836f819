import { scopeList } from '../../core/fhir/scopes.ts';
import type { WriteChannel } from '../write-channels.ts';
import type { Preset } from './preset.ts';
import { styleOf } from './preset-scopes.ts';

/** The settings of a site that can contradict its preset. */
interface SiteLines {
  readonly client: { readonly auth: Preset['signIn']['auth'][number]; readonly alg?: Preset['signIn']['algs'][number] };
  readonly scopes?: string | undefined;
  readonly writeback: {
    readonly channels: readonly WriteChannel[];
    readonly system?: { readonly alg: Preset['signIn']['algs'][number] } | undefined;
  };
}

export interface PresetContradiction {
  /** Example: `writeback.channels.0`. */
  readonly path: string;
  readonly message: string;
}

/** Returns the settings of a site that its EHR does not support, each with the setting to use instead. */
export function contradictions(site: SiteLines, preset: Preset): PresetContradiction[] {
  const { client, scopes, writeback } = site;
  const { name, signIn } = preset;
  const noAlg = (path: string, alg: string | undefined) =>
    alg === undefined || (signIn.algs as readonly string[]).includes(alg)
      ? []
      : [{ path, message: `${name} takes no signature by ${alg}; write ${either(signIn.algs)}` }];
  return [
    ...(signIn.auth.includes(client.auth)
      ? []
      : [{ path: 'client.auth', message: `${name} takes no ${client.auth} app; write ${either(signIn.auth)}` }]),
    ...(client.auth === 'private_key_jwt' ? noAlg('client.alg', client.alg) : []),
    ...noAlg('writeback.system.alg', writeback.system?.alg),
    ...(scopes === undefined ? [] : wrongScopes(scopeList(scopes), preset)),
    ...writeback.channels.flatMap((channel, index) => wrongChannel(channel, `writeback.channels.${index}`, preset)),
  ];
}

function wrongScopes(scopes: readonly string[], { name, scopes: known, signIn }: Preset): PresetContradiction[] {
  const wrong = (scope: string) => {
    const style = styleOf(scope);
    if (style !== undefined && !known.styles.includes(style))
      return `${name} knows scopes in the words of SMART ${known.styles[0]} only, and ${scope} is one of ${style}`;
    if (style !== undefined && scope.includes('/*.') && !known.wildcards)
      return `${name} grants no wildcard, and ${scope} is one`;
    const isRefresh = scope === 'online_access' || scope === 'offline_access';
    return isRefresh && !signIn.refresh.includes(scope) ? `${name} does not offer ${scope}` : undefined;
  };
  return scopes
    .flatMap((scope) => wrong(scope) ?? [])
    .slice(0, 1)
    .map((text) => ({ path: 'scopes', message: `${text}; leave scopes out for the ones that it takes` }));
}

const needed: Readonly<Record<WriteChannel, readonly (keyof Preset['may'])[]>> = {
  'task+document': ['Task', 'DocumentReference'],
  document: ['DocumentReference'],
  communication: ['Communication'],
  worklist: [],
};

function wrongChannel(channel: WriteChannel, path: string, { name, may, channels }: Preset): PresetContradiction[] {
  const missing = needed[channel].filter((type) => !may[type].includes('c'));
  if (missing.length === 0) return [];
  const message =
    `${name} lets no app create a ${missing.join(' or ')}, which ${channel} needs; ` +
    `leave channels out for ${channels.join(', ')}, or leave preset out where this EHR does let it`;
  return [{ path, message }];
}

function either(values: readonly string[]): string {
  return values.join(' or ');
}
