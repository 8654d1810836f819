import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { CreatePriorAuthRequest } from '../../../../src/core/contract/documented.ts';
import { Envelope } from '../../../../src/core/contract/envelope.ts';
import { withoutNulls } from '../../../../src/core/contract/open-contract.ts';
import { PriorAuthorization } from '../../../../src/core/contract/prior-authorization.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import {
  type SandboxService,
  type SandboxServiceOptions,
  startSandboxService,
} from '../../../../src/dev/sandbox/service/index.ts';
import { createServiceClient } from '../../../../src/service/client.ts';
import { codedBody, currentBody, enrollmentBody, priorAuthBody } from '../../../service/sample.ts';

const running: SandboxService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
});

async function start(more: Partial<SandboxServiceOptions> = {}) {
  let now = Date.parse('2026-11-21T10:00:00Z');
  const clock = () => new Date(now);
  const sandbox = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [{ id: 'valley', token: 'right' }],
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
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { sandbox, client, pass, clock };
}

type Started = Awaited<ReturnType<typeof start>>;

async function failure(promise: Promise<unknown>): Promise<BridgeError> {
  const thrown = await promise.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof BridgeError)) throw thrown;
  return thrown;
}

/** Creates, steps to the end, and reads the record at each state on the way. */
async function storyOf({ sandbox, client }: Started, body: CreatePriorAuthRequest) {
  const { id } = await client.createPriorAuthorization(body);
  const records = [await client.getPriorAuthorization(id)];
  for (let status = records[0]?.status; ; ) {
    const next = await sandbox.step(id);
    if (next === status) return records;
    status = next ?? '';
    records.push(await client.getPriorAuthorization(id));
  }
}

const usual = ['processing', 'awaiting_review', 'awaiting_outcome', 'validating_outcome', 'completed'];

