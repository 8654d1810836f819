import { type Clock, silentLog } from '../../base/log.ts';
import { configOf, type Site } from '../../config/config.ts';
import { loadOverlays } from '../../config/load-overlays.ts';
import type { Registry } from '../../core/overlay/registry.ts';
import { type Inspection, inspectSite } from '../../ehr/smart/inspect.ts';
import type { Discovery, Limits } from '../../ehr/smart/types.ts';
import { type Administrator, toRegister } from './administrator.ts';
import { bridgeFindings, keysShown, publishedKeys } from './bridge.ts';
import { clockFindings, watchClocks } from './clock.ts';
import { type DoctorFinding, failed, note, ok, problemFinding } from './finding.ts';
import { frameFindings } from './frames.ts';
import { chartFindings, readingFindings, unreadableFindings } from './reading.ts';
import { serviceFindings } from './service.ts';
import {
  clientFindings,
  discoveryFailed,
  discoveryFindings,
  scopeFindings,
  systemFindings,
} from './sign-in-findings.ts';
import { type Landing, landingsOf, writingFindings } from './writing.ts';

export interface Examination {
  readonly site: Site;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly registry: Registry;
  readonly clock: Clock;
  /** The site is not in the sites file yet, so the bridge does not know the site. */
  readonly isNew?: boolean;
  /** The id of a test patient, whose orders are read with the Backend Services token. */
  readonly patient?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly limits?: Partial<Limits>;
}

export interface DoctorReport {
  readonly site: Pick<Site, 'id' | 'name' | 'iss'>;
  /**
   * `ready`: no problem was found; `incomplete`: there is a problem; `no-answer`: the EHR or the service did not
   * answer, so the check is incomplete.
   */
  readonly result: 'ready' | 'incomplete' | 'no-answer';
  readonly sections: readonly Section[];
  /** How an outcome reaches the chart; empty if the EHR returned no CapabilityStatement. */
  readonly writeback: readonly Landing[];
  readonly administrator: Administrator;
}

export interface Section {
  readonly title: string;
  readonly findings: readonly DoctorFinding[];
}

/**
 * Checks a site's configuration and grants as launches, deliveries and the worker would find them. Writes nothing to a
 * chart, sends nothing to a payer, opens no store. Throws config_invalid if the bridge's own environment cannot be
 * read.
 */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const { site, env, clock, patient, limits, isNew = false } = examination;
  const { config, problems } = configOf(site, env);
  const { fetch, ahead } = watchClocks(examination.fetch ?? globalThis.fetch, clock);
  const asked = { config, clock, fetch, timeoutMs: limits?.timeoutMs ?? patienceMs };
  const inspection = inspectSite(
    { config, clock, fetch, log: silentLog, ...(limits === undefined ? {} : { limits }) },
    site,
  );
  const isSet = (names: readonly string[]) => names.every((name) => (env[name] ?? '') !== '');

  const discovery = await answerOf(inspection.discovery(), discoveryFailed);
  const statement = await answerOf(inspection.capabilities(), (error) => failed(error, capabilityNexts));
  const scopes = inspection.launchScopes(discovery.value ?? silentEhr);
  const published = await publishedKeys(inspection, asked);
  const keys = keysShown(inspection, published);
  const system = discovery.value === undefined ? { findings: [] } : await systemFindings(site, inspection, keys);
  const grants = { launch: scopes, ...(system.granted === undefined ? {} : { system: system.granted }) };
  const tried =
    discovery.value !== undefined && isSet(secretsOf(site)) ? await clientFindings(site, inspection, keys) : [];
  const chart = patient === undefined ? [] : await triedReading(site, inspection, { patient, granted: system.granted });
  const sections: Section[] = [
    { title: 'Configuration', findings: configurationFindings(examination, problems, inspection) },
    {
      title: 'Sign-in',
      findings:
        discovery.value === undefined
          ? [discovery.finding]
          : [...discoveryFindings(site, discovery.value), ...scopeFindings(scopes, discovery.value), ...tried],
    },
    { title: 'Backend Services', findings: system.findings },
    {
      title: 'Reading a chart',
      findings:
        statement.value === undefined ? [statement.finding] : [...readingFindings(statement.value, scopes), ...chart],
    },
    {
      title: 'Writing an outcome to the chart',
      findings: statement.value === undefined ? [] : writingFindings(site, statement.value, grants),
    },
    { title: 'Service', findings: isSet([site.service.tokenEnv]) ? await serviceFindings(site, asked) : [] },
    {
      title: 'Bridge',
      findings: [
        ...frameFindings(site, config.url),
        ...(isSet(site.service.webhookSecretEnvs)
          ? await bridgeFindings(site, inspection, { ...asked, published, isNew })
          : []),
      ],
    },
    { title: 'Clocks', findings: clockFindings(ahead) },
  ];
  return {
    site: { id: site.id, name: site.name, iss: site.iss },
    result: resultOf(sections),
    sections: sections.filter(({ findings }) => findings.length > 0),
    writeback: statement.value === undefined ? [] : landingsOf(site, statement.value, grants),
    administrator: toRegister(site, { config, inspection, scopes }),
  };
}

