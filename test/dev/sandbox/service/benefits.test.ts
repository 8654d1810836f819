import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import {
  type SandboxService,
  type SandboxServiceOptions,
  startSandboxService,
} from '../../../../src/dev/sandbox/service/index.ts';
import { benefitOutcome } from '../../../../src/service/benefits.ts';
import { createServiceClient } from '../../../../src/service/client.ts';
import { benefitBody } from '../../../service/sample.ts';

const running: SandboxService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
});

async function start(more: Partial<SandboxServiceOptions> = {}) {
  const clock = () => new Date('2026-11-21T10:00:00Z');
  const sandbox = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [{ id: 'valley', token: 'right', profile: 'current' }],
    speed: 0,
    clock,
    log: silentLog,
    ...more,
  });
  running.push(sandbox);
  const client = createServiceClient({
    url: sandbox.url,
    token: () => 'right',
    clock,
    sleep: async () => {},
    log: silentLog,
  });
  const raw = (path: string, body?: unknown) =>
    fetch(`${sandbox.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer right', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const step = (id: string) => fetch(`${sandbox.url}/sandbox/benefit-verification/${id}/step`, { method: 'POST' });
  const ledger = async (kind: string) => {
    const { entries } = (await (await fetch(`${sandbox.url}/sandbox/ledger`)).json()) as {
      readonly entries: readonly { readonly kind: string }[];
    };
    return entries.filter((entry) => entry.kind === kind);
  };
  return { sandbox, client, raw, step, ledger };
}

async function answered(drug: string, changes: object = {}) {
  const { client, step } = await start();
  const { id } = await client.createBenefitVerification({ ...benefitBody(drug), ...changes });
  await step(id);
  return await client.getBenefitVerification(id);
}

describe('benefit verifications in the sandbox', () => {
  test('link each image of the card by a signed address, as a prior authorization does', async () => {
    const { client } = await start();
    const file_content = Buffer.from('iVBORw0KGgo=', 'base64').toString('base64');
    const { id } = await client.createBenefitVerification({ ...benefitBody(), insurance: [{ file_content }] });
    const { insurance } = await client.getBenefitVerification(id);
    const image = await fetch(insurance?.[0]?.url ?? '');
    expect(image.status).toBe(200);
    expect(Buffer.from(await image.arrayBuffer()).toString('base64')).toBe(file_content);
    expect((await fetch((insurance?.[0]?.url ?? '').replace('card-0', 'card-1'))).status).toBe(403);
  });

  test('one that stands in place of a cancelled one names it, and is named by it', async () => {
    const { client, raw } = await start();
    const { id: old } = await client.createBenefitVerification(benefitBody());
    await raw(`/benefit-verification/${old}/cancel`, { cancellation_reason: 'The plan changed' });
    const { id } = await client.createBenefitVerification({ ...benefitBody(), replaces: old });
    expect(await client.getBenefitVerification(id)).toMatchObject({ replaces: old });
    expect(await client.getBenefitVerification(old)).toMatchObject({ status: 'cancelled', replaced_by: id });
  });

  test('are pending, say nothing of the plan, and end with what it covers', async () => {
    const { client, step } = await start();
    const { id } = await client.createBenefitVerification(benefitBody());
    expect(id).toMatch(/^bv_/);
    const before = await client.getBenefitVerification(id);
    expect(before).toMatchObject({ status: 'pending', patient: { internal_id: benefitBody().patient.internal_id } });
    expect(before.drugs?.[0]).toEqual({ name: 'tofacitinib', dosage: '5 mg', quantity: 60 });
    await step(id);
    const after = await client.getBenefitVerification(id);
    expect(after).toMatchObject({ status: 'completed', patient_coverage_status: 'covered' });
    expect(benefitOutcome(after)?.label).toBe('Covered: prior authorization required');
  });

  test.each([
    ['wegovy', 'Not covered: the plan excludes this drug'],
    ['semaglutide', 'Covered: prior authorization required for this quantity'],
    ['etanercept', 'Covered only with an exception'],
    ['ustekinumab', 'Covered: the required prior authorization is active'],
    ['methotrexate', 'Covered: no prior authorization needed'],
    ['erenumab', 'Coverage has ended'],
    ['teriparatide', 'Benefits not verified: Unable to Gather Benefits'],
    ['oxycodone', 'Needs your review: whether prior authorization is required is unclear'],
  ])('of %s end so that staff read “%s”', async (drug, label) => {
    expect(benefitOutcome(await answered(drug))?.label).toBe(label);
  });

  test('say who pays for the plan only when they are asked', async () => {
    const asked = { use_patient_plan_fund_source_check: true };
    const medicare = { insurance_content: { member_number: 'M1', payer_name: 'Medicare' } };
    expect(await answered('tofacitinib')).toMatchObject({ patient_plan_fund_source: 'question_not_asked' });
    expect(await answered('tofacitinib', asked)).toMatchObject({ patient_plan_fund_source: 'commercial' });
    expect(await answered('tofacitinib', { ...asked, ...medicare })).toMatchObject({
      patient_plan_fund_source: 'government',
    });
  });

  test('are cancelled by 204 without a body, once', async () => {
    const { client, raw } = await start();
    const { id } = await client.createBenefitVerification(benefitBody());
    const reply = await fetch(`${running[0]?.url}/benefit-verification/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: 'Bearer right' },
    });
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    const again = await raw(`/benefit-verification/${id}/cancel`, {});
    expect([again.status, await again.json()]).toEqual([
      400,
      { detail: 'Cannot cancel benefit verification with status: CANCELLED' },
    ]);
    expect(await client.getBenefitVerification(id)).toMatchObject({ status: 'cancelled' });
  });

  test.each([
    ['no drug', { drugs: [] }, 'drugs'],
    ['eight drugs', { drugs: Array.from({ length: 8 }, () => benefitBody().drugs[0]) }, 'drugs'],
    ['no dosage', { drugs: [{ name: 'x', quantity: 1 }] }, 'drugs'],
    ['no patient', { patient: undefined }, 'patient'],
    ['a part of an address', { provider: { ...benefitBody().provider, address: { city: 'Salem' } } }, 'provider'],
  ])('with %s are refused by 422', async (_, changes, place) => {
    const { raw } = await start();
    const reply = await raw('/benefit-verification', { ...benefitBody(), ...changes });
    expect(reply.status).toBe(422);
    const { detail } = (await reply.json()) as { readonly detail: readonly { readonly loc: readonly string[] }[] };
    expect(detail[0]?.loc.slice(0, 2)).toEqual(['body', place]);
  });

  test('take a mock result, and not where mock results are not allowed', async () => {
    const mock_result = { status: 'completed', case: 'drugs_not_covered__prior_auth_na__no_copay' };
    const { client } = await start();
    const { id } = await client.createBenefitVerification({ ...benefitBody(), mock_result });
    expect(benefitOutcome(await client.getBenefitVerification(id))?.label).toBe('Not covered');
    const strict = await start({ allowMock: false });
    await expect(strict.client.createBenefitVerification({ ...benefitBody(), mock_result })).rejects.toMatchObject({
      facts: { service_code: 'mock_result_not_allowed' },
    });
  });

  test('are not there for a site of the profile documented, nor for another site', async () => {
    const sites = [
      { id: 'valley', token: 'right' },
      { id: 'hill', token: 'other', profile: 'current' as const },
    ];
    const { client, sandbox } = await start({ sites });
    await expect(client.createBenefitVerification(benefitBody())).rejects.toBeInstanceOf(BridgeError);
    const created = await fetch(`${sandbox.url}/benefit-verification`, {
      method: 'POST',
      headers: { authorization: 'Bearer other', 'content-type': 'application/json' },
      body: JSON.stringify(benefitBody()),
    });
    const { data } = (await created.json()) as { readonly data: { readonly id: string } };
    await expect(client.getBenefitVerification(data.id)).rejects.toMatchObject({ code: 'service_not_found' });
  });

  test('are in the ledger and on the pages of the platform', async () => {
    const { client, sandbox, step, ledger } = await start();
    const { id } = await client.createBenefitVerification(benefitBody());
    await step(id);
    expect(await ledger('benefit_verification.accepted')).toMatchObject([{ id, site: 'valley', drug: 'tofacitinib' }]);
    expect(await ledger('benefit_verification.status')).toMatchObject([
      { id, status: 'pending', coverage: null },
      { id, status: 'completed', coverage: 'covered' },
    ]);
    expect(await (await fetch(`${sandbox.url}/`)).text()).toContain(`/benefit-verifications/${id}`);
    const page = await (await fetch(`${sandbox.url}/benefit-verifications/${id}`)).text();
    expect(page).toContain('Completed');
    expect(page).toContain('tofacitinib 5 mg');
  });

  test('are misstated by the switches of records', async () => {
    const { client, step, sandbox } = await start();
    sandbox.switches.add({ switch: 'unknown-outcome', value: { result: 'covered_in_part' } });
    sandbox.switches.add({ switch: 'unknown-status', value: { instead: 'pending', as: 'escalated' } });
    const { id } = await client.createBenefitVerification(benefitBody());
    expect(await client.getBenefitVerification(id)).toMatchObject({ status: 'escalated' });
    await step(id);
    const record = await client.getBenefitVerification(id);
    expect(record).toMatchObject({ status: 'completed', drugs: [{ coverage: 'covered_in_part' }] });
    expect(benefitOutcome(record)).toMatchObject({ kind: 'needs_person' });
  });
});