describe('the life of a prior authorization', () => {
  test('the usual way, with what comes on it', async () => {
    const records = await storyOf(await start(), priorAuthBody('Oxaprozin'));
    expect(records.map(({ status }) => status)).toEqual(usual);
    expect(records.map(({ outcome }) => outcome?.result)).toEqual([
      'Pending',
      'Pending',
      'Pending',
      'Approved',
      'Approved',
    ]);
    expect(records.map(({ activity_log }) => activity_log?.map(({ type }) => type))).toEqual([
      [],
      [],
      ['sent_fax'],
      ['sent_fax', 'received_fax'],
      ['sent_fax', 'received_fax'],
    ]);
    const last = records.at(-1);
    expect(last).toMatchObject({
      object: 'prior_authorization',
      outcome: {
        result: 'Approved',
        detail_code: 'approval',
        authorization_start_date: '2026-11-21',
        authorization_expiration: '2027-11-21',
      },
      patient: { internal_id: 'mrn-0001', gender: 'female' },
      prescription: {
        extra: { submission_id: '7d8a2b0e-0000-4000-8000-000000000001' },
        prescription_date: '2026-11-20T00:00:00.000000',
      },
      insurance: [{ discrete_content: { rx_bin: '004336' } }],
      submitted_by: { email: 'robin@service.example' },
    });
    expect(last?.questionnaires?.[0]?.questions?.[0]).toEqual({
      question: 'Which diagnoses is the drug prescribed for?',
      answer: 'M05.79',
    });
  });

  test('validation turns a mistaken answer back, and another one follows', async () => {
    const records = await storyOf(await start(), priorAuthBody('adalimumab'));
    expect(records.map(({ status, outcome }) => `${status} ${outcome?.result}`)).toEqual([
      'processing Pending',
      'awaiting_review Pending',
      'awaiting_outcome Pending',
      'validating_outcome Denied',
      'awaiting_outcome Pending',
      'validating_outcome Approved',
      'completed Approved',
    ]);
    expect(records.at(-1)?.activity_log?.map(({ type }) => type)).toEqual([
      'sent_fax',
      'received_fax',
      'follow_up_call',
      'received_fax',
    ]);
    expect(new Set(records.at(-1)?.activity_log?.map(({ id }) => id)).size).toBe(4);
  });

  test('a denial comes with its analysis, not before it is final', async () => {
    const records = await storyOf(await start(), priorAuthBody('semaglutide'));
    expect(records.map(({ denial_reason_analysis }) => denial_reason_analysis !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(records.at(-1)).toMatchObject({
      outcome: {
        result: 'Denied',
        detail: 'Step Therapy Criteria Not Met',
        detail_code: 'step_therapy_criteria_not_met',
      },
      denial_reason_analysis: { categories: ['Step therapy'], next_steps: 'appeal' },
    });
    expect(records.at(-1)?.outcome).not.toHaveProperty('authorization_expiration');
  });

  test('evidence of the first step turns a step-therapy denial into an approval', async () => {
    const evidence = [
      {
        title: 'Prior therapy',
        date_created: '2026-11-01T00:00:00',
        content: { drug: 'adalimumab', stopped: '2026-08-01' },
      },
    ];
    const ends = [];
    for (const body of [priorAuthBody('secukinumab'), priorAuthBody('secukinumab', { evidence })])
      ends.push((await storyOf(await start(), body)).at(-1)?.outcome?.result);
    expect(ends).toEqual(['Denied', 'Approved']);
  });

  test('a government plan is not submitted', async () => {
    const body = priorAuthBody('adalimumab', {
      insurance_content: { member_number: '1', payer_name: 'Invented Medicare Plan' },
    });
    const records = await storyOf(await start(), body);
    expect(records.map(({ status }) => status)).toEqual(['processing', 'not_submitted']);
    expect(records[1]).toMatchObject({
      outcome: { result: 'Not Submitted', detail_code: 'eligibility_check_government_plan' },
      eligibility_check_response: [{ plan_type: 'medicare' }],
    });
  });

  test.each([
    ['denosumab', ['failed'], 'Other/other'],
    ['dupilumab', ['awaiting_provider_response', 'completed'], 'Approved/approval'],
    ['Humulin', ['completed'], 'Other/prior_auth_not_required'],
    ['insulin glargine', ['completed'], 'Other/prior_auth_not_required'],
    ['palbociclib', ['completed'], 'Approved/approval'],
    ['tofacitinib', ['completed'], 'Denied/step_therapy_criteria_not_met'],
    ['etanercept', ['completed'], 'Denied/formulary_alternative_preferred'],
    ['ustekinumab', ['completed'], 'Approved/existing_approval'],
    ['semaglutide [Wegovy]', ['completed'], 'Denied/prior_weight_loss_program_required'],
    ['erenumab', ['completed'], 'Other/coverage_inactive'],
  ])('%s passes %j and ends as %s', async (drug, passes, end) => {
    const records = await storyOf(await start(), priorAuthBody(drug));
    expect(records.map(({ status }) => status)).toEqual(expect.arrayContaining(passes));
    expect(records.at(-1)?.status).toBe(passes.at(-1));
    expect(`${records.at(-1)?.outcome?.result}/${records.at(-1)?.outcome?.detail_code}`).toBe(end);
  });

  test('training data is taken and never processed', async () => {
    const started = await start({ speed: 1 });
    const { id } = await started.client.createPriorAuthorization(priorAuthBody('x', { is_training_data: true }));
    await started.sandbox.skip(3_600_000);
    expect(await started.sandbox.step(id)).toBe('processing');
  });

  test('a mock result finishes at once; a production organization refuses it', async () => {
    const mocked = priorAuthBody('x', { mock_result: { result: 'Denied', detail_code: 'plan_exclusion' } });
    const { client } = await start();
    const { id } = await client.createPriorAuthorization(mocked);
    expect(await client.getPriorAuthorization(id)).toMatchObject({
      status: 'completed',
      outcome: { result: 'Denied', detail_code: 'plan_exclusion' },
    });
    const other = await client.createPriorAuthorization(
      priorAuthBody('x', { mock_result: { result: 'Not Submitted' } }),
    );
    expect((await client.getPriorAuthorization(other.id)).status).toBe('not_submitted');
    const production = await start({ allowMock: false });
    expect((await failure(production.client.createPriorAuthorization(mocked))).facts.service_code).toBe(
      'mock_result_not_allowed',
    );
  });
});

test('the contract reads every record without losing a field', async () => {
  const { sandbox, client } = await start();
  for (const drug of ['adalimumab', 'semaglutide', 'denosumab', 'dupilumab']) {
    const { id } = await client.createPriorAuthorization(
      priorAuthBody(drug, {
        evidence: [{ title: 'Labs', date_created: '2026-11-01T00:00:00', content: { a1c: 7.1 } }],
      }),
    );
    for (let last = ''; ; ) {
      const response = await fetch(`${sandbox.url}/prior-authorization/${id}`, {
        headers: { authorization: 'Bearer right' },
      });
      const { data } = Envelope.parse(withoutNulls(await response.json()));
      expect(PriorAuthorization.parse(data)).toEqual(data);
      const status = (await sandbox.step(id)) ?? '';
      if (status === last) break;
      last = status;
    }
  }
});

describe('time', () => {
  test('by itself it passes all states, each after its stay', async () => {
    const { sandbox, client, pass } = await start({ speed: 1 });
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    const seen = [];
    for (const milliseconds of [3999, 1, 6000, 7000, 4999, 1]) {
      pass(milliseconds);
      await sandbox.skip(0);
      seen.push((await client.getPriorAuthorization(id)).status);
    }
    expect(seen).toEqual([
      'processing',
      'awaiting_review',
      'awaiting_outcome',
      'validating_outcome',
      'validating_outcome',
      'completed',
    ]);
  });

  test('it runs without being asked', async () => {
    const { client } = await start({ speed: 1000, clock: () => new Date() });
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    await expect.poll(async () => (await client.getPriorAuthorization(id)).status).toBe('completed');
  });

  test('one long jump passes each state at its own time', async () => {
    const { sandbox, client } = await start({ speed: 1 });
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    await sandbox.skip(3_600_000);
    const record = await client.getPriorAuthorization(id);
    expect(record.status).toBe('completed');
    expect(record.activity_log?.map(({ created_at }) => created_at)).toEqual([
      '2026-11-21T10:00:10',
      '2026-11-21T10:00:17',
    ]);
  });

  test('with review "wait" it stays in awaiting_review until somebody submits it', async () => {
    const { sandbox, client } = await start({ speed: 1, review: 'wait' });
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    await sandbox.skip(3_600_000);
    expect((await client.getPriorAuthorization(id)).status).toBe('awaiting_review');
    await fetch(`${sandbox.url}/prior-authorizations/${id}/step`, { method: 'POST' });
    expect((await client.getPriorAuthorization(id)).status).toBe('awaiting_outcome');
  });

  test.each([
    ['auto', 'awaiting_outcome'],
    ['wait', 'awaiting_provider_response'],
  ] as const)('a payer that asks goes on by itself, or waits for a person: %s', async (replies, status) => {
    const { sandbox, client } = await start({ speed: 1, replies });
    const { id } = await client.createPriorAuthorization(priorAuthBody('omalizumab'));
    // 4 s until the review, 6 s there, 6 s with the question.
    await sandbox.skip(16_500);
    expect((await client.getPriorAuthorization(id)).status).toBe(status);
    const page = await (await fetch(sandbox.url)).text();
    expect(page.includes('The reply arrived')).toBe(replies === 'wait');
  });

  test('the controls step a record and move the clock', async () => {
    const { sandbox, client } = await start();
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    const post = (path: string, body?: unknown) =>
      fetch(sandbox.url + path, {
        method: 'POST',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
    expect(await (await post(`/sandbox/prior-authorization/${id}/step`)).json()).toEqual({
      id,
      status: 'awaiting_review',
    });
    expect(await (await post('/sandbox/clock', { advance_seconds: 60 })).json()).toEqual({
      now: '2026-11-21T10:01:00.000Z',
    });
    expect((await post('/sandbox/clock', { advance_seconds: -1 })).status).toBe(422);
    expect((await post('/sandbox/prior-authorization/none/step')).status).toBe(404);
    for (let steps = 0; steps < 3; steps++) await sandbox.step(id);
    expect((await post(`/sandbox/prior-authorization/${id}/step`)).status).toBe(409);
  });
});

describe('cancel', () => {
  test.each([0, 1, 2, 3])('after %i steps it is still possible, and ends everything', async (steps) => {
    const { sandbox, client } = await start({ speed: 1 });
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    for (let step = 0; step < steps; step++) await sandbox.step(id);
    await client.cancelPriorAuthorization(id, 'Ordered another drug');
    await sandbox.skip(3_600_000);
    expect(await client.getPriorAuthorization(id)).toMatchObject({
      status: 'cancelled',
      outcome: { result: 'Pending' },
    });
  });

  test.each([
    ['Oxaprozin', 'completed'],
    ['denosumab', 'failed'],
  ])('a finished record (%s) is refused with its status', async (drug, status) => {
    const started = await start();
    const id = (await storyOf(started, priorAuthBody(drug)))[0]?.id ?? '';
    expect(await failure(started.client.cancelPriorAuthorization(id, 'x'))).toMatchObject({
      code: 'service_refused',
      facts: { service_status: status },
    });
    expect((await started.client.getPriorAuthorization(id)).status).toBe(status);
  });

  test('a second cancel is refused', async () => {
    const { client } = await start();
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    await client.cancelPriorAuthorization(id, 'x');
    expect((await failure(client.cancelPriorAuthorization(id, 'x'))).facts.service_status).toBe('cancelled');
  });
});

describe('what it refuses', () => {
  const post = (url: string, path: string, body: unknown, token = 'right') =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('a wrong or missing token, on every path of the API', async () => {
    const { sandbox, clock } = await start();
    const client = createServiceClient({ url: sandbox.url, token: () => 'wrong', clock, log: silentLog });
    const calls = [
      () => client.createPriorAuthorization(priorAuthBody()),
      () => client.getPriorAuthorization('pa_1'),
      () => client.cancelPriorAuthorization('pa_1', 'x'),
      () => client.submitEnrollment(enrollmentBody()),
    ];
    for (const call of calls) expect((await failure(call())).code).toBe('service_unauthorized');
    expect((await fetch(`${sandbox.url}/prior-authorization/pa_1`)).status).toBe(401);
  });

  test.each([
    [
      'a quantity of nothing',
      (body: CreatePriorAuthRequest) => ({ ...body, prescription: { ...body.prescription, quantity: 0 } }),
      ['body', 'prescription', 'quantity'],
    ],
    [
      'a gender in other words',
      (body: CreatePriorAuthRequest) => ({ ...body, patient: { ...body.patient, gender: 'unknown' } }),
      ['body', 'patient', 'gender'],
    ],
    [
      'an empty name',
      (body: CreatePriorAuthRequest) => ({ ...body, patient: { ...body.patient, first_name: '' } }),
      ['body', 'patient', 'first_name'],
    ],
    ['a priority in words', (body: CreatePriorAuthRequest) => ({ ...body, priority: 'high' }), ['body', 'priority']],
    ['no provider', ({ provider: _, ...body }: CreatePriorAuthRequest) => body, ['body', 'provider']],
    [
      'a date that does not exist',
      (body: CreatePriorAuthRequest) => ({ ...body, patient: { ...body.patient, date_of_birth: '2023-02-29' } }),
      ['body', 'patient', 'date_of_birth'],
    ],
  ])('%s: 422 with the place', async (_, change, loc) => {
    const { sandbox } = await start();
    const response = await post(sandbox.url, '/prior-authorization', change(priorAuthBody()));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc }] });
  });

  test('a missing field is told from a wrong one', async () => {
    const { sandbox } = await start();
    const answer = await (await post(sandbox.url, '/patient-enrollment', { programId: 7 })).json();
    expect(answer.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type])).toEqual([
      ['body.programId', 'invalid_type'],
      ['body.patient', 'missing'],
    ]);
  });

  test('an RxBIN that is not six digits is a business error', async () => {
    const { sandbox, client } = await start();
    const body = priorAuthBody('x', { insurance_content: { member_number: '1', rx_bin: 'BIN001' } });
    const response = await post(sandbox.url, '/prior-authorization', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'insurance_content_invalid_rx_bin' } });
    // The bridge itself never sends it (V17).
    expect(await failure(client.createPriorAuthorization(body))).toMatchObject({ code: 'case_not_ready' });
  });

  test('a body that is not JSON', async () => {
    const { sandbox } = await start();
    expect((await post(sandbox.url, '/prior-authorization', '{')).status).toBe(400);
  });

  test('an unknown record', async () => {
    const { client } = await start();
    expect((await failure(client.getPriorAuthorization('pa_none'))).code).toBe('service_not_found');
    expect((await failure(client.cancelPriorAuthorization('pa_none', 'x'))).code).toBe('service_not_found');
  });
});

