import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReplyDocument } from '../../../src/cases/rounds/reply.ts';
import type { Reply, Round } from '../../../src/cases/rounds/round.ts';
import { renderReply } from '../../../src/web/request/print/reply-pdf.ts';
import { imageOf } from '../../ehr/documents/support.ts';
import { hostilePdfs } from '../../support/hostile.ts';
import { now, openScene, type Scene } from '../support.ts';

// The packet of a reply with the files that it encloses.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
  scene.cases.put({ id, site: 'valley', patient: 'Patient/complete-patient', state: 'open', serviceId: 'pa_77' });
});
afterEach(() => scene.app.close());

const id = '11111111-2222-4333-8444-555555555555';

test('cover, question, reply and every enclosure follow one another, numbered throughout', async () => {
  const pages = await packetWith([
    letter(),
    enclosed('Visit note', await pdfOf(['Seen in May.', 'Seen in June.'])),
    enclosed('Photo of the rash', await photo()),
    enclosed('Lab report', await pdfOf(['ALT 22 U/L'])),
  ]);
  expect(pages).toHaveLength(6);
  expect(pages[0]).toMatch(
    /page 2:? *Letter.*page 3:? *Visit note.*page 5:? *Photo of the rash.*page 6:? *Lab report/s,
  );
  expect(pages[0]).toContain('Was methotrexate tried?');
  expect(pages[1]).toMatch(/Enclosure 1 of 4: Letter, Nov 20, 2026.*Failed after 16 weeks/s);
  expect(pages[2]).toMatch(/Enclosure 2 of 4: Visit note, Nov 20, 2026 \(page 1 of 2\).*Seen in May/s);
  expect(pages[3]).toMatch(/Visit note, Nov 20, 2026 \(page 2 of 2\).*Seen in June/s);
  expect(pages[4]).toMatch(/Enclosure 3 of 4: Photo of the rash/);
  expect(pages[5]).toMatch(/Enclosure 4 of 4: Lab report, Nov 20, 2026.*ALT 22 U\/L/s);
  for (const [index, page] of pages.entries()) expect(page).toMatch(new RegExp(`age ${index + 1} of 6`));
});

test('a page that lies on its side gets a page that lies on its side, and stands upright on it', async () => {
  const landscape = await pdfOf(['Wide'], { layout: 'landscape' });
  const bytes = await packet([enclosed('Chart', landscape)]);
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { width, height } = (await pdf.getPage(2)).getViewport({ scale: 1 });
  expect([width, height]).toEqual([792, 612]);
});

test.each([90, 180, 270])('a page that is turned by %d degrees is turned in the packet as well', async (turn) => {
  const file = turnedPdf(turn);
  expect(await directionIn(await packet([enclosed('Scan', file)]), 2)).toEqual(await directionIn(file, 1));
});

test('a PDF that everybody can open is printed, though only its author can change it', async () => {
  const file = await pdfOf(['Kept as it is.'], { ownerPassword: 'author', pdfVersion: '1.7' });
  expect((await packetWith([enclosed('Policy', file)]))[1]).toContain('Kept as it is.');
});

test.each([
  ['locked', () => pdfOf(['Secret'], { userPassword: 'x' }), 'the PDF is locked with a password'],
  ['damaged', async () => (await pdfOf(['Cut off'])).subarray(0, 400), 'the PDF is damaged'],
  ['of 5,000 pages', async () => pdfOfPages(5000), 'it has more than 200 pages'],
  ['whose objects unfold without end', () => bomb('objects are in a stream'), 'the file is too large'],
])('a PDF %s is named with the reason, and nothing else is lost', async (_, file, why) => {
  const pages = await packetWith([
    enclosed('Old chart', await file()),
    enclosed('Note', await pdfOf(['Hives persist.'])),
  ]);
  expect(pages).toHaveLength(2);
  expect(pages[0]?.replaceAll(/\s+/g, ' ')).toContain(
    `separately Old chart. It could not be added here: ${why}. Send it separately.`,
  );
  expect(pages[1]).toMatch(/Enclosure 2 of 2: Note.*Hives persist/s);
});

