import nock from 'nock';
import { expect, onTestFinished, test } from 'vitest';
import { mappings } from '../../../../mappings/index.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { createVault } from '../../../../src/base/vault.ts';
import { readChart } from '../../../../src/ehr/chart/read-chart.ts';
import { buildApp } from '../../../../src/web/app.ts';
import { bench, discoverable, ehr, launched, testSite, token, tokenEndpoint } from '../../../ehr/smart/support.ts';
import { fakeCases } from '../../support.ts';

const scope = 'launch patient/*.rs user/*.rs';

/** An EHR whose search for Observation is answered when the test says so, and the pages over it. */
async function slowClinic() {
  discoverable();
  tokenEndpoint({ body: { ...token, scope } });
  const late = Promise.withResolvers<void>();
  const asked: string[] = [];
  const order = {
    resourceType: 'MedicationRequest',
    id: 'm1',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/pat-1' },
    medicationCodeableConcept: { text: 'Humira 40 mg' },
  };
  const resources: Readonly<Record<string, unknown>> = { MedicationRequest: order };
  nock(ehr)
    .persist()
    .get(/^\/fhir\/(?!\.well-known)/)
    .reply(async (request: Request) => {
      const [, , type = '', id] = new URL(request.url).pathname.split('/');
      asked.push(type);
      if (type === 'metadata') return [404, ''];
      if (type === 'Patient') return [200, JSON.stringify({ resourceType: 'Patient', id, name: [{ family: 'Lind' }] })];
      if (type === 'Observation') await late.promise;
      const entry = resources[type] === undefined ? [] : [{ resource: resources[type] }];
      return [200, JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry })];
    });
  const on = bench({ sites: [testSite({ scopes: scope })], limits: { timeoutMs: 20_000, deadlineMs: 20_000 } });
  const { config, smart, clock } = on;
  const app = await buildApp({
    config,
    smart,
    cases: fakeCases(),
    mappings,
    vault: createVault(config.keys),
    clock,
    log: silentLog,
    patience: { firstMs: 600_000, againMs: 600_000 },
    readChart: (api, focus) => readChart(api, { ...focus, patience: 0 }),
  });
  onTestFinished(async () => {
    late.resolve();
    await app.close();
  });
  const { launch, sessionId } = await launched(on);
  const get = async (path: string) => {
    const headers = { cookie: `__Host-bridge-${launch.id}=${sessionId}`, accept: 'text/html' };
    return app.inject({ method: 'GET', url: `/app/${launch.id}${path}`, headers });
  };
  return { get, asked, late };
}

test('the list of orders comes without a search that it does not show [S24]', async () => {
  const { get, asked } = await slowClinic();
  const page = await get('/orders');
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('Humira 40 mg');
  expect(asked).not.toContain('Observation');
});

test('the page of an order comes while a search for evidence is not answered, and says so [S24]', async () => {
  const { get, asked } = await slowClinic();
  const page = await get('/orders/m1');
  expect(page.statusCode).toBe(200);
  expect(page.body).toMatch(/The EHR has not answered the search for [\w, ]*Observation[\w, ]* yet\./);
  expect(asked).toContain('Observation');
});
