import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenefitVerification } from '../../../src/core/contract/benefit-verification.ts';
import { formOf, openScene, type Scene } from '../support.ts';

const id = '11111111-2222-4333-8444-555555555555';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
  speak('current');
});
afterEach(() => scene.app.close());

function speak(profile: 'documented' | 'current'): void {
  const { site } = scene.smart.launch;
  scene.smart.launch = { ...scene.smart.launch, site: { ...site, service: { ...site.service, profile } } };
}

const review = () => `${scene.home}/orders/${scene.order}/benefits`;

async function submit(changes: Record<string, string>) {
  const page = await scene.get(review());
  return scene.post(review(), { ...formOf(page.body, 'review'), ...changes });
}

describe('where the service has the profile documented', () => {
  beforeEach(() => speak('documented'));

  test('no order offers to verify benefits', async () => {
    expect((await scene.get(`${scene.home}/orders`)).body).not.toContain('/benefits"');
  });

  test('its page says how the operator can turn it on, and no draft stays behind', async () => {
    const reply = await scene.get(review());
    expect(reply.status).toBe(404);
    expect(reply.body).toContain('This site does not offer benefit verification.');
    expect(reply.body).toContain('set the site’s service profile to current');
    expect(await scene.cases.forPatient('valley', `Patient/${scene.smart.launch.patient}`)).toEqual([]);
  });
});

describe('the review of a benefit verification', () => {
  test('is offered beside the order', async () => {
    expect((await scene.get(`${scene.home}/orders`)).body).toMatch(
      new RegExp(`href="${review()}" class="button quiet-button">Verify benefits<`),
    );
  });

  test('shows the drug, the plan, the people and no evidence, directions or pharmacy', async () => {
    const { body } = await scene.get(review());
    expect(body).toContain('Review the benefit verification');
    expect(body).toContain('name="f.drugs[0].name"');
    expect(body).toContain('name="f.insurance_content.member_number"');
    expect(body).toContain('name="f.use_patient_plan_fund_source_check"');
    expect(body).not.toMatch(/f\.prescription|f\.pharmacy|Supporting documents/);
  });

  test('sends what was checked, with what a person asked for and entered', async () => {
    const checked = await submit({
      'f.use_patient_plan_fund_source_check': 'true',
      'f.drugs[0].quantity': '3',
      action: 'check',
    });
    expect(checked.headers.location).toBe(`${review()}/confirm`);
    const page = await scene.get(`${review()}/confirm`);
    expect(page.body).toContain('It asks the plan what it covers and decides nothing.');
    await scene.post(`${review()}/confirm`, { ...formOf(page.body), action: 'send' });
    expect(scene.cases.sent).toHaveLength(1);
    expect(scene.cases.sent[0]?.body).toMatchObject({
      drugs: [{ quantity: 3 }],
      use_patient_plan_fund_source_check: true,
    });
  });

  test('names the canceled one in whose place it stands, and none unless a person does', async () => {
    await shown({ status: 'cancelled' });
    const { body } = await scene.get(`${review()}?anew=1`);
    expect(body).toMatch(/<select[^>]*name="f\.replaces"/);
    expect(body).toMatch(/<option[^>]*value="bv_7"[^>]*>[^<]*Canceled/);
    expect(formOf(body, 'review')['f.replaces']).toEqual(['']);
  });

  test('offers none that was answered as the one in whose place it stands', async () => {
    await shown();
    const { body } = await scene.get(`${review()}?anew=1`);
    expect(body).toContain('name="f.replaces"');
    expect(body).not.toMatch(/<option[^>]*value="bv_7"/);
  });

  test('does not go while the prescriber’s address is not whole', async () => {
    const reply = await submit({ 'f.provider.address.city': '', action: 'check' });
    expect(reply.headers.location).toBe(`${review()}?notice=incomplete#field-provider-address-city`);
  });

  test('takes a photo of the card, and no document', async () => {
    expect((await scene.get(`${review()}/attach/card`)).status).toBe(200);
    expect((await scene.get(`${review()}/attach/document`)).status).toBe(404);
  });
});

