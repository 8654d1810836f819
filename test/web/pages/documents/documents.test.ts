import type { DocumentReference, Resource } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../src/store/types.ts';
import { imageOf, pdfOf } from '../../../ehr/documents/support.ts';
import { formOf, now, openScene, type Scene, type Uploaded, upload } from '../../support.ts';

let scene: Scene;
const audited: AuditEntry[] = [];
let minutes = 0;
afterEach(async () => {
  audited.length = 0;
  minutes = 0;
  await scene?.app.close();
});

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()].at(-1)!;
const patientId = () => scene.resources.find(({ resourceType }) => resourceType === 'Patient')?.id ?? '';

async function open(...documents: (() => Resource)[]) {
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    clock: () => new Date(now.getTime() + minutes * 60_000),
    audit: { record: async (entry) => void audited.push(entry) },
  }));
  scene.resources = [...scene.resources, ...documents.map((one) => one())];
}

const note =
  (id: string, contentType: string, data: string, more: Partial<DocumentReference> = {}) =>
  (): DocumentReference => ({
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    type: { text: 'Progress note' },
    subject: { reference: `Patient/${patientId()}` },
    date: '2026-11-01T10:00:00Z',
    content: [{ attachment: { contentType, data } }],
    ...more,
  });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const previewAt = (reference: string) => `${review()}/documents/${encodeURIComponent(reference)}`;

interface Posted extends Uploaded {
  readonly what?: 'document' | 'card';
}

function attach({ what = 'document', fields = {}, ...posted }: Posted) {
  const named = { title: 'Office note', date: '2026-10-05', ...fields };
  return upload(scene, `${review()}/attach/${what}`, { ...posted, fields: named });
}

async function send() {
  const { body } = await scene.get(`${review()}/confirm`);
  await scene.post(`${review()}/confirm`, formOf(body));
  return scene.cases.sent.at(-1)?.body as {
    evidence?: { title: string; date_created: string; content: Record<string, unknown> }[];
    insurance?: { file_content: string }[];
  };
}