test('files that are too many pages together are printed as far as they go', async () => {
  const pages = await packetWith([
    enclosed('First', await pdfOfPages(150)),
    enclosed('Second', await pdfOfPages(60)),
    enclosed('Third', await pdfOfPages(50)),
  ]);
  expect(pages).toHaveLength(201);
  expect(pages[0]?.replaceAll(/\s+/g, ' ')).toContain('Second. It could not be added here: the packet would have');
});

test('what fields and stamps of a page show is printed with it', async () => {
  const pages = await packetWith([enclosed('Form', formWithField)]);
  expect(pages[1]).toContain('Written into a field');
});

async function packetWith(documents: readonly ReplyDocument[]): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await packet(documents))));
  return text;
}

async function packet(documents: readonly ReplyDocument[]): Promise<Uint8Array> {
  const own = { title: 'Reply', date_created: '2026-11-21T14:30:00.000000', content: { text: reply.text } };
  const { site } = scene.smart.launch;
  const one = await scene.cases.get(id);
  return await renderReply({ one, site, round, reply, content: [own, ...documents], now });
}

function letter(): ReplyDocument {
  return { title: 'Letter', date_created: '2026-11-20T00:00:00.000000', content: { text: 'Failed after 16 weeks.' } };
}

function enclosed(title: string, file: Uint8Array): ReplyDocument {
  const asset = { file_content: Buffer.from(file).toString('base64') };
  return { title, date_created: '2026-11-20T00:00:00.000000', asset };
}

async function pdfOf(texts: readonly string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'LETTER', ...options, autoFirstPage: false });
  const bytes = buffer(pdf);
  for (const text of texts) pdf.addPage().fontSize(14).text(text);
  pdf.end();
  return await bytes;
}

function turnedPdf(turn: number): Buffer {
  return pdfFrom([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate ${turn}/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>`,
    '<</Length 37>>stream\nBT /F 12 Tf 72 700 Td (Turned) Tj ET  \nendstream',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);
}

/** Where the text `Turned` runs on a page as it is shown. */
async function directionIn(bytes: Uint8Array, number: number): Promise<number[]> {
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(number);
  const { items } = await page.getTextContent();
  const [a = 0, b = 0] =
    (items.find((item) => 'str' in item && item.str === 'Turned') as { transform?: number[] } | undefined)?.transform ??
    [];
  const [va = 0, vb = 0, vc = 0, vd = 0] = page.getViewport({ scale: 1 }).transform;
  return [va * a + vc * b, vb * a + vd * b].map((part) => Math.sign(Math.round(part)) + 0);
}

/** So many empty pages that share one page tree. */
function pdfOfPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ');
  return pdfFrom([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kids}]>>`,
    ...Array.from({ length: count }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>'),
  ]);
}

const formWithField = pdfFrom([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots[4 0 R]>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/Rect[72 600 272 620]/AP<</N 5 0 R>>/P 3 0 R>>',
  `<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 6 0 R>>>>/Length 47>>stream
BT /F 12 Tf 2 5 Td (Written into a field) Tj ET
endstream`,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
]);

function pdfFrom(objects: readonly string[]): Buffer {
  const parts = ['%PDF-1.7\n'];
  const starts: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = `${index + 1} 0 obj${object}endobj\n`;
    starts.push(at);
    at += part.length;
    parts.push(part);
  }
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  parts.push(head, rows, `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`);
  return Buffer.from(parts.join(''), 'latin1');
}

async function bomb(what: string): Promise<Buffer> {
  const found = (await hostilePdfs(400)).find((file) => file.what.includes(what));
  return Buffer.from(found?.job.data ?? '', 'base64');
}

async function photo(): Promise<Buffer> {
  return Buffer.from(await imageOf('image/jpeg', 600, 400, { noise: true }), 'base64');
}

const reply: Reply = {
  key: 'key',
  state: 'printed',
  at: now.toISOString(),
  by: { name: 'Nurse Noor' },
  text: 'See the enclosed documents.',
  documents: [],
  title: 'Reply',
  date: '2026-11-21T14:30:00.000000',
  completes: false,
};
const round: Round = {
  number: 1,
  from: 'person',
  openedAt: now.toISOString(),
  openedBy: { name: 'Nurse Noor' },
  asked: [
    { id: 'person', seenAt: now.toISOString(), fields: [{ name: 'text', text: 'Was methotrexate tried?' }], files: [] },
  ],
  replies: [reply],
};
