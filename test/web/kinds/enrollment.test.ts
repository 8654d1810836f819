import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Site } from '../../../src/config/config.ts';
import { imageOf, pdfOf } from '../../ehr/documents/support.ts';
import { formOf, openScene, type Scene, upload } from '../support.ts';

// What an enrollment sends and asks for: no evidence that its program does not need, and a consent to words.

let scene: Scene;
let path: string;
beforeEach(async () => {
  scene = await openScene('story-complete');
  path = `${scene.home}/orders/${scene.order}/enrollment`;
});
afterEach(() => scene.app.close());

function withPrograms(programs: Partial<Site['enrollment']['programs'][number]>[]): void {
  const all = programs.map((program, index) => ({
    programId: `prog-${index + 1}`,
    name: `Program ${index + 1}`,
    evidence: false,
    ...program,
  }));
  const { site } = scene.smart.launch;
  scene.smart.launch = { ...scene.smart.launch, site: { ...site, enrollment: { programs: all } } };
}

async function submit(changes: Record<string, string | string[]>) {
  return scene.post(path, { ...formOf((await scene.get(path)).body, 'review'), ...changes });
}

const theCase = () => [...scene.cases.all.values()][0]!;
const consent = { 'consent.by': 'the patient', 'consent.on': '2026-11-20', 'consent.how': 'Signed form' };

describe('clinical evidence', () => {
  test('is neither offered nor sent where the program does not need it, even when it was ticked', async () => {
    withPrograms([{}]);
    const { body } = await scene.get(path);
    expect(body).not.toMatch(/name="evidence"|id="section-evidence"/);
    scene.cases.put({ ...theCase(), answers: { evidence: ['Observation/any'] } });
    await submit({ ...consent, action: 'check' });
    const form = formOf((await scene.get(`${path}/confirm`)).body);
    await scene.post(`${path}/confirm`, { ...form, action: 'send' });
    expect(scene.cases.sent).toHaveLength(1);
    expect(scene.cases.sent[0]?.body).not.toHaveProperty('evidence');
  });

  test('is offered where the program needs it, and goes when it is ticked', async () => {
    withPrograms([{ evidence: true }]);
    const { body } = await scene.get(path);
    const [first = ''] = [...body.matchAll(/<input[^>]*name="evidence"[^>]*>/g)].flatMap(
      ([tag]) => /value="([^"]+)"/.exec(tag)?.[1] ?? [],
    );
    expect(first).not.toBe('');
    await submit({ ...consent, evidence: [first], action: 'check' });
    const form = formOf((await scene.get(`${path}/confirm`)).body);
    await scene.post(`${path}/confirm`, { ...form, action: 'send' });
    expect(scene.cases.sent[0]?.body).toMatchObject({ evidence: [expect.anything()] });
  });

  test('follows the program that a person chooses', async () => {
    withPrograms([{}, { evidence: true }]);
    expect((await scene.get(path)).body).not.toContain('name="evidence"');
    await submit({ 'f.programId': 'prog-2', action: 'save' });
    expect((await scene.get(path)).body).toContain('name="evidence"');
  });
});