describe('the profile current', () => {
  const asCurrent = async () => {
    const started = await start({ sites: [{ id: 'valley', token: 'right', profile: 'current' }] });
    const { sandbox, clock } = started;
    const client = createServiceClient({
      url: sandbox.url,
      profile: 'current',
      token: () => 'right',
      clock,
      log: silentLog,
    });
    return { ...started, client };
  };
  const send = async (
    { sandbox }: { readonly sandbox: SandboxService },
    body: unknown,
    path = '/prior-authorization',
  ) => {
    const response = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer right', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { detail?: { loc: string[]; type: string }[] };
    return [response.status, answer.detail?.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)] as const;
  };

  test('takes the drug by its name or by its NDC, and goes on to an outcome', async () => {
    const started = await asCurrent();
    for (const body of [currentBody(), codedBody()]) {
      const { id } = await started.client.createPriorAuthorization(body);
      for (let step = 0; step < 6; step += 1) await started.sandbox.step(id);
      const record = await started.client.getPriorAuthorization(id);
      expect(record).toMatchObject({ status: 'completed', prescription: body.prescription });
    }
  });

  test('refuses a request of the other profile, field by field', async () => {
    const started = await asCurrent();
    expect(await send(started, priorAuthBody())).toEqual([
      422,
      ['provider.address missing', 'prescription.dispense_unit extra_forbidden'],
    ]);
    expect(await send(await start(), currentBody())).toEqual([422, ['prescription.dispense_unit missing']]);
  });

  test('refuses a fractional quantity, which the other profile takes', async () => {
    const { prescription } = currentBody();
    const body = currentBody('x', { prescription: { ...prescription, quantity: 1.5 } });
    expect(await send(await asCurrent(), body)).toEqual([422, ['prescription.quantity invalid_type']]);
    const documented = priorAuthBody();
    const fraction = { ...documented, prescription: { ...documented.prescription, quantity: 1.5 } };
    expect((await send(await start(), fraction))[0]).toBe(200);
  });

  test('refuses an NDC of ten digits without dashes at its place', async () => {
    expect(await send(await asCurrent(), codedBody('0074055402'))).toEqual([422, ['prescription.ndc invalid_format']]);
  });

  test('a cancellation without a reason is refused, which the other profile takes', async () => {
    const started = await asCurrent();
    const { id } = await started.client.createPriorAuthorization(currentBody());
    const path = `/prior-authorization/${id}/cancel`;
    expect(await send(started, {}, path)).toEqual([422, ['cancellation_reason missing']]);
    await started.client.cancelPriorAuthorization(id, 'wrong drug');
    const documented = await start();
    const other = await documented.client.createPriorAuthorization(priorAuthBody());
    expect((await send(documented, {}, `/prior-authorization/${other.id}/cancel`))[0]).toBe(200);
  });

  test('its page says what was refused and why, and nothing of what was sent', async () => {
    const started = await asCurrent();
    await send(started, { ...priorAuthBody('Secretumab'), priority: 'high' });
    await fetch(`${started.sandbox.url}/prior-authorization/pa_1`);
    const page = await (await fetch(started.sandbox.url)).text();
    expect(page).toContain('<h2 id="refused">Refused</h2>');
    expect(page).toContain('prescription.dispense_unit: Extra inputs are not permitted');
    expect(page).toContain('valley, profile current');
    expect(page).toContain('a token that is nobody’s');
    expect(page).not.toContain('Secretumab');
  });
});

