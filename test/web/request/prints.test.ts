import { createHash } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CreatePriorAuthRequest } from '../../../src/core/contract/documented.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { outcomeTable } from '../../../src/service/outcome-words.ts';
import { contentLines } from '../../../src/web/request/content-words.ts';
import { noticeWords } from '../../../src/web/request/print/notice-words.ts';
import { type AnyCase, formOf, launchId, now, openScene, type Scene, session } from '../support.ts';

// What is printed of a request that left: the copy, the form to fax, and the bytes with their hash.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

/** Sends the story's order and gives the page of the case. */
async function send(outcome: Partial<AnyCase> = { state: 'open', serviceId: 'pa_77' }): Promise<string> {
  const review = `${scene.home}/orders/${scene.order}`;
  scene.cases.outcome = { sentAt: '2026-11-21T14:00:00.000Z', ...outcome };
  const form = formOf((await scene.get(`${review}/confirm`)).body);
  return String((await scene.post(`${review}/confirm`, { ...form, action: 'send' })).headers.location);
}

const theCase = () => [...scene.cases.all.values()][0]!;

async function file(path: string) {
  const reply = await scene.app.inject({ url: path, headers: { cookie: `__Host-bridge-${launchId}=${session}` } });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

async function pagesOf(path: string): Promise<string[]> {
  const { bytes } = await file(path);
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text;
}

describe('the form to fax', () => {
  test('has letterhead, NPI, member ID, diagnosis and lines to sign, and the patient on every page', async () => {
    const pages = await pagesOf(`${await send()}/fax.pdf`);
    const text = pages.join('\n').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/^Valley Clinic Adwoa Osei-Brandt 400 Sample Orchard Way, Suite 210 Springfield, IL 62701/);
    expect(text).toContain('NPI 1234567893');
    expect(text).toContain('Plan or PBM Harborlight Health Plan Plan fax');
    expect(text).toContain('HL7742019');
    expect(text).toContain('M05.79');
    expect(text).toContain('Prescriber’s signature');
    expect(text).toContain(
      'Request type (the prescriber marks one) Standard Expedited: waiting for a standard decision',
    );
    expect(text).toContain('It is not signed');
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Marisol June Tennyson, born Apr 12, 1980, MRN LV-100234');
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
  });

  test('names what a plan needs and the request has not, and invents nothing', async () => {
    const path = await send();
    const one = theCase();
    const { insurance_content: _, ...body } = one.body as Record<string, unknown>;
    scene.cases.put({ ...one, body });
    const text = (await pagesOf(`${path}/fax.pdf`)).join('\n').replaceAll(/\s+/g, ' ');
    expect(text).toContain('Insurance Member ID not in the request');
  });

  test('is the first thing to do when the service cannot take the plan', async () => {
    const outcome = { result: 'Not Submitted', detail_code: 'payer_not_supported' };
    const path = await send({
      state: 'ended',
      serviceId: 'pa_77',
      record: { id: 'pa_77', status: 'not_submitted', outcome },
    });
    const { body } = await scene.get(path);
    expect(body).toContain(`<a href="${path}/fax.pdf" class="button go" download>Form to fax to the plan<`);
    expect(body).toContain('Submit this request to the plan directly (fax, phone or portal).');
  });

  test('carries none of our own marks', async () => {
    const path = await send();
    const one = theCase();
    const { prescription, ...body } = one.body as { prescription: { extra?: object } };
    const extra = { ...prescription.extra, submission_id: 'CANARY-OWN-MARK' };
    scene.cases.put({ ...one, body: { ...body, prescription: { ...prescription, extra } } });
    expect((await pagesOf(`${path}/fax.pdf`)).join('\n')).not.toContain('CANARY-OWN-MARK');
  });

  test('prints the card that went along, and says when it cannot', async () => {
    const path = await send();
    const one = theCase();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const insurance = [{ file_content: pixel }, { file_content: 'R0lGODlhAQABAAAAACw=' }];
    scene.cases.put({ ...one, body: { ...(one.body as object), insurance } });
    const { bytes } = await file(`${path}/fax.pdf`);
    expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).not.toBeNull();
    expect((await pagesOf(`${path}/fax.pdf`)).join(' ')).toContain('cannot be printed. Attach a copy of the card.');
  });

  test('is not there before sending, of another patient, or of an enrollment', async () => {
    const path = await send();
    const one = theCase();
    scene.cases.put({ ...one, state: 'draft' });
    expect((await file(`${path}/fax.pdf`)).status).toBe(404);
    scene.cases.put({ ...one, kind: 'enrollment' });
    expect((await file(`${path}/fax.pdf`)).status).toBe(404);
    scene.cases.put({ ...one, patient: 'Patient/other' });
    for (const name of ['fax.pdf', 'request.pdf', 'sent.json'])
      expect((await file(`${path}/${name}`)).status).toBe(404);
  });
});

