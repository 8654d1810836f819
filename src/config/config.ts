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
 * The configuration: environment variables plus one sites file, checked once at start and frozen.
 * The sites file never contains secrets: it gives the name of the environment variable that holds each one.
 */

const envName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'it must be the name of an environment variable: capital letters, digits and _');

const ClientAuth = z.discriminatedUnion('auth', [
  z.strictObject({ auth: z.literal('public'), id: z.string().min(1) }),
  z.strictObject({ auth: z.literal('client_secret'), id: z.string().min(1), secretEnv: envName }),
  /** Signs with the bridge's own keys (RS384 or ES384), published at /.well-known/jwks.json. */
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
    /** With the profile `current`: states the drug by its name, or by its NDC. */
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
     * With the profile `current`: the name of the field of `PATCH /prior-authorization/{id}` that ends an outreach of
     * the payer. Without it staff can reply, and the service itself ends the outreach.
     */
    outreachEndField: z
      .string()
      .regex(/^\w{1,60}$/, 'the name of a field')
      .optional(),
    /** How many records may be read in a minute, across all cases; 60 when left out. */
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

/** A person's reference as the EHR states it in `fhirUser`. */
const staffReference = z
  .string()
  .regex(/^(Practitioner|PractitionerRole)\/[A-Za-z0-9.-]{1,64}$/, 'not as Practitioner/12');

export const Site = z.strictObject({
  /** The EHR product; its known properties fill the settings that the site leaves out (`withPreset`). */
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
  /** The scopes of a launch, used unchanged; those of src/config/scopes.ts when left out. */
  scopes: z.string().min(1).optional(),
  /** Origins besides that of `iss` that the discovery document may use, and the trusted id_token issuers. */
  origins: z.array(origin).default([]),
  /** Origins of file storage whose signed links (`Attachment.url`) are read, without a token. */
  attachmentOrigins: z.array(origin).default([]),
  issuers: z.array(z.string().min(1)).default([]),
  /** How strictly the responses of this EHR's sign-in are checked; what is left out has the strict or usual value. */
  signIn: z
    .strictObject({
      /** `if-present` (usual): a nonce is sent and must match when the id_token carries one. */
      nonce: z.enum(['required', 'if-present', 'off']).optional(),
      /** `optional` (usual): without an id_token the launch continues and the user remains unidentified. */
      idToken: z.enum(['required', 'optional']).optional(),
      /** `raw`: client id and secret are put unencoded into the Basic header, contrary to RFC 6749 2.3.1. */
      basic: z.enum(['encoded', 'raw']).optional(),
    })
    .optional(),
  /** Origins that may embed the bridge in a frame. */
  frameAncestors: z.array(origin).default([]),
  service: Service,
  /** The mapping of each kind by name; see mappings/index.ts. */
  mappings: z
    .strictObject({
      'prior-auth': z.string().default('prior-auth'),
      enrollment: z.string().default('enrollment'),
      'benefit-verification': z.string().default('benefit-verification'),
      answers: z.string().default('answers'),
    })
    .prefault({}),
  /** This site's differences: a JSON file relative to the sites file, or an overlay's name in mappings/index.ts. */
  overlay: z.string().min(1).optional(),
  country: z.string().default('USA'),
  /**
   * The time zone for calendar days (whether a coverage is in force, whether a date is in the future), as an IANA name:
   * `America/New_York`.
   */
  timeZone: z
    .string()
    .refine(isTimeZone, 'not the name of a time zone, such as America/New_York')
    .default(machineTimeZone),
  /** The identifier system of the practice's medical record number, when identifiers do not have the type MR. */
  mrnSystem: z.string().transform(canonicalSystem).optional(),
  /** Fax of the practice, used when the chart has none. */
  fax: z.string().optional(),
  /**
   * Appeal deadlines by payer (its name as stated in requests): days from the decision, and the document that states
   * the deadline. A date that a person enters from the letter takes precedence.
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
   * How many days before its end an approval may be renewed, by payer (its name as stated in requests), and the
   * document that states it; 30 days for all others.
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
            /** Whether the program needs clinical evidence; without it none is offered or sent. */
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
      /** Tried from left to right; one that the EHR cannot do is skipped. */
      channels: z.array(z.enum(writeChannels)).min(1).default(['task+document', 'document', 'worklist']),
      /** Whose token delivers an outcome, in order of preference. */
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
   * FHIR R4 ConceptMap files (JSON) to ICD-10-CM, relative to the sites file; the site is responsible for them. Without
   * one, a person is always asked for the code of a diagnosis in another code system.
   */
  conceptMaps: z.array(conceptMap).default([]),
  /**
   * `ask`: evidence is sent only when a person selects it; a button of the review selects all suggestions. `each`: the
   * same without that button. `suggested`: the suggestions for the drug are preselected. Sensitive evidence is selected
   * only by a person, item by item.
   */
  evidence: z.enum(['ask', 'each', 'suggested']).default('ask'),
  /** Thresholds for the answers sheet. Payers' requirements differ, and these numbers come from no particular payer. */
  answers: z
    .strictObject({
      /** A drug that covered at least one day in this number of past days counts as continuing. */
      continuingDays: z.number().int().positive().max(3650).default(usualPolicy.continuingDays),
      /** Days without a drug that still belong to one trial of it. */
      longestGap: z.number().int().nonnegative().max(3650).default(usualPolicy.longestGap),
      /** Whether a combination counts as a trial of each of its parts. */
      countCombinations: z.boolean().default(usualPolicy.countCombinations),
      /** The maximum age of a result in days, by the name of its test. */
      windows: z.record(z.string().min(1), z.number().int().positive().max(3650)).optional(),
    })
    .prefault({}),
  /** Payers' criteria as the site read them: a JSON file relative to the sites file. The package ships none. */
  criteria: z.string().min(1).optional(),
  /** The sender's confirmation by checkbox on the last page, in the site's words; no checkbox when left out. */
  attestation: z.string().min(1).max(500).optional(),
  /**
   * A prescriber's approval of prior authorizations, enrollments and replies to the payer, recorded by name and time;
   * not a legal signature. When left out, signing is neither required nor offered.
   */
  signature: z
    .strictObject({
      /** Whether a signature is required for sending; with `false`, staff may ask for one. */
      required: z.boolean().default(true),
      /** Signers besides the order's prescriber, by the reference that the EHR uses. */
      signers: z.array(staffReference).default([]),
    })
    .optional(),
  /**
   * How long data is kept after its end, as ISO 8601 durations of years, months, weeks and days: cases and drafts
   * forever when left out, rows of the audit trail six years.
   */
  retention: z.strictObject({ cases: keepingTime.optional(), audit: keepingTime.default('P6Y') }).prefault({}),
  /** The worklist of the practice, and the staff's rights to a colleague's request. */
  worklist: z
    .strictObject({
      /**
       * Which entries staff see: `staff`: all entries of the site; `own`: those of which they are owner, prescriber or
       * assignee, or whose chart they have open; `nobody`: there is no worklist.
       */
      sees: z.enum(['staff', 'own', 'nobody']).default('staff'),
      /**
       * Who may send, cancel, assign and take over: `involved`: the owner, the prescriber, the assignee, and the user
       * who has the patient's chart open, unless the EHR says that the user is not staff; `named`: the same, but the
       * user with the chart open only if the EHR identifies them as staff; `staff`: as `involved`, and in the worklist
       * everyone who sees the entry.
       */
      acts: z.enum(['involved', 'named', 'staff']).default('involved'),
      /**
       * Managers, by the reference that the EHR uses (`Practitioner/12`): they see all entries, assign and close them,
       * but do not send, cancel or change requests.
       */
      managers: z.array(staffReference).default([]),
      /** Whether the list may be downloaded as a table; each download is audited as a disclosure. */
      csv: z.boolean().default(false),
      /** How many days ahead the worklist shows approvals that end. */
      endsSoonDays: z.number().int().min(1).max(366).default(30),
    })
    .prefault({}),
  /** Hours without use after which a session ends, and hours after which it always ends. */
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
  /** In this process. */
  readonly slots: number;
  /** For one site, across all processes. */
  readonly perSite: number;
}

const Environment = z.object({
  BRIDGE_SITES: z.string().min(1).default('sites.json'),
  /** The address at which browsers reach the bridge; redirect URIs are built from it, never from request headers. */
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
  /** The reverse proxies in front of the bridge, whose X-Forwarded-For is trusted. Without any, it is ignored. */
  BRIDGE_TRUSTED_PROXIES: proxies.optional(),
  BRIDGE_DATA: z.string().default('.data/bridge'),
  /** Use this PostgreSQL instead of the embedded store. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Private JWK Set (JSON) for private_key_jwt, or a path to one. */
  BRIDGE_JWKS: z.string().optional(),
  /** Seconds between polls of the service in the fastest state; slower states are multiples. */
  BRIDGE_POLL_SECONDS: z.coerce.number().positive().default(30),
  /** For how many days the bridge tries to fetch a letter of the payer before it notifies a person. */
  BRIDGE_LETTER_DAYS: z.coerce.number().positive().default(30),
  /** How many jobs of one kind run at a time: in this process, and for one site across all processes. */
  BRIDGE_JOBS: jobCount.default(32),
  BRIDGE_JOBS_PER_SITE: jobCount.default(4),
  /**
   * `on`: `/playground` shows the result of a mapping for a bundle to anyone who can reach the bridge. For integration
   * work, not for production.
   */
  BRIDGE_PLAYGROUND: z.enum(['on', 'off']).default('off'),
  /** With the playground on: the folder for charts recorded on the review page, without identifying data. */
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
  /** Set only when the playground is on. */
  readonly recordDir?: string;
  readonly drainSeconds: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly logLevel: string;
  readonly production: boolean;
  readonly sites: readonly Site[];
  /** Value of the environment variable that a site refers to; throws config_invalid when it is not set. */
  readonly secret: (name: string) => string;
}

/**
 * Reads and checks the whole configuration; throws one `config_invalid` that lists every invalid key. `noSite`: a sites
 * file that is missing, or that has no site, counts as a file without sites.
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

/** The path of the sites file. */
export function sitesPath(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.BRIDGE_SITES ?? 'sites.json');
}

/**
 * The configuration of one site alone and the problems of that site, regardless of problems at other sites; throws
 * config_invalid for problems of the environment.
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
 * Only the sites, for commands that reach no EHR and no service; throws one `config_invalid` with every invalid key.
 */
export function loadSites(path: string): Site[] {
  const problems: string[] = [];
  const sites = readSites(resolve(path), problems);
  if (problems.length > 0) throw new BridgeError('config_invalid', { problems });
  return sites;
}

/** The configuration from parts that are already checked; the sandbox uses it. */
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

/** The sites in the text of a sites file at `path`; adds its errors to `problems`. */
export function sitesIn(text: string, path: string, problems: string[]): Site[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    return unread(path, cause, problems);
  }
  const unknown = unknownPresets(raw);
  const file = SitesFile.safeParse(withPresets(withAbsoluteFiles(raw, dirname(path))), inOurWords);
  // For a site with an unknown preset, only the preset is reported.
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

/** Messages for unknown presets, by the index of their sites. */
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

// A value of the wrong shape stays unchanged, because the schema reports it.
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