describe('files', () => {
  test('faxes are PDFs behind links that end after some minutes', async () => {
    const started = await start();
    const records = await storyOf(started, priorAuthBody());
    const urls = records.at(-1)?.activity_log?.map(({ details }) => details?.url ?? '') ?? [];
    expect(urls).toHaveLength(2);
    for (const url of urls)
      expect(await started.client.download(url)).toMatchObject({ contentType: 'application/pdf' });
    started.pass(301_000);
    expect((await failure(started.client.download(urls[0] ?? ''))).facts).toMatchObject({ http: 403 });
    const again = await started.client.getPriorAuthorization(records[0]?.id ?? '');
    expect(again.activity_log?.[0]?.details?.url).not.toBe(urls[0]);
    expect(await started.client.download(again.activity_log?.[0]?.details?.url ?? '')).toMatchObject({
      contentType: 'application/pdf',
    });
  });

  test('a link does not open another record’s file', async () => {
    const started = await start();
    const [first, second] = [await storyOf(started, priorAuthBody()), await storyOf(started, priorAuthBody())];
    const link = new URL(first.at(-1)?.activity_log?.[0]?.details?.url ?? '');
    link.pathname = new URL(second.at(-1)?.activity_log?.[0]?.details?.url ?? '').pathname;
    expect((await fetch(link)).status).toBe(403);
  });

  test('a card’s image comes back as it was sent; the sandbox reads nothing from it', async () => {
    const { client } = await start();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { insurance_content: _, ...body } = priorAuthBody();
    const { id } = await client.createPriorAuthorization({ ...body, insurance: [{ file_content: png }] });
    const insurance = (await client.getPriorAuthorization(id)).insurance?.[0];
    expect(insurance?.scanned_content).toEqual({ error: 'The sandbox does not read card images' });
    const file = await client.download(insurance?.url ?? '');
    expect(file.contentType).toBe('image/png');
    expect(Buffer.from(file.bytes).toString('base64')).toBe(png);
  });
});

