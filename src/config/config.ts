import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { usualPolicy } from '../core/answers/knowledge.ts';
import { prescriptionForms, profiles } from '../core/contract/profile.ts';
import { BridgeError } from '../core/errors.ts';
import { canonicalSystem } from '../core/fhir/codes/systems.ts';
import { isTimeZone, machineTimeZone } from '../core/fhir/time/time-zone.ts';
import { inOurWords } from '../core/issue-words.ts';
import { canonicalIssuer, isSafeAddress, networksOf, origin, ownAddress, proxies, url } from './addresses.ts';
import { conceptMap } from './concept-map.ts';
import { keepingTime } from './keeping-time.ts';
import { contradictions } from './presets/contradictions.ts';
import { isPreset, withPreset } from './presets/fill.ts';
import { presetIds, presetOf } from './presets/presets.ts';
import { writeChannels } from './write-channels.ts';

/**
 * The configuration: environment variables and one sites file, checked once at start and then frozen. The sites file
 * contains no secrets, only the names of the environment variables that hold them.
 */

const envName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'it must be the name of an environment variable: capital letters, digits and _');

const ClientAuth = z.discriminatedUnion('auth', [
  z.strictObject({ auth: z.literal('public'), id: z.string().min(1) }),
  z.strictObject({ auth: z.literal('client_secret'), id: z.string().min(1), secretEnv: envName }),
  /** The bridge signs client assertions with its own keys (RS384 or ES384), published at /.well-known/jwks.json. */
  z.strictObject({
    auth: z.literal('private_key_jwt'),
    id: z.string().min(1),
    alg: z.enum(['ES384', 'RS384']).default('ES384'),
  }),
]);
export type ClientAuth = z.infer<typeof ClientAuth>;

const Service = z
  .strictObject({
    url,
    /** `documented`: requests as in the service's interface document; `current`: as the service accepts them today. */
    profile: z.enum(profiles).default('documented'),
    /** Only with the profile `current`: whether a request states the drug by name or by NDC. */
    prescription: z.enum(prescriptionForms).default('named'),
    /** The service's name on pages; `the service` when left out. */
    name: z.string().min(1).max(60).optional(),
    /** The time zone of service times that do not state one (calls, faxes), as an IANA name. */
    timeZone: z.string().refine(isTimeZone, 'not the name of a time zone, such as America/New_York').default('UTC'),
    tokenEnv: envName,
    /** Secrets that sign webhooks; several during rotation. */
    webhookSecretEnvs: z.array(envName).default([]),
    /** Sent as `is_training_data`: the service then does not process the request. */
    training: z.boolean().default(false),
    /**
     * Only with the profile `current`: the field of `PATCH /prior-authorization/{id}` that ends a payer's outreach.
     * Without it staff can reply, but only the service ends the outreach.
     */
    outreachEndField: z
      .string()
      .regex(/^\w{1,60}$/, 'the name of a field')
      .optional(),
    /** How many records may be read per minute, over all cases; 60 by default. */
    readsPerMinute: z.number().positive().optional(),
  })
  .refine(({ profile, prescription }) => profile === 'current' || prescription === 'named', {
    path: ['prescription'],
    message: 'the profile documented has the drug by its name only; set profile to current',
  })
  .refine(({ profile, outreachEndField }) => profile === 'current' || outreachEndField === undefined, {
    path: ['outreachEndField'],
    message: 'the profile documented cannot add to a request that was sent; set profile to current',
  })
  .refine(({ profile, training }) => profile === 'documented' || !training, {
    path: ['training'],
    message: 'the profile current has no training data; use the token of a sandbox organization',
  });

/** A person's reference, as the EHR states it in the claim `fhirUser`. */
const staffReference = z
  .string()
  .regex(/^(Practitioner|PractitionerRole)\/[A-Za-z0-9.-]{1,64}$/, 'not as Practitioner/12');

