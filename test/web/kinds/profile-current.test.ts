import { afterEach, describe, expect, test } from 'vitest';
import { pdfOf } from '../../ehr/documents/support.ts';
import { formOf, now, openScene, type Scene, upload } from '../support.ts';

let scene: Scene;
let site: object;
afterEach(async () => {
  await scene?.app.close();
});

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()].at(-1)!;
const pageOf = async () => (await scene.get(review())).body;
const speaks = (priorAuth: string) =>
  Object.assign(site, { mappings: { 'prior-auth': priorAuth, enrollment: 'enrollment', answers: 'answers' } });

async function open(priorAuth = 'prior-auth-current') {
  scene = await openScene('story-complete', (deps) => {
    site = deps.config.sites[0]!;
    return { ...deps, clock: () => now };
  });
  speaks(priorAuth);
}

const attach = (what: string, file: Buffer, title = 'Visit in October') =>
  upload(scene, `${review()}/attach/${what}`, { file, fields: { title, date: '2026-10-05' } });

async function save(fields: Record<string, string>) {
  return scene.post(review(), { ...formOf(await pageOf()), ...fields, action: 'save' });
}

async function send() {
  const { body } = await scene.get(`${review()}/confirm`);
  await scene.post(`${review()}/confirm`, formOf(body));
  return { confirm: body, body: scene.cases.sent.at(-1)?.body as Record<string, unknown> | undefined };
}

describe('a PDF from the disk', () => {
  test('goes as it is, all its pages, with its title and day', async () => {
    await open();
    const pdf = await pdfOf(['Joint count 12.']);
    expect((await scene.get(`${review()}/attach/document`)).body).toContain('A PDF goes as it is, all its pages.');
    await attach('document', Buffer.from(pdf, 'base64'));
    expect(await pageOf()).toContain('Visit in October');
    const { body } = await send();
    expect(body?.evidence).toEqual([
      { title: 'Visit in October', date_created: '2026-10-05T00:00:00.000000', asset: { file_content: pdf } },
    ]);
  });

  test('may be a scan without text, and opens from its page', async () => {
    await open();
    const scan = await pdfOf(['']);
    expect((await attach('document', Buffer.from(scan, 'base64'))).statusCode).toBe(303);
    const [file] = theCase().attached ?? [];
    const opened = await scene.get(`${review()}/attached/${file?.id}/file`);
    expect(opened.headers['content-type']).toBe('application/pdf');
  });

  test('stops the request once the site speaks the other profile, until it is taken away', async () => {
    await open();
    await attach('document', Buffer.from(await pdfOf(['Joint count 12.']), 'base64'));
    speaks('prior-auth');
    await save({});
    expect(await pageOf()).toContain('“Visit in October” is a PDF, and the service of this site takes texts only.');
    expect((await send()).body).toBeUndefined();
  });
});

test('what another profile has no place for is named in words, not by its path', async () => {
  await open();
  await save({});
  speaks('prior-auth');
  expect(await pageOf()).toMatch(/Patient: Medical record number<\/a>: <q>[^<]+<\/q> became nothing/);
});

test.each([
  ['without an NDC', ''],
  ['with one of ten digits and no dashes', '0007405540'],
])('a coded prescription %s is asked at its field, and nothing is sent before', async (_, ndc) => {
  await open('prior-auth-coded');
  const reply = await scene.post(review(), { ...formOf(await pageOf()), 'f.prescription.ndc': ndc, action: 'check' });
  expect(reply.headers.location).toBe(`${review()}?notice=incomplete#field-prescription-ndc`);
  expect(scene.cases.sent).toEqual([]);
});

describe('an appeal', () => {
  test('has a letter as PDF, and says whether it is urgent', async () => {
    await open();
    const letter = await pdfOf(['We appeal.']);
    await attach('appeal', Buffer.from(letter, 'base64'), 'Appeal of October');
    await save({ 'f.appeal_details.is_urgent': 'true' });
    const { body, confirm } = await send();
    expect(confirm).toContain('Appeal of October');
    expect(body?.appeal_details).toEqual({
      appeal_letter: {
        title: 'Appeal of October',
        date_created: '2026-10-05T00:00:00.000000',
        asset: { file_content: letter },
      },
      is_urgent: true,
    });
  });

  test('has no other file than a PDF', async () => {
    await open();
    const refused = await attach('appeal', Buffer.from('We appeal.'));
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('An appeal letter must be a PDF.');
  });

  test('without a letter does not go', async () => {
    await open();
    await save({ 'f.appeal_details.is_urgent': 'true' });
    expect((await send()).body).toBeUndefined();
  });

  test('is not offered in the profile of the interface document', async () => {
    await open('prior-auth');
    expect(await pageOf()).not.toContain('attach/appeal');
    expect((await scene.get(`${review()}/attach/appeal`)).status).toBe(404);
  });
});

test('a request that follows an earlier one names it with what is new', async () => {
  await open();
  await save({
    'f.resubmission_info.previous_prior_auth_request_id': 'pa_17',
    'f.resubmission_info.note': 'New joint count',
  });
  expect((await send()).body?.resubmission_info).toEqual({
    previous_prior_auth_request_id: 'pa_17',
    note: 'New joint count',
  });
});

test('each field of the last page leads to a field that the review has', async () => {
  await open();
  const page = await pageOf();
  const { confirm } = await send();
  const anchors = [...confirm.matchAll(/href="[^"]*#((?:field|section)-[^"]+)"/g)].map(([, id]) => id);
  expect(anchors.length).toBeGreaterThan(4);
  expect(anchors.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
});
