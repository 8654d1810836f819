import { type ClientAuth, sitesIn } from '../config/config.ts';
import { type PresetId, presetIds, presets } from '../config/presets/presets.ts';
import { BridgeError } from '../core/errors.ts';
import type { Prompter } from './questions.ts';
import { withSite } from './sites-file.ts';

export const clientAuths = [
  'private_key_jwt',
  'client_secret',
  'public',
] as const satisfies readonly ClientAuth['auth'][];

export interface SiteOptions {
  readonly preset?: PresetId;
  readonly name?: string;
  readonly iss?: string;
  readonly client?: string;
  readonly auth?: ClientAuth['auth'];
  readonly secretEnv?: string;
  readonly service?: string;
  readonly tokenEnv?: string;
  readonly webhookSecretEnv?: string;
}

export type Entry = { readonly id: string } & Readonly<Record<string, unknown>>;

export interface SitesFile {
  readonly path: string;
  /** undefined if the file does not exist yet. */
  readonly text: string | undefined;
}

/**
 * Returns the lines of the entry, from options and answers. Repeats a question whose answer would make the file
 * invalid. Throws bad_request with the names of missing options; throws config_invalid for an invalid option, before
 * any later question.
 */
export async function entryOf(
  id: string | undefined,
  options: SiteOptions,
  { questions, file }: { readonly questions: Prompter | undefined; readonly file: SitesFile },
): Promise<Entry> {
  const missing: string[] = [];
  const lines: Lines = {};
  const get = async (line: AskedLine, given: string | undefined, usual?: string): Promise<string> => {
    const { option, question, none } = asked[line];
    const refuse = (text: string) => (text === none ? undefined : mistakeOf(line, { ...lines, [line]: text }, file));
    const wrong = questions === undefined || given === undefined ? undefined : refuse(given);
    if (wrong !== undefined) throw new BridgeError('config_invalid', { problems: [`${option}: ${wrong}`] });
    const answer = given ?? (questions === undefined ? usual : await questions.ask(question, { usual, refuse })) ?? '';
    if (answer === '') missing.push(option);
    lines[line] = answer;
    return answer;
  };
  const which = `Which EHR (${presetIds.join(', ')}, or other)`;
  lines.preset = options.preset ?? presetOf(await questions?.choose(which, [...presetIds, 'other'], 'other'));
  const known = presets.find((each) => each.id === lines.preset);
  const site = await get('id', id, known?.id);
  await get('name', options.name, known?.name ?? (site === '' ? undefined : site));
  await get('iss', options.iss);
  await get('client', options.client);
  lines.auth = options.auth ?? (await askedAuth(known?.signIn.auth ?? clientAuths, options, questions));
  if (lines.auth === 'client_secret')
    await get('secretEnv', options.secretEnv, `${variablePrefix(site)}_CLIENT_SECRET`);
  await get('service', options.service);
  await get('tokenEnv', options.tokenEnv, `${variablePrefix(site)}_SERVICE_TOKEN`);
  await get('webhookEnv', options.webhookSecretEnv, noWebhook);
  if (missing.length > 0)
    throw new BridgeError('bad_request', { missing }, { next: 'Name them, or run the command at a terminal.' });
  return entryFrom(lines);
}

const noWebhook = 'none';

type AskedLine = Exclude<keyof Lines, 'preset' | 'auth'>;

const asked: Readonly<
  Record<AskedLine, { readonly option: string; readonly question: string; readonly none?: string }>
> = {
  id: { option: '<id>', question: 'Short name for addresses and logs' },
  name: { option: '--name', question: 'Name of the practice' },
  iss: { option: '--iss', question: 'FHIR base address (iss)' },
  client: { option: '--client', question: 'Client id that the EHR gave' },
  secretEnv: { option: '--secret-env', question: 'Variable that holds the client’s secret' },
  service: { option: '--service', question: 'Address of the prior-authorization service' },
  tokenEnv: { option: '--token-env', question: 'Variable that holds its token' },
  webhookEnv: {
    option: '--webhook-secret-env',
    question: `Variable that holds the secret of its webhooks, or ${noWebhook}`,
    none: noWebhook,
  },
};

interface Lines {
  preset?: PresetId | undefined;
  id?: string;
  name?: string;
  iss?: string;
  client?: string;
  auth?: ClientAuth['auth'];
  secretEnv?: string;
  service?: string;
  tokenEnv?: string;
  webhookEnv?: string;
}

/** `taken`: the methods of client authentication that the EHR accepts. */
async function askedAuth(
  taken: readonly ClientAuth['auth'][],
  { secretEnv }: SiteOptions,
  questions: Prompter | undefined,
): Promise<ClientAuth['auth']> {
  const usual = secretEnv === undefined ? (taken[0] ?? 'private_key_jwt') : 'client_secret';
  const answer = await questions?.choose(`How the client signs in: ${taken.join(' or ')}`, taken, usual);
  return taken.find((each) => each === answer) ?? usual;
}

/** The path of each line within a site's entry. */
const places: Readonly<Record<keyof Lines, string>> = {
  preset: 'preset',
  id: 'id',
  name: 'name',
  iss: 'iss',
  client: 'client.id',
  auth: 'client.auth',
  secretEnv: 'client.secretEnv',
  service: 'service.url',
  tokenEnv: 'service.tokenEnv',
  webhookEnv: 'service.webhookSecretEnvs',
};

/** Placeholders for values that are not answered yet, since the file is checked as a whole. */
const placeholders = {
  id: 'not-answered-yet',
  name: 'not answered yet',
  iss: 'https://not-answered-yet.invalid',
  client: 'not-answered-yet',
  service: 'https://not-answered-yet.invalid',
  tokenEnv: 'NOT_ANSWERED_YET',
} as const;

/** Says why the file would be refused with this line; undefined if it would be accepted. */
function mistakeOf(line: keyof Lines, lines: Lines, { path, text }: SitesFile): string | undefined {
  const problems: string[] = [];
  const next = withSite(text, entryFrom({ ...placeholders, ...lines }));
  const index = (JSON.parse(next) as { readonly sites: readonly unknown[] }).sites.length - 1;
  sitesIn(next, path, problems);
  const place = `${path}: sites.${index}.${places[line]}`;
  const own = problems.find((each) => each.startsWith(`${place}: `) || each.startsWith(`${place}.`));
  return own?.slice(place.length).replace(/^[^:]*: /, '');
}

function entryFrom({
  preset,
  id = '',
  name,
  iss,
  client,
  auth,
  secretEnv,
  service,
  tokenEnv,
  webhookEnv,
}: Lines): Entry {
  const known = presets.find((each) => each.id === preset);
  return {
    id,
    ...(preset === undefined ? {} : { preset }),
    ...(known !== undefined && name === known.name ? {} : { name }),
    iss,
    client: {
      ...(known !== undefined && (auth === undefined || auth === known.signIn.auth[0])
        ? {}
        : { auth: auth ?? 'public' }),
      id: client,
      ...(secretEnv === undefined ? {} : { secretEnv }),
    },
    service: {
      url: service,
      tokenEnv,
      ...(webhookEnv === undefined || webhookEnv === noWebhook ? {} : { webhookSecretEnvs: [webhookEnv] }),
    },
  };
}

/** The name of an environment variable must begin with a letter. */
function variablePrefix(site: string): string {
  const name = site.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  return /^[A-Z]/.test(name) ? name : `SITE_${name}`;
}

function presetOf(answer: string | undefined): PresetId | undefined {
  return presetIds.find((each) => each === answer);
}