export const Site = z.strictObject({
  /** The EHR product. Its known properties fill the settings that the site leaves out (`withPreset`). */
  preset: z.enum(presetIds).optional(),
  /** Short name used in URLs and logs: `valley`. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'it must be of lower-case letters, digits and -, 40 at most: valley-north'),
  name: z.string().min(1),
  enabled: z.boolean().default(true),
  /** The FHIR base address exactly as the EHR sends it as `iss`; also sent as `aud`. */
  iss: url,
  client: ClientAuth,
  /** The scopes of a launch, used unchanged. By default, those of src/config/scopes.ts. */
  scopes: z.string().min(1).optional(),
  /**
   * Origins besides that of `iss` whose endpoints the discovery document may name. `issuers`: the trusted issuers of
   * id_tokens.
   */
  origins: z.array(origin).default([]),
  /** Origins of file storage whose signed links (`Attachment.url`) are read, without a token. */
  attachmentOrigins: z.array(origin).default([]),
  issuers: z.array(z.string().min(1)).default([]),
  /** How strictly this EHR's sign-in responses are checked. */
  signIn: z
    .strictObject({
      /** `if-present` (default): a nonce is sent, and must match if the id_token has one. */
      nonce: z.enum(['required', 'if-present', 'off']).optional(),
      /** `optional` (default): without an id_token the launch continues and the user stays unidentified. */
      idToken: z.enum(['required', 'optional']).optional(),
      /** `raw`: client id and secret are not URL-encoded in the Basic header, contrary to RFC 6749 2.3.1. */
      basic: z.enum(['encoded', 'raw']).optional(),
    })
    .optional(),
  /** Origins that may embed the bridge in a frame. */
  frameAncestors: z.array(origin).default([]),
  service: Service,
  /** The name of the mapping for each kind; see mappings/index.ts. */
  mappings: z
    .strictObject({
      'prior-auth': z.string().default('prior-auth'),
      enrollment: z.string().default('enrollment'),
      'benefit-verification': z.string().default('benefit-verification'),
      answers: z.string().default('answers'),
    })
    .prefault({}),
  /** The site's overlay: a JSON file, relative to the sites file, or the name of an overlay in mappings/index.ts. */
  overlay: z.string().min(1).optional(),
  country: z.string().default('USA'),
  /**
   * The time zone for calendar days, as an IANA name (`America/New_York`). It decides whether a coverage is in force or
   * a date is in the future.
   */
  timeZone: z
    .string()
    .refine(isTimeZone, 'not the name of a time zone, such as America/New_York')
    .default(machineTimeZone),
  /** The identifier system of the practice's medical record numbers, if those have no identifier type MR. */
  mrnSystem: z.string().transform(canonicalSystem).optional(),
  /** Fax of the practice, used when the chart has none. */
  fax: z.string().optional(),
  /**
   * For each payer, named as in requests: how many days after the decision it accepts an appeal, and the document that
   * says so. A date that a person enters from the letter takes precedence.
   */
  appeals: z
    .array(
      z.strictObject({
        payer: z.string().min(1),
        days: z.number().int().positive().max(3650),
        source: z.string().min(1),
      }),
    )
    .default([]),
  /**
   * For each payer, named as in requests: how many days before its end an approval may be renewed, and the document
   * that says so. 30 days for all other payers.
   */
  renewals: z
    .array(
      z.strictObject({
        payer: z.string().min(1),
        days: z.number().int().positive().max(366),
        source: z.string().min(1),
      }),
    )
    .default([]),
  enrollment: z
    .strictObject({
      programs: z
        .array(
          z.strictObject({
            programId: z.string().min(1),
            name: z.string().min(1),
            /** Whether the program needs clinical evidence. If not, evidence is neither offered nor sent. */
            evidence: z.boolean().default(false),
            /** The consent text of the program's form; a plain sentence when left out. */
            consent: z.string().min(1).max(4000).optional(),
          }),
        )
        .default([]),
    })
    .prefault({}),
  writeback: z
    .strictObject({
      /** Tried from left to right. A channel that the EHR does not support is skipped. */
      channels: z.array(z.enum(writeChannels)).min(1).default(['task+document', 'document', 'worklist']),
      /** Which tokens may deliver an outcome, best first. */
      tokens: z
        .array(z.enum(['system', 'refresh', 'next-launch']))
        .min(1)
        .default(['refresh', 'next-launch']),
      /** The Backend Services client; needed when `tokens` has `system`. */
      system: z
        .strictObject({
          id: z.string().min(1),
          alg: z.enum(['ES384', 'RS384']).default('ES384'),
          scopes: z.string().min(1),
        })
        .optional(),
      /** LOINC code for DocumentReference.type of the payer's letter. */
      documentType: z
        .strictObject({ code: z.string(), display: z.string() })
        .default({ code: '52034-6', display: 'Payer letter' }),
      /** LOINC code for DocumentReference.type of the bridge's own summary of an outcome. */
      summaryType: z
        .strictObject({ code: z.string(), display: z.string() })
        .default({ code: '51851-4', display: 'Administrative note' }),
    })
    .prefault({}),
  /**
   * `ask`: a person confirms each proposal from the problem list; `accept-single`: a single certain one is accepted.
   */
  diagnoses: z.enum(['ask', 'accept-single']).default('ask'),
  /**
   * FHIR R4 ConceptMap files (JSON) that translate diagnoses to ICD-10-CM, relative to the sites file; the site is
   * responsible for their content. Without one, a person is asked for the ICD-10-CM code of a diagnosis in another code
   * system.
   */
  conceptMaps: z.array(conceptMap).default([]),
  /**
   * `ask`: evidence is sent only if a person selects it, and a button on the review page selects all suggestions.
   * `each`: the same without that button. `suggested`: suggestions for the drug are preselected. Sensitive evidence
   * must always be selected item by item.
   */
  evidence: z.enum(['ask', 'each', 'suggested']).default('ask'),
  /** Thresholds for the answers sheet. Payers' requirements differ; the default values are not those of any payer. */
  answers: z
    .strictObject({
      /** A drug counts as continuing if it covered at least one of this many past days. */
      continuingDays: z.number().int().positive().max(3650).default(usualPolicy.continuingDays),
      /** A pause of at most this many days does not end a trial of a drug. */
      longestGap: z.number().int().nonnegative().max(3650).default(usualPolicy.longestGap),
      /** Whether a combination drug counts as a trial of each of its ingredients. */
      countCombinations: z.boolean().default(usualPolicy.countCombinations),
      /** The maximum age of a result in days, by the name of its test. */
      windows: z.record(z.string().min(1), z.number().int().positive().max(3650)).optional(),
    })
    .prefault({}),
  /** The payers' criteria that the site entered: a JSON file, relative to the sites file. The package has none. */
  criteria: z.string().min(1).optional(),
  /**
   * The text, in the site's words, that the sender confirms by a checkbox on the last page; by default there is no
   * checkbox.
   */
  attestation: z.string().min(1).max(500).optional(),
  /**
   * A prescriber's approval of prior authorizations, enrollments and replies to the payer, recorded with name and time.
   * It is not a legal signature. By default, signing is neither required nor offered.
   */
  signature: z
    .strictObject({
      /** Whether a request needs a signature to be sent. If `false`, staff may still ask for one. */
      required: z.boolean().default(true),
      /** Persons besides the order's prescriber who may sign. */
      signers: z.array(staffReference).default([]),
    })
    .optional(),
  /**
   * How long cases and the audit trail are kept after their end, as ISO 8601 durations in years, months, weeks and
   * days. By default cases and drafts are kept forever, rows of the audit trail for six years.
   */
  retention: z.strictObject({ cases: keepingTime.optional(), audit: keepingTime.default('P6Y') }).prefault({}),
  worklist: z
    .strictObject({
      /**
       * Which entries staff see. `staff`: all entries of the site; `own`: entries of which they are owner, prescriber
       * or assignee, or whose chart they have open; `nobody`: there is no worklist.
       */
      sees: z.enum(['staff', 'own', 'nobody']).default('staff'),
      /**
       * Who may send, cancel, assign and take over. `involved`: owner, prescriber, assignee, and the user who has the
       * patient's chart open, unless the EHR says that this user is not staff. `named`: the same, but the EHR must
       * identify the user with the open chart as staff. `staff`: as `involved`, and everyone who sees the entry in the
       * worklist.
       */
      acts: z.enum(['involved', 'named', 'staff']).default('involved'),
      /** Managers see all entries, assign and close them, but do not send, cancel or change requests. */
      managers: z.array(staffReference).default([]),
      /** Whether the worklist may be downloaded as a table. Each download is audited as a disclosure. */
      csv: z.boolean().default(false),
      /** How many days ahead the worklist shows approvals that end. */
      endsSoonDays: z.number().int().min(1).max(366).default(30),
    })
    .prefault({}),
  /** `idleMinutes`: a session ends after this time without use. `hours`: it always ends after this time. */
  session: z
    .strictObject({ idleMinutes: z.number().positive().default(60), hours: z.number().positive().default(10) })
    .prefault({}),
});
export type Site = z.infer<typeof Site>;