describe('the copy', () => {
  test('begins as a document: clinic, day, patient, drug; each diagnosis has its code and title', async () => {
    const text = (await pagesOf(`${await send()}/request.pdf`)).join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /^Valley Clinic .* Prior authorization request Date Nov 21, 2026 Patient Marisol June Tennyson/,
    );
    expect(text).toMatch(/Drug Humira \(adalimumab\) .* Patient Name Marisol Tennyson/);
    expect(text).toContain('Diagnosis 1 M05.79 Rheumatoid arthritis with rheumatoid factor of multiple sites');
    expect(text).not.toContain('Approved by');
  });

  test('names who approved it and when, where the clinic has signatures, and claims no legal signature', async () => {
    const path = await send();
    const settledBy = { name: 'Dr. Adwoa Osei-Brandt' };
    const settledAt = '2026-11-21T13:30:00.000Z';
    const signature = { state: 'signed', digest: 'd', settledBy, settledAt, isChanged: false } as const;
    scene.cases.put({ ...theCase(), signature });
    for (const name of ['request.pdf', 'fax.pdf']) {
      const text = (await pagesOf(`${path}/${name}`)).join(' ').replaceAll(/\s+/g, ' ');
      expect(text).toMatch(/Approved by Dr\. Adwoa Osei-Brandt, Nov 21, 2026, .* not a legal signature\./);
    }
  });

  test('says when and where it was sent, under which id, and its hash', async () => {
    const path = await send();
    const { headers, bytes } = await file(`${path}/request.pdf`);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="request-pa_77.pdf"',
    });
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const text = (await pagesOf(`${path}/request.pdf`)).join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/Sent Nov 21, 2026, .* to the service/);
    expect(text).not.toContain('Prescriber ID');
    expect(text).toMatch(/For IT support: prescriber prac-osei; SHA-256 of what was sent /);
    const hash = createHash('sha256')
      .update((await file(`${path}/sent.json`)).bytes)
      .digest('hex');
    expect(text.replaceAll(' ', '')).toContain(hash);
    expect((await scene.get(path)).body).toContain(`<code>${hash}</code>`);
  });

  test('as JSON is what the service got, byte for byte', async () => {
    const path = await send();
    const one = theCase();
    const wire = { text: '' };
    const client = createServiceClient({
      url: 'http://127.0.0.1:8082',
      token: () => 'token',
      clock: () => now,
      log: scene.log,
      fetch: async (_, { body } = {}) => {
        wire.text = String(body);
        return Response.json({ status: 'success', data: { id: 'pa_77' } });
      },
    });
    await client.createPriorAuthorization(one.body as CreatePriorAuthRequest);
    expect(wire.text).toContain('"prescription"');
    expect((await file(`${path}/sent.json`)).bytes.toString()).toBe(wire.text);
  });
});