describe('enrollment', () => {
  test('is confirmed with an id', async () => {
    const { client } = await start();
    expect(await client.submitEnrollment(enrollmentBody())).toMatchObject({ id: expect.stringMatching(/^pe_/) });
  });
});

describe('a restart', () => {
  async function folder<T>(use: (dataFile: string) => Promise<T>): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-service-'));
    // After the sandboxes were closed: each writes its file once more then.
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    return await use(join(directory, 'deep', 'service.json'));
  }

  test('keeps records, their place in the story, the clock, and the links', async () => {
    await folder(async (dataFile) => {
      const first = await start({ dataFile });
      const { id } = await first.client.createPriorAuthorization(priorAuthBody('adalimumab'));
      for (let step = 0; step < 4; step++) await first.sandbox.step(id);
      await first.client.submitEnrollment(enrollmentBody());
      await first.sandbox.skip(60_000);
      const before = await first.client.getPriorAuthorization(id);
      const port = Number(new URL(first.sandbox.url).port);
      await running.pop()?.close();

      const second = await start({ dataFile, port });
      expect(await second.client.getPriorAuthorization(id)).toEqual(before);
      expect(await second.client.download(before.activity_log?.[0]?.details?.url ?? '')).toMatchObject({
        contentType: 'application/pdf',
      });
      expect(await second.sandbox.step(id)).toBe('validating_outcome');
      expect(await (await fetch(`${second.sandbox.url}/sandbox/clock`)).json()).toEqual({
        now: '2026-11-21T10:01:00.000Z',
      });
    });
  });

  test('what was answered is in the file already, without a clean end', async () => {
    await folder(async (dataFile) => {
      const { client } = await start({ dataFile });
      const { id } = await client.createPriorAuthorization(priorAuthBody());
      expect(await readFile(dataFile, 'utf8')).toContain(id);
    });
  });

  test('a data file that is not its own stops the start and is left alone', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-service-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const dataFile = join(directory, 'service.json');
    await writeFile(dataFile, '{"other": true}');
    expect((await failure(start({ dataFile }))).code).toBe('input_unreadable');
    expect(await readFile(dataFile, 'utf8')).toBe('{"other": true}');
  });
});