describe('a preview', () => {
  test('says why a document is suggested, in the words of the list, not that a person has ticked it', async () => {
    await open();
    const list = (await scene.get(review())).body;
    const [, reference = ''] = /name="evidence" value="([^"]+)"/.exec(list) ?? [];
    const [, why = ''] = /<span class="reason">(Suggested: [^<]*?\.) /.exec(list) ?? [];
    expect(why).not.toBe('');
    const { body } = await scene.get(previewAt(reference));
    expect(body).toContain(`<p class="hint">${why} From the `);
    expect(body).not.toContain('icked by a person');
  });

  test('shows the whole text of a note before it is ticked, and ticks nothing', async () => {
    const long = `Methotrexate failed. ${'The joints are swollen. '.repeat(40)}Signed by the doctor.`;
    await open(note('n1', 'text/plain', base64(long)));
    const { body, status } = await scene.get(previewAt('DocumentReference/n1'));
    expect(status).toBe(200);
    expect(body).toContain('What will be sent');
    expect(body).toContain('Signed by the doctor.');
    expect(body).not.toContain('It is attached');
    expect(theCase().answers.evidence).toBeUndefined();
    expect((await scene.get(review())).body).toContain(`href="${previewAt('DocumentReference/n1')}"`);
  });

  test('attaches and takes away by its button', async () => {
    await open(note('n1', 'text/plain', base64('Methotrexate failed.')));
    const at = previewAt('DocumentReference/n1');
    const press = async (tick: string) => {
      const { body } = await scene.get(at);
      const { token = [], patient = [] } = formOf(body);
      return scene.post(at, { token, patient, tick });
    };
    expect((await press('yes')).headers.location).toBe(`${review()}#section-evidence`);
    expect(theCase().answers.evidence).toEqual(['DocumentReference/n1']);
    expect((await scene.get(at)).body).toContain('It is attached to this request.');
    await press('no');
    expect(theCase().answers.evidence).toEqual([]);
  });

  test('of what is sensitive says so', async () => {
    const label = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' };
    await open(note('n1', 'text/plain', base64('A visit.'), { meta: { security: [label] } }));
    expect((await scene.get(previewAt('DocumentReference/n1'))).body).toContain('Marked as sensitive (');
  });

  describe('[K8] a note that was not read', () => {
    const elsewhere = () => ({
      ...note('n1', 'text/plain', '')(),
      content: [{ attachment: { contentType: 'text/plain', url: 'https://files.example/n1' } }],
    });
    const newer = (id: string) => note(id, 'text/plain', base64('A visit.'), { date: '2026-11-10T10:00:00Z' });
    const list = async () => (await scene.get(review())).body.replace(/\s+/g, ' ');
    const tick = async () => {
      const at = previewAt('DocumentReference/n1');
      const { token = [], patient = [] } = formOf((await scene.get(at)).body);
      return scene.post(at, { token, patient, tick: 'yes' });
    };

    test('is listed with the reason, and not ticked', async () => {
      await open(elsewhere);
      const body = await list();
      expect(body).toContain('Not read. If you check it, it is read before it is sent.');
      expect(body).not.toMatch(/value="DocumentReference\/n1" checked/);
    });

    test('says so when it cannot be read after it was ticked', async () => {
      await open(elsewhere);
      const { body } = await scene.get(previewAt('DocumentReference/n1'));
      expect(body).toContain('its text is not in what was read');
    });

    test('is read, and judged, when it is ticked', async () => {
      const old = note('n1', 'text/plain', base64('Continues Biktarvy.'), { date: '2024-01-01T10:00:00Z' });
      await open(old, ...['n2', 'n3', 'n4', 'n5', 'n6'].map(newer));
      expect(await list()).toContain('Not read. If you check it');
      await tick();
      expect(await list()).toContain('Sensitive (HIV). Attached because you checked it.');
    });

    test('a long one says that it was not read in full', async () => {
      const text = 'Morning stiffness of two hours. '.repeat(1000);
      await open(note('n1', 'text/plain', base64(text)));
      expect(await list()).toContain('Too long to be read in full. Look through it before you check it.');
    });
  });

  test('shows a picture and a PDF as they are, by their content, and lets nothing in them run', async () => {
    const png = await imageOf('image/png', 30, 20);
    await open(
      note('pdf', 'text/html', await pdfOf(['Joint count 12'])),
      note('html', 'image/png', base64('<html><script>alert(1)</script>Joint count</html>')),
      note('png', 'text/html', png, { content: [{ attachment: { contentType: 'image/png', data: png } }] }),
    );
    const file = (id: string) => scene.get(`${previewAt(`DocumentReference/${id}`)}/files/0`);
    const picture = await file('png');
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none';sandbox",
      'cache-control': 'no-store',
    });
    const pdf = await file('pdf');
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="document.pdf"',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    });
    expect((await file('html')).status).toBe(404);
    expect(audited.filter(({ action }) => action === 'document_viewed')).toHaveLength(2);
    expect(audited.some(({ action }) => action === 'letter_downloaded')).toBe(false);
  });

  test('shows nothing of another patient, of no document, or to another browser', async () => {
    await open(
      note('theirs', 'text/plain', base64('CANARY-OTHER'), { subject: { reference: 'Patient/somebody-else' } }),
      note('mine', 'text/plain', base64('Mine')),
    );
    for (const address of [
      previewAt('DocumentReference/theirs'),
      `${previewAt('DocumentReference/theirs')}/files/0`,
      previewAt(`Patient/${patientId()}`),
      `${previewAt('DocumentReference/mine')}/files/7`,
      `${previewAt('DocumentReference/mine')}/files/x`,
    ]) {
      const { status, body } = await scene.get(address);
      expect(status).toBe(404);
      expect(body).not.toContain('CANARY-OTHER');
    }
    expect((await scene.get(previewAt('DocumentReference/mine'), { cookie: '' })).status).toBe(404);
  });
});

