import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeConfig, Site } from '../../src/config/config.ts';
import { defaultScopes } from '../../src/config/scopes.ts';
import type { Entry } from '../../src/core/fhir/bundle.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { selectChart } from '../../src/core/roles/select.ts';
import { chartOfFixture, type Fixture, loadFixture } from '../../src/dev/kit/fixture.ts';
import { type SandboxEhr, startSandboxEhr } from '../../src/dev/sandbox/ehr/index.ts';
import { stories } from '../../src/dev/sandbox/ehr/stories.ts';
import { readChart } from '../../src/ehr/chart/read-chart.ts';
import { readDocuments } from '../../src/ehr/documents/read-documents.ts';
import { generateKeys } from '../../src/ehr/smart/keys.ts';
import { createSmart, type Smart } from '../../src/ehr/smart/smart.ts';
import { createMemoryStore } from '../ehr/smart/memory-store.ts';

const bridge = 'http://localhost:9';
// the fixture holds the evidence too, which a launch reads only where it is granted
const evidence = ['Observation', 'AllergyIntolerance', 'MedicationStatement', 'MedicationDispense', 'DiagnosticReport']
  .map((type) => `patient/${type}.rs`)
  .join(' ');
const charts = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

let ehr: SandboxEhr;
let smart: Smart;

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const clock = () => new Date();
  const clients = [{ auth: 'public' as const, id: 'bridge', redirectUris: [`${bridge}/callback/valley`] }];
  ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: `${bridge}/launch`,
    clock,
    log: silentLog,
    clients,
  });
  const base = {
    id: 'valley',
    name: 'Valley',
    iss: ehr.fhirBase,
    client: { auth: 'public', id: 'bridge' },
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
  };
  const site = Site.parse({ ...base, scopes: `${defaultScopes.join(' ')} ${evidence}` });
  const environment = {
    BRIDGE_URL: bridge,
    BRIDGE_KEYS: '0'.repeat(64),
    BRIDGE_JWKS: JSON.stringify(await generateKeys()),
  };
  smart = createSmart({
    config: makeConfig(environment, [site], { SERVICE_TOKEN: 't' }),
    store: createMemoryStore(),
    clock,
    log: silentLog,
  });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await ehr.close();
});

/**
 * What a launch from the chart of the sandbox EHR reads: EHR launch, sign-in, callback, then the rounds of requests.
 */
async function entriesOfLaunch(patient: string, order: string): Promise<readonly Entry[]> {
  const opened = new URL(ehr.launch({ patient, order }).address);
  const { redirect } = await smart.startLaunch(Object.fromEntries(opened.searchParams), 'browser');
  const answer = await fetch(redirect, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? 'http://none.invalid');
  const { launch } = await smart.completeLaunch('valley', Object.fromEntries(location.searchParams), ['browser']);
  const { entries, warnings } = await readChart(smart.api(launch), {
    patient,
    order,
    ...(launch.encounter === undefined ? {} : { encounter: launch.encounter }),
  });
  expect(warnings).toEqual([]);
  return entries;
}

/**
 * Everything a person or the service would see of one chart. A version is the server's own, so only that there is one
 * is left of it.
 */
function told(chart: Chart): string {
  const results = [
    runMapping(mappings['prior-auth']['prior-auth']!, chart),
    runMapping(mappings.enrollment.enrollment!, chart),
  ];
  const { choices, warnings, questions } = chart;
  return JSON.stringify(
    { results, choices, warnings, questions },
    (key, value: unknown) => (key === 'version' ? undefined : value),
    1,
  );
}

async function chartOfLaunch(
  { request }: Fixture,
  entries: readonly Entry[],
  { patient, order }: Chart,
): Promise<Chart> {
  const readings = await readDocuments(entries);
  return selectChart(entries, {
    roles: mappings.roles,
    patient,
    order,
    now: new Date(request.now),
    site: request.site,
    readings,
  });
}

describe('the chart of a launch gives byte for byte what its fixture gives', () => {
  test.each(stories.map(({ folder, patient }) => [folder, patient] as const))('%s', async (folder, patient) => {
    const fixture = loadFixture(join(charts, folder));
    const fromBundle = await chartOfFixture(fixture, mappings.roles);
    if (fromBundle === undefined) throw new Error('a story has an order');
    const order = fromBundle.order.slice('MedicationRequest/'.length);
    const fromLaunch = await chartOfLaunch(fixture, await entriesOfLaunch(patient, order), fromBundle);
    expect(told(fromLaunch)).toBe(told(fromBundle));
  });
});