const SitesFile = z.strictObject({ sites: z.array(Site) }).superRefine(({ sites }, context) => {
  const refuseTwice = (key: 'id' | 'iss', same: (site: Site) => string | undefined) =>
    sites.forEach((site, index) => {
      const first = sites.findIndex((other) => same(other) === same(site));
      if (first < index)
        context.addIssue({
          code: 'custom',
          path: ['sites', index, key],
          message: `${site[key]} stands at sites.${first}.${key} already; each site needs its own`,
        });
    });
  refuseTwice('id', ({ id }) => id);
  refuseTwice('iss', ({ iss }) => canonicalIssuer(iss) ?? iss);
});

const someJobs = 'must be a whole number from 1 to 500';
const jobCount = z.coerce.number(someJobs).int(someJobs).min(1, someJobs).max(500, someJobs);

/** How many jobs of one queue run at a time. */
export interface JobLimits {
  /** In one process. */
  readonly slots: number;
  /** For one site, across all processes. */
  readonly perSite: number;
}

const Environment = z.object({
  BRIDGE_SITES: z.string().min(1).default('sites.json'),
  /** The address at which browsers reach the bridge. Redirect URIs are built from it, never from request headers. */
  BRIDGE_URL: ownAddress,
  BRIDGE_HOST: z.string().default('127.0.0.1'),
  BRIDGE_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** One or more 32-byte keys, comma-separated; the first key seals, every key opens. */
  BRIDGE_KEYS: z
    .string()
    .refine(
      (keys) => keys.split(',').every(isKey),
      'each key must be 32 bytes in base64 or hex; the command keys makes one',
    ),
  /**
   * The reverse proxies in front of the bridge, whose X-Forwarded-For is trusted. If none are set, the header is
   * ignored.
   */
  BRIDGE_TRUSTED_PROXIES: proxies.optional(),
  BRIDGE_DATA: z.string().default('.data/bridge'),
  /** PostgreSQL to use in place of the embedded store. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Private JWK Set (JSON) for private_key_jwt, or a path to one. */
  BRIDGE_JWKS: z.string().optional(),
  /** Seconds between polls of the service in the fastest state. Other states are polled at multiples of this time. */
  BRIDGE_POLL_SECONDS: z.coerce.number().positive().default(30),
  /** For how many days the bridge tries to fetch a payer's letter before it notifies a person. */
  BRIDGE_LETTER_DAYS: z.coerce.number().positive().default(30),
  /** How many jobs of one kind run at a time: in one process, and for one site over all processes. */
  BRIDGE_JOBS: jobCount.default(32),
  BRIDGE_JOBS_PER_SITE: jobCount.default(4),
  /**
   * `on`: `/playground` shows the result of a mapping for a bundle to anyone who can reach the bridge. For integration
   * work, not for production.
   */
  BRIDGE_PLAYGROUND: z.enum(['on', 'off']).default('off'),
  /** With the playground on: the folder for charts recorded on the review page without identifying data. */
  BRIDGE_RECORD: z.string().min(1).optional(),
  /** Seconds for running requests and jobs to finish when the process is asked to end. */
  BRIDGE_DRAIN_SECONDS: z.coerce.number().nonnegative().default(25),
  /** A port for `/metrics`, `/healthz` and `/readyz`, separate from the pages; none when left out. */
  BRIDGE_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  BRIDGE_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  NODE_ENV: z.string().default('production'),
});