describe('a document from the disk', () => {
  test('goes as its text with the title and the date that were entered, and says who attached it', async () => {
    await open();
    const reply = await attach({ file: Buffer.from(await pdfOf(['Joint count 12.']), 'base64') });
    expect(reply.headers.location).toBe(`${review()}#section-evidence`);
    expect((await scene.get(review())).body).toMatch(/Office note, Oct 5, 2026.*Attached by Riley Okafor, MA/s);
    const { evidence = [] } = await send();
    expect(evidence.at(-1)).toEqual({
      title: 'Office note',
      date_created: '2026-10-05T00:00:00.000000',
      content: { kind: 'Document attached by the practice', text: 'Joint count 12.' },
    });
    const provenance = scene.cases.sent[0]?.provenance.filter(({ target }) => target.startsWith('evidence['));
    expect(provenance?.length).toBeGreaterThan(0);
    expect(new Set(provenance?.map(({ kind }) => kind))).toEqual(new Set(['entered']));
    expect(audited.map(({ action }) => action)).toContain('file_attached');
  });

  test('stands behind what was ticked, and its text is read on a page of its own, where it is removed', async () => {
    await open(note('n1', 'text/plain', base64('Methotrexate failed.')));
    const { body } = await scene.get(review());
    await scene.post(review(), { ...formOf(body, 'review'), evidence: ['DocumentReference/n1'], action: 'save' });
    await attach({ file: Buffer.from('Joint count 12.'), fields: { title: 'First' } });
    await attach({ file: Buffer.from('<b>Not bold</b> 5 < 6'), fields: { title: 'Second' } });
    const [first, second] = theCase().attached ?? [];
    const page = await scene.get(`${review()}/attached/${second?.id}`);
    // Tags that only lay a text out are no part of it; whatever is left is escaped.
    expect(page.body).toContain('Not bold 5 &lt; 6');
    expect(page.body).not.toContain('<b>Not bold');
    const { token = [], patient = [] } = formOf((await scene.get(`${review()}/attached/${first?.id}`)).body);
    await scene.post(`${review()}/attached/${first?.id}`, { token, patient, remove: 'yes' });
    expect(theCase().attached?.map(({ title }) => title)).toEqual(['Second']);
    expect((await scene.get(`${review()}/attached/${first?.id}`)).status).toBe(404);
    const { evidence = [] } = await send();
    expect(evidence.map(({ title }) => title)).toEqual([expect.stringContaining('Progress note'), 'Second']);
  });

  test.each([
    ['a picture', async () => Buffer.from(await imageOf('image/png', 20, 20), 'base64'), {}, 'This file is a picture'],
    ['a scan', async () => Buffer.from(await pdfOf(['']), 'base64'), {}, 'This PDF is a scan without text.'],
    ['no file', async () => undefined, {}, 'Choose a file.'],
    ['no title', async () => Buffer.from('text'), { title: ' ' }, 'Say what the document is.'],
    ['no date', async () => Buffer.from('text'), { date: 'May' }, 'Enter the date of the document.'],
    ['a date of 2030', async () => Buffer.from('text'), { date: '2030-01-01' }, 'is in the future'],
    ['a date before birth', async () => Buffer.from('text'), { date: '1900-01-01' }, 'before the patient’s birth'],
  ])('is refused with what to do, and what was typed stays: %s', async (_, file, fields, sentence) => {
    await open();
    const bytes = await file();
    const reply = await attach({ ...(bytes === undefined ? {} : { file: bytes }), fields });
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain(sentence);
    expect(formOf(reply.body, 'attach').title).toEqual([(fields as { title?: string }).title ?? 'Office note']);
    expect(theCase().attached ?? []).toEqual([]);
  });

  test('that is too large is refused by its size, and one more than ten by their number', async () => {
    await open();
    const large = await attach({ file: Buffer.alloc(15_200_000, 'a') });
    expect(large.statusCode).toBe(413);
    expect(large.body).toContain('larger than 15 MB');
    for (let number = 0; number < 10; number += 1) await attach({ file: Buffer.from(`text ${number}`) });
    const more = await attach({ file: Buffer.from('one more') });
    expect(more.body).toContain('A request can have 10 attached files.');
    expect(theCase().attached).toHaveLength(10);
  });

  test('is not taken from a foreign form, another patient’s page or a browser that has not launched', async () => {
    await open();
    const file = Buffer.from('text');
    expect((await attach({ file, fields: { token: 'x' } })).statusCode).toBe(403);
    expect((await attach({ file, fields: { patient: 'x' } })).statusCode).toBe(409);
    expect((await attach({ file, headers: { cookie: '' } })).statusCode).toBe(404);
    expect((await attach({ file, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode).toBe(403);
    expect(theCase().attached ?? []).toEqual([]);
  });

  test('leaves neither its name nor its content in the log', async () => {
    await open();
    await attach({ file: Buffer.from('CANARY-TEXT'), name: 'CANARY-NAME.txt', fields: { title: 'CANARY-TITLE' } });
    await attach({ file: Buffer.from('%PDF-CANARY-BROKEN'), name: 'CANARY-NAME.pdf' });
    expect(scene.log.lines.join('\n')).not.toContain('CANARY');
    expect(JSON.stringify(audited)).not.toContain('CANARY');
  });
});

describe('a photo of the card', () => {
  const photo = async () => Buffer.from(await imageOf('image/jpeg', 80, 50), 'base64');

  test('goes as a picture, written anew, in place of the chart’s', async () => {
    scene = await openScene('story-card-image');
    const before = await scene.get(review());
    expect(before.body).toMatch(/<img src="[^"]*\/card\/0\?v=/);
    const reply = await attach({ what: 'card', file: await photo() });
    expect(reply.headers.location).toBe(`${review()}#section-insurance`);
    const [attached] = theCase().attached ?? [];
    const image = await scene.get(`${review()}/attached/${attached?.id}/file`);
    expect(image.headers['content-type']).toBe('image/jpeg');
    const { insurance = [] } = await send();
    expect(insurance).toHaveLength(1);
    expect(insurance[0]?.file_content.startsWith('/9j/')).toBe(true);
  });

  test('goes with its own plan only', async () => {
    scene = await openScene('story-two-coverages');
    await attach({ what: 'card', file: await photo() });
    const { body } = await scene.get(review());
    const [chosen = ''] = formOf(body, 'review').coverage ?? [];
    const other = [...body.matchAll(/name="coverage" value="([^"]+)"/g)].map(([, value]) => value!);
    expect(theCase().attached?.[0]?.coverage).toBe(chosen);
    const coverage = other.find((value) => value !== chosen) ?? '';
    await scene.post(review(), { ...formOf(body, 'review'), coverage, action: 'save' });
    const after = await scene.get(review());
    expect(after.body).toContain('Not sent: it was attached for another coverage.');
    expect(after.body).not.toContain('data:image/jpeg');
  });

  test.each([
    ['a phone’s HEIC', Buffer.from('00000018667479706865696330303030', 'hex'), 'This photo is in the HEIC format'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'the card is sent as a picture'],
    ['text', Buffer.from('Member ID 12'), 'This is not a photo.'],
  ])('is refused with what to do: %s', async (_, file, sentence) => {
    await open();
    const reply = await attach({ what: 'card', file });
    expect(reply.statusCode).toBe(422);
    expect(reply.body).toContain(sentence);
  });
});

test('an enrollment takes no document or card and offers no clinical previews', async () => {
  await open(note('n1', 'text/plain', base64('Methotrexate failed.')));
  await attach({ file: Buffer.from('Joint count 12.') });
  const { body } = await scene.get(`${review()}/enrollment`);
  expect(body).not.toMatch(/\/attach\/(?!consent)|\/documents\/|Joint count/);
});

describe('the next request for the same drug', () => {
  const failed = note('failed', 'text/plain', base64('Methotrexate failed.'));
  const other = note('other', 'text/plain', base64('A later visit.'), { date: '2026-11-02T10:00:00Z' });

  /** Sends one request with these ticks, and opens the next one. */
  async function again(ticked: readonly string[], change: (resources: Resource[]) => Resource[] = (all) => all) {
    const { body } = await scene.get(review());
    await scene.post(review(), { ...formOf(body, 'review'), evidence: [...ticked], action: 'save' });
    const sent = await send();
    const one = theCase();
    scene.cases.put({
      ...one,
      state: 'ended',
      endedAt: '2026-11-21T16:00:00Z',
      sentAt: '2026-11-21T15:00:00Z',
      body: sent,
    });
    scene.resources = change(scene.resources);
    minutes += 10; // the chart is read anew
    const page = await scene.get(`${review()}?anew=1`);
    return page.body;
  }

  test('has what was ticked, read again from the chart, and says so', async () => {
    await open(failed, other);
    const body = await again(['DocumentReference/failed'], (all) =>
      all.map((one) =>
        one.id === 'failed' ? note('failed', 'text/plain', base64('Methotrexate failed, amended.'))() : one,
      ),
    );
    expect(theCase().answers.evidence).toEqual(['DocumentReference/failed']);
    expect(body).toContain('1 document was carried over from your request sent');
    expect(formOf(body, 'review').evidence).toEqual(['DocumentReference/failed']);
    const sent = await send();
    expect(JSON.stringify(sent.evidence)).toContain('Methotrexate failed, amended.');
    expect(sent.evidence).toHaveLength(1);
  });

  test('leaves out what is gone, what is sensitive now and files from the disk, each with a word', async () => {
    await open(failed, other);
    await attach({ file: Buffer.from('Joint count 12.'), fields: { title: 'Outside report' } });
    const label = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' };
    const body = await again(['DocumentReference/failed', 'DocumentReference/other'], (all) =>
      all
        .filter(({ id }) => id !== 'other')
        .map((one) => (one.id === 'failed' ? { ...one, meta: { security: [label] } } : one)),
    );
    expect(theCase().answers.evidence).toBeUndefined();
    expect(body).toContain('Not carried over:');
    expect(body).toContain('no longer in the chart');
    expect(body).toContain('now marked as sensitive');
    expect(body).toMatch(/Outside report: it was attached from a file/);
    expect(theCase().attached ?? []).toEqual([]);
    expect((await send()).evidence ?? []).toEqual([]);
  });

  test('is not touched again once a person has unticked what was carried', async () => {
    await open(failed);
    const body = await again(['DocumentReference/failed']);
    const { evidence: _, ...form } = formOf(body, 'review');
    await scene.post(review(), { ...form, action: 'save' });
    const after = await scene.get(review());
    expect(theCase().answers.evidence).toEqual([]);
    expect(after.body).not.toContain('carried over');
  });

  test('for another drug has nothing of it', async () => {
    await open(failed);
    const { body } = await scene.get(review());
    await scene.post(review(), { ...formOf(body, 'review'), evidence: ['DocumentReference/failed'], action: 'save' });
    const sent = await send();
    const one = theCase();
    const prescription = { drug_name: 'Another drug', extra: { rxnorm: '999999' } };
    scene.cases.put({ ...one, state: 'ended', sentAt: '2026-11-21T15:00:00Z', body: { ...sent, prescription } });
    const next = await scene.get(`${review()}?anew=1`);
    expect(next.body).not.toContain('carried over');
    expect(theCase().answers.evidence).toBeUndefined();
  });
});
