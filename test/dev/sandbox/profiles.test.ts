import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Spoken } from '../../../src/core/contract/profiles.ts';
import type { SandboxEhr } from '../../../src/dev/sandbox/ehr/index.ts';
import { type Sandbox, startSandbox } from '../../../src/dev/sandbox/index.ts';
import { putDatabase } from '../../support/embedded.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

async function start(service: Spoken, both = false): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-profiles-'));
  await putDatabase(join(folder, 'bridge'));
  const sandbox = await startSandbox({
    dataDir: folder,
    port: 0,
    speed: 0,
    service,
    both,
    clock: () => new Date(),
    log: silentLog,
  });
  onTestFinished(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  return sandbox;
}

async function launch({ ehr }: Pick<Sandbox, 'ehr'>, story: string): Promise<Visitor> {
  const { address } = ehr.launch({ patient: `${story}-patient`, order: `${story}-order` });
  return createVisitor().go(address);
}

const drugs = async ({ service }: Sandbox) =>
  ((await (await fetch(`${service.url}/sandbox/prior-authorization`)).json()) as { drug_name: string }[]).map(
    ({ drug_name }) => drug_name,
  );

test('one start has a clinic for each profile: benefit verification is seen in the second, and both send', async () => {
  const sandbox = await start({ profile: 'documented', prescription: 'named' }, true);
  const { ehr, second } = sandbox;
  if (second === undefined) throw new Error('no second EHR');
  expect(await (await fetch(ehr.url)).text()).toContain(`href="${second.url}"`);
  expect(await (await fetch(second.url)).text()).toContain(`href="${ehr.url}"`);
  for (const one of [ehr, second]) {
    const visitor = await launch({ ehr: one }, 'complete');
    await visitor.submit('f.provider.fax', { action: 'check' });
    await visitor.submit('digest', { action: 'send' });
    expect(visitor.address).toContain('/cases/');
  }
  expect(await drugs(sandbox)).toHaveLength(2);
  const orders = async (one: SandboxEhr) => createVisitor().go(one.launch({ patient: 'complete-patient' }).address);
  expect((await orders(ehr)).body).not.toContain('benefit');
  expect((await orders(second)).body).toContain('enefit');
});

test('with the profile current, lists are closed, a fraction is asked, and the request arrives', async () => {
  const sandbox = await start({ profile: 'current', prescription: 'named' });
  const visitor = await launch(sandbox, 'complete');
  expect(visitor.body).toMatch(/<select id="field-prescription-dose_form"/);
  expect(visitor.body).toMatch(/<select id="field-prescription-route_of_administration"/);
  expect(visitor.body).toContain('Resubmission');
  expect(visitor.body).not.toContain('field-prescription-dispense_unit');
  expect(visitor.body).not.toContain('field-prescription-ndc');
  await visitor.submit('f.provider.fax', { 'f.prescription.quantity': '7.5', action: 'check' });
  expect(visitor.body).toContain('A whole number is expected');
  expect(visitor.body).not.toContain('name="digest"');
  await visitor.submit('f.provider.fax', { 'f.prescription.quantity': '8', action: 'check' });
  sandbox.service.switches.set({ switch: 'status', value: { status: 413 }, path: '/prior-authorization', times: 1 });
  await visitor.submit('digest', { action: 'send' });
  expect(visitor.body).toContain('The request is too large for the prior-authorization service.');
  await visitor.submit('f.provider.fax', { action: 'check' });
  await visitor.submit('digest', { action: 'send' });
  expect(visitor.address).toContain('/cases/');
  expect(await drugs(sandbox)).toHaveLength(1);
});

test('with the drug coded, an order without an NDC is asked for it, and a wrong one is not sent', async () => {
  const sandbox = await start({ profile: 'current', prescription: 'coded' });
  const visitor = await launch(sandbox, 'complete');
  expect(visitor.body).toContain('field-prescription-ndc');
  expect(visitor.body).not.toContain('field-prescription-dose_form');
  await visitor.submit('f.provider.fax', { 'f.prescription.ndc': '0074055402', action: 'check' });
  expect(visitor.body).toContain('an NDC of 11 digits, or of 10 with its dashes');
  await visitor.submit('f.provider.fax', { 'f.prescription.ndc': '00074-0554-02', action: 'check' });
  expect(visitor.body).toContain('NDC 00074-0554-02');
  await visitor.submit('digest', { action: 'send' });
  expect(visitor.address).toContain('/cases/');
  expect(await drugs(sandbox)).toHaveLength(1);
});
