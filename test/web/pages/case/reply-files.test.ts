import type { DocumentReference } from 'fhir/r4.js';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReplyDocument } from '../../../../src/cases/rounds/reply.ts';
import type { Round } from '../../../../src/cases/rounds/round.ts';
import { imageOf, pdfOf } from '../../../ehr/documents/support.ts';
import { formOf, now, openScene, postWithFile, type Scene, type Uploaded } from '../../support.ts';

// The files that go with a reply that is printed: those of the chart, and those of the person's own.

const id = '11111111-2222-4333-8444-555555555555';
const asks = 'Please send the last visit note.';
let scene: Scene;
let path: string;
beforeEach(async () => {
  scene = await openScene('story-complete');
  const { smart, order, home } = scene;
  path = `${home}/cases/${id}`;
  const round: Round = {
    number: 1,
    from: 'person',
    openedAt: now.toISOString(),
    openedBy: { name: 'Nurse Noor' },
    asked: [{ id: 'person', seenAt: now.toISOString(), fields: [{ name: 'text', text: asks }], files: [] }],
    replies: [],
  };
  scene.cases.put({
    id,
    site: 'valley',
    patient: `Patient/${smart.launch.patient}`,
    order: `MedicationRequest/${order}`,
    state: 'open',
    serviceId: 'pa_77',
    sentAt: '2026-11-21T13:00:00.000Z',
    rounds: [round],
  });
});
afterEach(() => scene.app.close());

test('a PDF of the chart goes as it is', async () => {
  hold(note('visit', 'application/pdf', await pdfOf(['Seen today. Hives persist.'])));
  expect((await reply({ document: 'DocumentReference/visit' })).status).toBe(303);
  const [visit] = documentsOf();
  expect(visit).toEqual({
    title: 'Note: Progress note',
    date_created: expect.stringMatching(/^2026-11-01/),
    asset: { file_content: expect.any(String) },
  });
  expect(await textIn(visit)).toContain('Hives persist');
});

test('files that are larger than a form may be are refused by their size, at the question', async () => {
  const file = Buffer.alloc(15_200_000, 'a');
  const refused = await postWithFile(scene, `${path}/replies`, { file });
  expect(refused.statusCode).toBe(413);
  expect(refused.body).toContain('The files are larger than 15 MB together, so nothing was sent.');
  expect(refused.body).toContain(asks);
  const noted = await postWithFile(scene, `${path}/questions/new`, { file });
  expect(noted.statusCode).toBe(413);
  expect(noted.body).toContain('This file is larger than 15 MB. Scan it with a lower resolution.');
});

test('a scan and a picture of the chart can be chosen, as nobody has read them', async () => {
  hold(
    note('scan', 'application/pdf', await pdfOf([''])),
    note('photo', 'image/png', await imageOf('image/png', 300, 200)),
    note('locked', 'application/pdf', await pdfOf(['x'], { userPassword: 'y' })),
  );
  const { body } = await scene.get(path);
  expect(body.match(/a scan or picture, which nobody has read/g)?.length).toBeGreaterThanOrEqual(2);
  expect((await reply({ document: ['DocumentReference/scan', 'DocumentReference/photo'] })).status).toBe(303);
  expect(
    documentsOf().map(({ title, date_created, asset }) => [title, date_created, asset?.file_content.slice(0, 4)]),
  ).toEqual(
    expect.arrayContaining([
      ['Note: Progress note', '2026-11-01T00:00:00.000000', 'JVBE'],
      ['Note: Progress note', '2026-11-01T00:00:00.000000', '/9j/'],
    ]),
  );
});

test('a file of the chart that cannot be printed is refused with words', async () => {
  hold(note('locked', 'application/pdf', await pdfOf(['x'], { userPassword: 'y' })));
  const { status, body } = await reply({ document: 'DocumentReference/locked', text: 'See the note.' });
  expect(status).toBe(422);
  expect(body).toContain('cannot be printed: it is locked, damaged or too large');
  expect(body).toContain('See the note.');
  expect(scene.cases.ofRounds).toEqual([]);
});

test('several files of the person’s own go with one reply, each under its name', async () => {
  const file = Buffer.from(await pdfOf(['Seen in May.']), 'base64');
  const more = [
    { name: 'rash.png', file: Buffer.from(await imageOf('image/png', 60, 40), 'base64') },
    { name: 'labs.txt', file: Buffer.from('ALT 22 U/L') },
  ];
  const fields = { 'file-title': 'Visit', 'file-date': '2026-11-03' };
  expect((await reply(fields, { file, name: 'note.pdf', more })).status).toBe(303);
  const [note, rash, labs] = documentsOf();
  expect([note?.title, rash?.title, labs?.title]).toEqual(['Visit: note', 'Visit: rash', 'Visit: labs']);
  expect(await textIn(note)).toContain('Seen in May.');
  expect(rash?.asset?.file_content).toMatch(/^\/9j\//);
  expect(labs?.content).toEqual({ kind: 'Document attached by the practice', text: 'ALT 22 U/L' });
});

test('more than ten files are refused with words', async () => {
  const more = Array.from({ length: 10 }, (_, index) => ({ name: `${index}.txt`, file: Buffer.from('text') }));
  const fields = { 'file-title': 'Visit', 'file-date': '2026-11-03' };
  const { status, body } = await reply(fields, { file: Buffer.from('text'), name: 'a.txt', more });
  expect(status).toBe(422);
  expect(body).toContain('A reply takes at most 10 files.');
});

function hold(...notes: DocumentReference[]): void {
  scene.resources = [...scene.resources, ...notes];
}

function note(of: string, contentType: string, data: string): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id: of,
    status: 'current',
    type: { text: 'Progress note' },
    subject: { reference: `Patient/${scene.smart.launch.patient}` },
    date: '2026-11-01T10:00:00Z',
    content: [{ attachment: { contentType, data } }],
  };
}

/** Sends the form of the reply as a browser would, with these fields in place of the page's. */
async function reply(fields: Record<string, string | string[]>, files: Uploaded = {}) {
  const { body: page } = await scene.get(path);
  const form = formOf(page.slice(page.lastIndexOf('<form', page.indexOf('class="reply"'))));
  const answer = await postWithFile(scene, `${path}/replies`, { ...files, fields: { ...form, ...fields } });
  return { status: answer.statusCode, body: answer.body };
}

function documentsOf(): readonly ReplyDocument[] {
  const [made] = scene.cases.ofRounds as readonly { readonly request?: { readonly documents?: ReplyDocument[] } }[];
  return made?.request?.documents ?? [];
}

async function textIn(document: ReplyDocument | undefined): Promise<string> {
  const bytes = Buffer.from(document?.asset?.file_content ?? '', 'base64');
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join(' ');
}