const record: BenefitVerification = {
  id: 'bv_7',
  status: 'completed',
  patient_coverage_status: 'covered',
  patient_plan_fund_source: 'commercial',
  drugs: [
    {
      name: 'adalimumab',
      coverage: 'covered',
      prior_authorization_required: 'yes',
      copay_options: [{ amount_cents: 3500, supply_duration_days: 30 }],
    },
  ],
};

/** A verification of this patient's order that has ended, unless told otherwise. */
async function shown(changes: object = {}, state: 'open' | 'ended' = 'ended'): Promise<string> {
  const answer = { ...record, ...changes };
  scene.cases.put({
    id,
    kind: 'benefit-verification',
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state,
    status: answer.status,
    serviceId: 'bv_7',
    sentAt: '2026-11-21T14:00:00.000Z',
    ...(state === 'ended' ? { endedAt: '2026-11-21T14:30:00.000Z' } : {}),
    record: answer,
  });
  return (await scene.get(`${scene.home}/cases/${id}`)).body;
}

describe('the page of a benefit verification', () => {
  test('says what is covered, what it costs, and what follows', async () => {
    const body = await shown();
    expect(body).toContain('<h2 id="standing">Covered: prior authorization required</h2>');
    expect(body).toContain('<dt>Copay</dt><dd>$35.00 for 30 days</dd>');
    expect(body).toContain('<dt>Plan paid by</dt><dd>Commercial</dd>');
    expect(body).toContain('no promise of payment');
    expect(body).toMatch(
      new RegExp(`href="${scene.home}/orders/${scene.order}" class="button go">Start the prior authorization<`),
    );
    expect(body).not.toMatch(/fax\.pdf|value="cancel"|appeal/i);
  });

  test('says that nothing is left to do where the drug is covered without prior authorization', async () => {
    const body = await shown({ drugs: [{ coverage: 'covered', prior_authorization_required: 'no' }] });
    expect(body).toContain('<h2 id="standing">Covered: no prior authorization needed</h2>');
    expect(body).not.toContain('Start the prior authorization');
  });

  test.each([
    ['a coverage that nobody knows', { drugs: [{ coverage: 'covered_in_part', prior_authorization_required: 'no' }] }],
    ['a patient’s coverage that nobody knows', { patient_coverage_status: 'covered_somehow' }],
  ])('never calls %s covered, and shows the word as it came', async (_, changes) => {
    const body = await shown(changes);
    expect(body).toContain('<h2 id="standing">Needs your review: what the plan covers is unclear</h2>');
    expect(body).toMatch(/“covered_(in_part|somehow)” \(not known to this app\)/);
    expect(body).not.toMatch(/tone-good/);
  });

  test('says why it failed and what to do', async () => {
    const error = { code: 'Patient Not Found', message: 'No such member.' };
    const body = await shown({ status: 'failed', error, drugs: [] });
    expect(body).toContain('<h2 id="standing">Benefits not verified: Patient Not Found</h2>');
    expect(body).toContain('<dd>No such member.</dd>');
    expect(body).toContain(`href="${review()}?anew=1" class="button go">Verify again<`);
  });

  test('can be looked for and canceled while it is pending, and says nothing of an answer', async () => {
    const body = await shown({ status: 'pending' }, 'open');
    expect(body).toContain('<h2 id="standing">Benefits being verified</h2>');
    expect(body).toContain('value="refresh"');
    expect(body).toContain('value="cancel"');
    expect(body).not.toMatch(/Copay|Covered/);
  });

  test('names it and its answer in the list of requests and beside the order', async () => {
    await shown();
    const { body } = await scene.get(`${scene.home}/orders`);
    expect(body).toContain('Benefit verification, sent');
    expect(body).toContain('Covered: prior authorization required');
    expect(body).toContain(`href="${scene.home}/cases/${id}" class="button quiet-button">See the benefits<`);
  });
});