describe('the platform’s pages', () => {
  test('a record’s url opens its page, with the button that submits it', async () => {
    const { sandbox, client } = await start();
    const { id } = await client.createPriorAuthorization(priorAuthBody('<script>alert(1)</script>'));
    await sandbox.step(id);
    const record = await client.getPriorAuthorization(id);
    expect(record.url).toBe(`${sandbox.url}/prior-authorizations/${id}`);
    const html = await (await fetch(record.url ?? '')).text();
    expect(html).toContain('Submit to payer');
    expect(html).toContain('&lt;script>alert(1)');
    expect(html).not.toContain('<script>alert');
    const submit = await fetch(`${record.url}/step`, {
      method: 'POST',
      body: new URLSearchParams({ back: '//evil.example' }),
      redirect: 'manual',
    });
    expect([submit.status, submit.headers.get('location')]).toEqual([303, `/prior-authorizations/${id}`]);
    expect((await client.getPriorAuthorization(id)).status).toBe('awaiting_outcome');
  });

  test('the list names each prior authorization with status and drug, and the rules', async () => {
    const { sandbox, client } = await start();
    const { id } = await client.createPriorAuthorization(priorAuthBody('etanercept'));
    const html = await (await fetch(sandbox.url)).text();
    for (const text of [id, 'etanercept', 'Processing', 'How the sandbox decides']) expect(html).toContain(text);
  });

  test('another site’s page cannot move anything', async () => {
    const { sandbox, client } = await start();
    const { id } = await client.createPriorAuthorization(priorAuthBody());
    const response = await fetch(`${sandbox.url}/prior-authorizations/${id}/cancel`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
    expect((await client.getPriorAuthorization(id)).status).toBe('processing');
  });

  test('a page of no record says where to go', async () => {
    const { sandbox } = await start();
    const response = await fetch(`${sandbox.url}/prior-authorizations/none`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('All prior authorizations');
  });
});