export interface Config {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly keys: readonly string[];
  /** IP addresses and networks. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly jwks?: string;
  readonly pollSeconds: number;
  readonly letterDays: number;
  readonly jobs: JobLimits;
  readonly playground: boolean;
  readonly recordDir?: string;
  readonly drainSeconds: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly logLevel: string;
  readonly production: boolean;
  readonly sites: readonly Site[];
  /** Returns the value of an environment variable that a site names. Throws config_invalid if it is not set. */
  readonly secret: (name: string) => string;
}

/**
 * Reads and checks the whole configuration. Throws one `config_invalid` that lists every invalid key. `noSite`: a
 * missing sites file, or one without a site, is accepted.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  { noSite = false }: { readonly noSite?: boolean } = {},
): Config {
  const problems: string[] = [];
  const environment = readEnvironment(env, problems);
  const path = sitesPath(env);
  const sites = noSite && !existsSync(path) ? [] : readSites(path, problems, noSite);
  for (const site of sites) problems.push(...checkSite(site, env));
  if (problems.length > 0 || environment === undefined) throw new BridgeError('config_invalid', { problems });
  return makeConfig(environment, sites, env);
}

export function sitesPath(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.BRIDGE_SITES ?? 'sites.json');
}

/**
 * Returns the configuration with this one site, and that site's problems. Problems of other sites are ignored; problems
 * of the environment throw config_invalid.
 */