type Answered<T> = { readonly value: T } | { readonly value?: undefined; readonly finding: DoctorFinding };

async function answerOf<T>(work: Promise<T>, findingOf: (error: unknown) => DoctorFinding): Promise<Answered<T>> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ finding: findingOf(error) }),
  );
}

// On a busy machine the bridge may answer slowly although it runs.
const patienceMs = 20_000;

/** Used to derive scopes for an EHR that does not answer. */
const silentEhr: Pick<Discovery, 'capabilities' | 'scopes'> = { capabilities: [], scopes: [] };

const capabilityNexts = {
  ehr_unreachable: 'Check iss, and whether this machine may reach that address (DNS, firewall, proxy).',
  ehr_not_fhir: 'Compare iss with the FHIR base address that the EHR’s administrator gave.',
  ehr_error: 'Compare iss with the FHIR base address that the EHR’s administrator gave: it must answer at /metadata.',
} as const;

function secretsOf({ client }: Site): readonly string[] {
  return client.auth === 'client_secret' ? [client.secretEnv] : [];
}

function configurationFindings(
  { site, registry }: Pick<Examination, 'site' | 'registry'>,
  problems: readonly string[],
  inspection: Inspection,
): DoctorFinding[] {
  const found = [
    ...(site.enabled ? [] : [note('The site is switched off ("enabled": false): nobody can launch.')]),
    ...problems.map((each) =>
      problemFinding(each.replace(`site ${site.id}: `, ''), 'Correct the sites file or the environment.'),
    ),
    ...thrownBy(() => inspection.checkKeys()),
    ...thrownBy(() => loadOverlays(registry, [site])),
  ];
  return found.length > 0 ? found : [ok('The sites file and all variables that the site names are in order.')];
}

function thrownBy(check: () => unknown): DoctorFinding[] {
  try {
    check();
    return [];
  } catch (error) {
    return [failed(error)];
  }
}

async function triedReading(
  site: Site,
  inspection: Inspection,
  { patient, granted }: { readonly patient: string; readonly granted: readonly string[] | undefined },
): Promise<DoctorFinding[]> {
  const unreadable = unreadableFindings(site, patient, granted);
  if (unreadable.length > 0) return unreadable;
  const api = await answerOf(inspection.patientApi(patient), failed);
  return api.value === undefined ? [api.finding] : await chartFindings(api.value, patient);
}

function resultOf(sections: readonly Section[]): DoctorReport['result'] {
  const levels = new Set(sections.flatMap(({ findings }) => findings.map(({ level }) => level)));
  if (levels.has('no-answer')) return 'no-answer';
  return levels.has('problem') ? 'incomplete' : 'ready';
}