describe('the consent', () => {
  test('is to the words of the program, and kept with them', async () => {
    withPrograms([{ consent: 'I agree to CANARY-WORDS.' }]);
    expect((await scene.get(path)).body).toMatch(/<blockquote[^>]*>I agree to CANARY-WORDS\.<\/blockquote>/);
    await submit({ ...consent, action: 'save' });
    expect(theCase().consent).toEqual({
      by: 'the patient',
      on: '2026-11-20',
      how: 'Signed form',
      recordedBy: { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' },
      wording: 'I agree to CANARY-WORDS.',
    });
  });

  test('is to a plain sentence where the site gives no words, with clinic and program by name', async () => {
    withPrograms([{ name: 'Humira Complete' }]);
    expect((await scene.get(path)).body).toContain('I allow Valley Clinic to give Humira Complete my name,');
  });

  test('keeps its words when the site words it otherwise later', async () => {
    withPrograms([{ consent: 'First words.' }]);
    await submit({ ...consent, action: 'save' });
    withPrograms([{ consent: 'Second words.' }]);
    const { body } = await scene.get(path);
    expect(body).toContain('First words.');
    await submit({ action: 'save' });
    expect(theCase().consent?.wording).toBe('First words.');
  });

  test('to one program is none to another: it is asked anew', async () => {
    withPrograms([{ consent: 'One.' }, { consent: 'Two.' }]);
    await submit({ 'f.programId': 'prog-1', action: 'save' });
    await submit({ ...consent, action: 'save' });
    expect(theCase().consent?.wording).toBe('One.');
    await submit({ 'f.programId': 'prog-2', action: 'save' });
    expect(theCase().consent).toBeUndefined();
    const reply = await submit({ action: 'check' });
    expect(reply.headers.location).toContain('notice=incomplete');
    expect((await scene.get(path)).body).toContain('Two.');
  });

  test('that was recorded before a program was chosen gets the words that stood beside it later', async () => {
    withPrograms([{ consent: 'One.' }, { consent: 'Two.' }]);
    await submit({ ...consent, 'f.programId': 'prog-2', action: 'save' });
    expect(theCase().consent).not.toHaveProperty('wording');
    await submit({ action: 'save' });
    expect(theCase().consent?.wording).toBe('Two.');
  });

  test('a way that another version offered stays as it was recorded', async () => {
    withPrograms([{}]);
    await submit({ ...consent, 'consent.how': 'Spoken, by phone', action: 'save' });
    expect((await scene.get(path)).body).toContain('<option value="Spoken, by phone" selected>');
  });

  test('and its words are on the page of the enrollment once it is sent', async () => {
    withPrograms([{ consent: 'I agree to CANARY-WORDS.' }]);
    await submit({ ...consent, action: 'check' });
    scene.cases.outcome = { state: 'ended', consent: theCase().consent! };
    const form = formOf((await scene.get(`${path}/confirm`)).body);
    const sent = await scene.post(`${path}/confirm`, { ...form, action: 'send' });
    const { body } = await scene.get(String(sent.headers.location));
    expect(body).toContain('<q class="consent-wording">I agree to CANARY-WORDS.</q>');
  });
});

test('the patient’s name and today are a button each', async () => {
  const { body } = await scene.get(path);
  expect(body).toMatch(/name="consent\.pick-by" value="Marisol June Tennyson"[^>]*>Given by Marisol June Tennyson</);
  await submit({ 'consent.pick-by': 'Marisol June Tennyson' });
  await submit({ 'consent.pick-on': '2026-11-21', 'consent.how': 'Verbal, by phone', action: 'save' });
  expect(theCase().consent).toMatchObject({ by: 'Marisol June Tennyson', on: '2026-11-21' });
});

test('a signed form without a scan is warned of; the page of what was sent names the program', async () => {
  withPrograms([{ name: 'Humira Complete' }]);
  await submit({ ...consent, action: 'save' });
  expect((await scene.get(path)).body).toContain('No scan of the signed form is attached here.');
  await submit({ ...consent, 'consent.how': 'Verbal, by phone', action: 'check' });
  expect((await scene.get(path)).body).not.toContain('No scan of the signed form');
  scene.cases.outcome = { state: 'ended', consent: theCase().consent! };
  const form = formOf((await scene.get(`${path}/confirm`)).body);
  const page = String((await scene.post(`${path}/confirm`, { ...form, action: 'send' })).headers.location);
  expect((await scene.get(page)).body).toContain('Enrollment in Humira Complete');
});

describe('a scan of the signed consent', () => {
  const pdf = async () => Buffer.from(await pdfOf(['I agree. CANARY-SIGNATURE']), 'base64');
  const attach = (file: Buffer, name = 'scan.pdf') => upload(scene, `${path}/attach/consent`, { file, name });

  test.each([
    ['a PDF, as it is', pdf, 'application/pdf'],
    ['a picture, written anew', async () => Buffer.from(await imageOf('image/png', 80, 50), 'base64'), 'image/jpeg'],
  ])('is kept with the enrollment: %s', async (_, file, type) => {
    withPrograms([{}]);
    const bytes = await file();
    const reply = await attach(bytes);
    expect(reply.headers.location).toBe(`${path}#section-consent`);
    const [scan] = theCase().attached ?? [];
    expect(scan).toMatchObject({ kind: 'consent', by: { name: 'Riley Okafor, MA' } });
    expect((await scene.get(path)).body).toContain(`href="${path}/attached/${scan?.id}"`);
    const shown = await scene.get(`${path}/attached/${scan?.id}/file`);
    expect(shown.headers['content-type']).toBe(type);
    if (type === 'application/pdf') expect(shown.body).toBe(bytes.toString('utf8'));
  });

  test('is not sent, is named before sending, and opens from the page of the enrollment', async () => {
    withPrograms([{}]);
    await attach(await pdf());
    await submit({ ...consent, action: 'check' });
    const confirm = await scene.get(`${path}/confirm`);
    expect(confirm.body).toContain('1 scan of the signed consent is kept with it and not sent.');
    scene.cases.outcome = { state: 'ended', consent: theCase().consent!, attached: theCase().attached! };
    const sent = await scene.post(`${path}/confirm`, { ...formOf(confirm.body), action: 'send' });
    expect(JSON.stringify(scene.cases.sent[0]?.body)).not.toContain('onsent');
    const page = String(sent.headers.location);
    const [, address = ''] = /href="([^"]+\/consent\/[^"]+)"/.exec((await scene.get(page)).body) ?? [];
    const scan = await scene.get(address);
    expect(scan.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="document.pdf"',
    });
    expect((await scene.get(`${page}/consent/other`)).status).toBe(404);
  });

  test('no enrollment is held up without one', async () => {
    withPrograms([{}]);
    await submit({ ...consent, action: 'check' });
    expect((await scene.get(`${path}/confirm`)).status).toBe(200);
  });

  test('what is neither PDF nor picture is refused with what to do', async () => {
    const reply = await attach(Buffer.from('I agree.'), 'consent.txt');
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain('This is neither a PDF nor a picture.');
    expect(theCase().attached ?? []).toEqual([]);
  });

  test('belongs to an enrollment alone, as a card belongs to a prior authorization', async () => {
    const request = path.replace('/enrollment', '');
    expect((await scene.get(`${request}/attach/consent`)).status).toBe(404);
    expect((await scene.get(`${path}/attach/card`)).status).toBe(404);
  });

  test('is taken away by its page', async () => {
    await attach(await pdf());
    const at = `${path}/attached/${theCase().attached?.[0]?.id}`;
    const { token = [], patient = [] } = formOf((await scene.get(at)).body);
    await scene.post(at, { token, patient, remove: 'yes' });
    expect(theCase().attached).toEqual([]);
  });
});

test('a new request after a denied enrollment is reviewed as an enrollment', async () => {
  withPrograms([{}]);
  await submit({ ...consent, action: 'check' });
  scene.cases.outcome = {
    state: 'ended',
    endedAt: '2026-11-21T14:40:00.000Z',
    record: { id: 'en_1', status: 'completed', outcome: { result: 'Denied', detail: 'Not eligible.' } },
  };
  const sent = await scene.post(`${path}/confirm`, {
    ...formOf((await scene.get(`${path}/confirm`)).body),
    action: 'send',
  });
  const page = String(sent.headers.location);
  const { token = '' } = formOf((await scene.get(`${page}/again`)).body);
  const again = await scene.post(page, { token, action: 'again' });
  expect(again).toMatchObject({ status: 303, headers: { location: path } });
});