export function configOf(
  site: Site,
  env: Readonly<Record<string, string | undefined>>,
): { readonly config: Config; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const environment = readEnvironment(env, problems);
  if (problems.length > 0 || environment === undefined) throw new BridgeError('config_invalid', { problems });
  return { config: makeConfig(environment, [site], env), problems: checkSite(site, env) };
}

function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): z.infer<typeof Environment> | undefined {
  const environment = Environment.safeParse(env, inOurWords);
  if (!environment.success)
    problems.push(
      ...environment.error.issues.map(
        (issue) => `${issue.path.join('.')}: ${env[String(issue.path[0])] === undefined ? 'not set' : issue.message}`,
      ),
    );
  if (/\bFHIR/i.test(env.DEBUG ?? '') && (env.NODE_ENV ?? 'production') === 'production')
    problems.push('DEBUG: must not match FHIR in production, it prints tokens');
  return environment.data;
}

/**
 * Returns only the sites, for commands that use no EHR and no service. Throws one `config_invalid` with every invalid
 * key.
 */
export function loadSites(path: string): Site[] {
  const problems: string[] = [];
  const sites = readSites(resolve(path), problems);
  if (problems.length > 0) throw new BridgeError('config_invalid', { problems });
  return sites;
}

/** Makes a configuration of parts that are already checked, for the sandbox. */
export function makeConfig(
  environment: z.input<typeof Environment>,
  sites: readonly Site[],
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const values = Environment.parse(environment);
  return Object.freeze({
    url: values.BRIDGE_URL,
    host: values.BRIDGE_HOST,
    port: values.BRIDGE_PORT ?? Number(new URL(values.BRIDGE_URL).port || 8080),
    keys: values.BRIDGE_KEYS.split(','),
    trustedProxies: values.BRIDGE_TRUSTED_PROXIES === undefined ? [] : networksOf(values.BRIDGE_TRUSTED_PROXIES),
    dataDir: resolve(values.BRIDGE_DATA),
    ...(values.DATABASE_URL === undefined ? {} : { databaseUrl: values.DATABASE_URL }),
    ...(values.BRIDGE_JWKS === undefined ? {} : { jwks: values.BRIDGE_JWKS }),
    pollSeconds: values.BRIDGE_POLL_SECONDS,
    letterDays: values.BRIDGE_LETTER_DAYS,
    jobs: Object.freeze({ slots: values.BRIDGE_JOBS, perSite: values.BRIDGE_JOBS_PER_SITE }),
    playground: values.BRIDGE_PLAYGROUND === 'on',
    ...(values.BRIDGE_PLAYGROUND === 'off' || values.BRIDGE_RECORD === undefined
      ? {}
      : { recordDir: resolve(values.BRIDGE_RECORD) }),
    drainSeconds: values.BRIDGE_DRAIN_SECONDS,
    ...(values.BRIDGE_METRICS_PORT === undefined ? {} : { metricsPort: values.BRIDGE_METRICS_PORT }),
    metricsHost: values.BRIDGE_METRICS_HOST,
    logLevel: values.LOG_LEVEL,
    production: values.NODE_ENV === 'production',
    sites: Object.freeze([...sites]),
    secret: (name: string) => {
      const value = env[name];
      if (value === undefined || value === '')
        throw new BridgeError('config_invalid', { problems: [`${name}: not set`] });
      return value;
    },
  });
}

function readSites(path: string, problems: string[], noSite = false): Site[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    return unread(path, cause, problems);
  }
  const before = problems.length;
  const sites = sitesIn(text, path, problems);
  if (sites.length === 0 && !noSite && problems.length === before)
    problems.push(`${path}: sites: there is no site yet; the command site add makes one`);
  return sites;
}

function unread(path: string, cause: unknown, problems: string[]): Site[] {
  problems.push(`BRIDGE_SITES: ${path} cannot be read: ${cause instanceof Error ? cause.message : 'unknown reason'}`);
  return [];
}