test('what a supporting document says is printed as lines, without the addresses of records', () => {
  expect(
    contentLines({
      source: 'Condition/ra',
      drug: 'methotrexate',
      codes: [
        { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79' },
        { system: 'http://snomed.info/sct', code: '69896004', display: 'Rheumatoid arthritis' },
      ],
      reactions: ['Rash', 'Nausea'],
      started: '2026-04-01',
      text: 'Not enough.\nTen joints.',
    }),
  ).toEqual([
    'Drug: methotrexate',
    'Codes:',
    '  ICD-10-CM M05.79',
    '  Rheumatoid arthritis (SNOMED CT 69896004)',
    'Reactions: Rash, Nausea',
    'Started: Apr 1, 2026',
    'Text:',
    '  Not enough.',
    '  Ten joints.',
  ]);
});

describe('the notices of a decision', () => {
  const decided = (outcome: object, prescription: object = {}): Partial<AnyCase> => ({
    state: 'ended',
    serviceId: 'pa_77',
    endedAt: '2026-11-21T15:00:00.000Z',
    record: { id: 'pa_77', status: 'completed', outcome, prescription } as NonNullable<AnyCase['record']>,
  });
  const textOf = async (path: string) => (await pagesOf(path)).join('\n').replaceAll(/\s+/g, ' ');

  test('tell pharmacy and patient of an approval in plain words, and of what the letter has otherwise', async () => {
    const outcome = { result: 'Approved', detail_code: 'approval', authorization_expiration: '2027-11-20' };
    const path = await send(decided(outcome, { quantity: 0.5 }));
    const { body } = await scene.get(path);
    expect(body).toMatch(
      /class="headline tone-act"[\s\S]{0,500}<h2 id="standing">Approved through Nov 20, 2027, not as ordered</,
    );
    expect(body).toContain('approved something else than was ordered. Tell the prescriber and the pharmacy.');
    expect(body).not.toContain('tone-good"><h2');
    expect(body).toContain('Quantity 0.5 (ordered 1)');
    expect(await textOf(`${path}/pharmacy-notice.pdf`)).toContain(
      'The record of the request is not as ordered: quantity 0.5 (ordered 1). Check with the plan before you fill it.',
    );
    expect(await textOf(`${path}/patient-notice.pdf`)).toMatch(
      /The plan may have approved something else .* ordered: quantity 0\.5 \(ordered 1\)\. Ask the clinic\./,
    );
    const terms = { quantity: '0.5', days: '', strength: '' };
    await scene.cases.noteApproved(theCase().id, { terms, by: { name: 'Riley Okafor, MA' } });
    const pharmacy = await textOf(`${path}/pharmacy-notice.pdf`);
    expect(pharmacy).toContain('Harborlight Health Plan approved the prior authorization for Humira (adalimumab)');
    expect(pharmacy).toContain('Approved, but not as ordered: quantity 0.5 (ordered 1).');
    expect(pharmacy).toContain('Nov 20, 2027');
    expect(pharmacy).toContain('pa_77');
    const patient = await textOf(`${path}/patient-notice.pdf`);
    expect(patient).toContain('Harborlight Health Plan approved your medicine: Humira (adalimumab)');
    expect(patient).toContain('something else than your prescriber ordered: quantity 0.5 (ordered 1).');
    expect(patient).not.toContain('pa_77');
    for (const text of [pharmacy, patient]) expect(text).toContain('says something else, the letter is right.');
  });

  test('say of a denial its reason and, of an appeal, only what the letter says', async () => {
    const detail_code = 'step_therapy_criteria_not_met';
    const outcome = { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code };
    const path = await send(decided(outcome));
    const before = await textOf(`${path}/patient-notice.pdf`);
    expect(before).toContain('Harborlight Health Plan did not approve your medicine');
    expect(before).toContain('The plan wants other medicines to be tried first.');
    expect(before).toContain('The reason in the plan’s own words: “Step Therapy Criteria Not Met”');
    expect(before).toContain('Ask the clinic what comes next.');
    expect(before).not.toContain('appeal');
    const advised = { ...theCase(), ...decided(outcome) } as AnyCase;
    Object.assign(advised.record!, { denial_reason_analysis: { next_steps: 'appeal' } });
    scene.cases.put(advised);
    expect(await textOf(`${path}/patient-notice.pdf`)).toContain('(an appeal). Its letter says until when.');
    await scene.cases.noteAppealDeadline(theCase().id, { on: '2027-01-31', by: { name: 'Riley Okafor, MA' } });
    expect(await textOf(`${path}/patient-notice.pdf`)).toContain('(an appeal) until Jan 31, 2027.');
  });

  test('do not exist before the decision, nor for what is neither an approval nor a denial', async () => {
    const path = await send();
    expect((await file(`${path}/patient-notice.pdf`)).status).toBe(404);
    expect((await scene.get(path)).body).not.toContain('Notice for the');
    scene.cases.put({ ...theCase(), ...decided({ result: 'Other', detail: 'x' }) } as AnyCase);
    expect((await file(`${path}/pharmacy-notice.pdf`)).status).toBe(404);
  });
});

test('what the letter approves otherwise is entered on the page of an approval, numbers only', async () => {
  const path = await send({
    ...{ state: 'ended', serviceId: 'pa_77', endedAt: '2026-11-21T15:00:00.000Z' },
    record: {
      ...{ id: 'pa_77', status: 'completed' },
      outcome: { result: 'Approved', detail_code: 'approval' },
    } as NonNullable<AnyCase['record']>,
  });
  const { body } = await scene.get(path);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
  const wrong = await scene.post(path, { token, action: 'approved', quantity: 'ten', days: '', strength: '' });
  expect(wrong.status).toBe(400);
  await scene.post(path, { token, action: 'approved', quantity: '', days: '14', strength: '' });
  const after = (await scene.get(path)).body;
  expect(after).toContain('Days of supply 14 (ordered 28)');
  expect(after).toContain('Entered from the payer’s letter.');
  const same = { token, action: 'approved', quantity: '', days: '', strength: '' };
  const turned = await scene.post(path, { ...same, from: '2027-05-31', until: '2026-12-01' });
  expect(turned.body).toContain('The approval ends before it starts.');
  await scene.post(path, { ...same, from: '2026-12-01', until: '2027-05-31', number: 'A-17' });
  const dated = (await scene.get(path)).body;
  expect(dated).toContain('Approved through May 31, 2027');
  expect(dated).toContain('The renewal can be sent from May 1, 2027 until May 31, 2027.');
  expect(dated).toContain('Authorization number: <strong>A-17</strong>');
  const notice = (await pagesOf(`${path}/pharmacy-notice.pdf`)).join('\n').replaceAll(/\s+/g, ' ');
  expect(notice).toContain('Approved from Dec 1, 2026 Approved through May 31, 2027 Authorization number A-17');
});

test('the deadline of an appeal is counted from the days that the letter gives', async () => {
  const outcome = { result: 'Denied', detail_code: 'unknown' };
  const path = await send({
    ...{ state: 'ended', serviceId: 'pa_77', endedAt: '2026-11-21T15:00:00.000Z' },
    record: { id: 'pa_77', status: 'completed', outcome } as NonNullable<AnyCase['record']>,
  });
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await scene.get(path)).body) ?? [];
  const form = { token, action: 'appeal', on: '', from: '2026-11-21' };
  expect((await scene.post(path, { ...form, days: 'many' })).status).toBe(400);
  await scene.post(path, { ...form, days: '180' });
  expect((await scene.get(path)).body).toContain('May 20, 2027');
});

test('review, effort and what was sent count the same values', async () => {
  const valuesIn = (html: string) => /(\d+) values/.exec(html)?.[1];
  const review = (await scene.get(`${scene.home}/orders/${scene.order}`)).body;
  const inReview = valuesIn(review.slice(review.indexOf('id="all-title"')));
  const { body } = await scene.get(await send());
  const inCase = valuesIn(body.slice(body.indexOf('What was sent')));
  expect(inReview).toBeDefined();
  expect(inCase).toBe(inReview);
});

test('each reason of a denial has plain words for the patient, but for the one that is none', () => {
  const codes = Object.keys(outcomeTable.Denied?.codes ?? {}).filter((code) => code !== 'unknown');
  expect(Object.keys(noticeWords.plainReasons).toSorted()).toEqual(codes.toSorted());
});