/** Returns the sites in the text of a sites file; adds problems to `problems`. `path`: where the file is. */
export function sitesIn(text: string, path: string, problems: string[]): Site[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    return unread(path, cause, problems);
  }
  const unknown = unknownPresets(raw);
  const file = SitesFile.safeParse(withPresets(withAbsoluteFiles(raw, dirname(path))), inOurWords);
  // The other settings of a site with an unknown preset are not reported, since the preset would fill or change them.
  const issues = (file.error?.issues ?? []).filter(({ path: [, index] }) => !unknown.has(Number(index)));
  const wrong = (file.data?.sites ?? []).flatMap((site, index) => {
    const preset = presetOf(site);
    return preset === undefined ? [] : contradictions(site, preset).map((one) => ({ ...one, index }));
  });
  problems.push(
    ...[...unknown].map(([index, text]) => `${path}: sites.${index}.preset: ${text}`),
    ...issues.map((issue) => `${path}: ${issue.path.join('.')}: ${issue.message}`),
    ...wrong.map((one) => `${path}: sites.${one.index}.${one.path}: ${one.message}`),
  );
  return file.data?.sites ?? [];
}

const Listed = z.looseObject({ sites: z.array(z.unknown()) });

function withPresets(raw: unknown): unknown {
  const file = Listed.safeParse(raw);
  return file.success ? { ...file.data, sites: file.data.sites.map(withPreset) } : raw;
}

/** Messages for unknown presets, by the index of the site. */
function unknownPresets(raw: unknown): Map<number, string> {
  const named = (Listed.safeParse(raw).data?.sites ?? []).map(
    (site) => z.looseObject({ preset: z.unknown().optional() }).safeParse(site).data?.preset,
  );
  return new Map(
    named.flatMap((preset, index) =>
      preset === undefined || isPreset(preset)
        ? []
        : [
            [
              index,
              `${JSON.stringify(preset)} is no preset; write one of ${presetIds.join(', ')}, ` +
                'or leave it out and state id, name and client.auth',
            ] as const,
          ],
    ),
  );
}

// A value of the wrong type is left unchanged, because the schema reports it.
function withAbsoluteFiles(raw: unknown, folder: string): unknown {
  const file = z
    .looseObject({
      sites: z.array(
        z.looseObject({
          conceptMaps: z.array(z.unknown()).optional(),
          criteria: z.unknown().optional(),
          overlay: z.unknown().optional(),
        }),
      ),
    })
    .safeParse(raw);
  if (!file.success) return raw;
  const absolute = (entry: unknown) => (typeof entry === 'string' && entry !== '' ? resolve(folder, entry) : entry);
  const sites = file.data.sites.map((site) => {
    const maps = site.conceptMaps === undefined ? {} : { conceptMaps: site.conceptMaps.map(absolute) };
    const isFile = typeof site.overlay === 'string' && site.overlay.endsWith('.json');
    const criteria = site.criteria === undefined ? {} : { criteria: absolute(site.criteria) };
    return { ...site, ...maps, ...criteria, ...(isFile ? { overlay: absolute(site.overlay) } : {}) };
  });
  return { ...file.data, sites };
}

function checkSite(site: Site, env: Readonly<Record<string, string | undefined>>): string[] {
  const signs = site.client.auth === 'private_key_jwt' || site.writeback.system !== undefined;
  const own = site.client.auth === 'client_secret' ? [site.client.secretEnv] : [];
  const named = [site.service.tokenEnv, ...site.service.webhookSecretEnvs, ...own, ...(signs ? ['BRIDGE_JWKS'] : [])];
  const unset = named.filter((name) => (env[name] ?? '') === '').map((name) => `site ${site.id}: ${name} is not set`);
  const unsafe = [site.iss, site.service.url, ...site.origins, ...site.attachmentOrigins]
    .filter((address) => !isSafeAddress(address))
    .map((address) => `site ${site.id}: ${address} must be https`);
  const noSystem =
    site.writeback.tokens.includes('system') && site.writeback.system === undefined
      ? [`site ${site.id}: writeback.tokens has system but writeback.system is missing`]
      : [];
  return [...unset, ...unsafe, ...noSystem];
}

function isKey(key: string): boolean {
  return /^[0-9a-f]{64}$/i.test(key) || Buffer.from(key, 'base64').length === 32;
}
