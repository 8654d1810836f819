import type { Attachment, Binary, Coverage, DiagnosticReport, DocumentReference, Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import type { Readings } from '../../../src/core/fhir/documents/readings.ts';
import { isLetGo, letGo, toReadAgain } from '../../../src/ehr/documents/let-go.ts';

const base = 'https://ehr.example.org/fhir';
const pdfStart = Buffer.from('%PDF-1.7\n%').toString('base64').replace(/=+$/, '').slice(0, 12);
const jpegStart = Buffer.from('ffd8ffe0', 'hex').toString('base64').slice(0, 4);

/** Base64 of a million characters for each, each of its own letter. */
const text = (millions: number, letter: string) => letter.repeat(millions * 1_000_000);
const pdf = (millions: number, letter: string) => pdfStart + text(millions, letter).slice(12);
const jpeg = (millions: number, letter: string) => jpegStart + text(millions, letter).slice(4);

function note(id: string, date: string, attachment: Attachment): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    subject: { reference: 'Patient/p1' },
    date,
    content: [{ attachment }],
  };
}
const card = (id: string, attachment: Attachment): DocumentReference => ({
  ...note(id, '2026-11-01', attachment),
  type: { coding: [{ system: 'http://loinc.org', code: '64290-0' }] },
});

const keyOf = (id: string) => `DocumentReference/${id} content[0].attachment`;
const texts = (...ids: readonly string[]): Readings => ({
  texts: Object.fromEntries(ids.map((id) => [keyOf(id), { text: 'Seen today.' }])),
  images: {},
});

function left(resources: readonly Resource[], readings: Readings, ticked: readonly string[] = []): Resource[] {
  const entries = resources.map((resource) => ({
    resource,
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
  }));
  return letGo(entries, readings, { ticked, base }).map(({ resource }) => resource);
}

const attachmentIn = (resource: Resource | undefined) => (resource as DocumentReference).content[0]?.attachment;

test('a chart with few bytes stays as it is [E8]', () => {
  const entries = [{ resource: note('n1', '2026-11-01', { contentType: 'text/plain', data: text(4, 'A') }) }];
  expect(letGo(entries, texts('n1'), { base })).toBe(entries);
});

test('a text that was read is let go, with the address and the size of what it was made of', () => {
  const data = text(5, 'A');
  const [read, own] = left(
    [
      note('n1', '2026-11-01', { contentType: 'text/plain', title: 'Visit', data }),
      note('n2', '2026-11-02', { contentType: 'text/plain', data: text(1, 'B') }),
    ],
    texts('n1'),
  );
  expect(attachmentIn(read)).toEqual({
    contentType: 'text/plain',
    title: 'Visit',
    url: `${base}/DocumentReference/n1`,
    size: 3_750_000,
  });
  // nobody has read it
  expect(attachmentIn(own)?.data).toHaveLength(1_000_000);
  expect([read, own].map((one) => one !== undefined && isLetGo(one, base))).toEqual([true, false]);
});

test('of notes that nobody ticked the newest are kept, up to what a small chart has', () => {
  const found = left(
    [
      note('old', '2026-09-01', { contentType: 'application/pdf', data: pdf(1, 'A') }),
      note('older', '2026-08-01', { contentType: 'application/pdf', data: pdf(1, 'D') }),
      note('new', '2026-11-01', { contentType: 'application/pdf', data: pdf(2, 'B') }),
      note('newer', '2026-11-02', { contentType: 'application/pdf', data: pdf(1, 'C') }),
    ],
    texts('old', 'older', 'new', 'newer'),
  );
  // 1 + 2 + 1 of 4 millions
  expect(found.filter((one) => isLetGo(one, base)).map(({ id }) => id)).toEqual(['older']);
});

test('ticked notes come first, up to a note of the largest size', () => {
  const notes = [
    note('old', '2026-09-01', { contentType: 'application/pdf', data: pdf(12, 'A') }),
    note('new', '2026-11-01', { contentType: 'application/pdf', data: pdf(4, 'B') }),
  ];
  const gone = (ticked: readonly string[]) =>
    left(notes, texts('old', 'new'), ticked)
      .filter((one) => isLetGo(one, base))
      .map(({ id }) => id);
  expect(gone([])).toEqual(['old']);
  // 12 of 14 millions
  expect(gone(['DocumentReference/old'])).toEqual(['new']);
});

test('of a card what was written anew is enough; one that is sent as it stands is kept', () => {
  const found = left(
    [
      card('anew', { contentType: 'image/jpeg', data: jpeg(3, 'A') }),
      card('small', { contentType: 'image/jpeg', data: jpeg(1, 'B') }),
      card('bad', { contentType: 'image/jpeg', data: jpeg(1, 'C') }),
    ],
    {
      texts: {},
      images: {
        [keyOf('anew')]: { contentType: 'image/jpeg', data: 'AAAA', note: 'scaled down' },
        [keyOf('small')]: { contentType: 'image/jpeg' },
        [keyOf('bad')]: { unreadable: 'the image is damaged' },
      },
    },
  );
  expect(found.map((one) => attachmentIn(one)?.data?.length)).toEqual([undefined, 1_000_000, undefined]);
});

test('a Binary and an image inside a Coverage lose their bytes, other elements stay', () => {
  const supporting = 'http://hl7.org/fhir/us/insurance-card/StructureDefinition/C4DIC-SupportingImage-extension';
  const binary: Binary = { resourceType: 'Binary', id: 'b1', contentType: 'image/jpeg', data: jpeg(3, 'A') };
  const image = { url: 'image', valueAttachment: { contentType: 'image/jpeg', data: jpeg(3, 'B') } };
  const coverage: Coverage = {
    resourceType: 'Coverage',
    id: 'c1',
    status: 'active',
    beneficiary: { reference: 'Patient/p1' },
    payor: [{ display: 'Valley Health' }],
    extension: [{ url: supporting, extension: [{ url: 'label', valueString: 'Front' }, image] }],
  };
  const pointing = card('d1', { contentType: 'image/jpeg', url: `${base}/Binary/b1` });
  const anew = { contentType: 'image/jpeg', data: 'AAAA' } as const;
  const found = left([binary, coverage, pointing], {
    texts: {},
    images: {
      'Binary/b1': anew,
      'Coverage/c1 extension[0].extension[1].valueAttachment': anew,
    },
  });
  expect(found).toEqual([
    { resourceType: 'Binary', id: 'b1', contentType: 'image/jpeg' },
    {
      ...coverage,
      extension: [
        {
          url: supporting,
          extension: [
            { url: 'label', valueString: 'Front' },
            {
              url: 'image',
              valueAttachment: { contentType: 'image/jpeg', url: `${base}/Coverage/c1`, size: 2_250_000 },
            },
          ],
        },
      ],
    },
    pointing,
  ]);
});

test('the Binary of a note that is not ticked goes as a whole, so that ticking asks for it', () => {
  const binary = (id: string, data: string): Binary => ({
    resourceType: 'Binary',
    id,
    contentType: 'application/pdf',
    data,
  });
  const resources = [
    binary('b1', pdf(12, 'A')),
    binary('b2', pdf(4, 'B')),
    note('n1', '2026-11-01', { url: `${base}/Binary/b1` }),
    note('n2', '2026-11-02', { url: `${base}/Binary/b2` }),
  ];
  const readings: Readings = { texts: { 'Binary/b1': { text: 'A' }, 'Binary/b2': { text: 'B' } }, images: {} };
  const ids = (found: readonly Resource[]) => found.map(({ id }) => id);
  expect(ids(left(resources, readings))).toEqual(['b2', 'n1', 'n2']);
  expect(ids(left(resources, readings, ['DocumentReference/n1']))).toEqual(['b1', 'n1', 'n2']);
});

test('a ticked note is read again when nobody has read it, or when its file can be kept', () => {
  const report: DiagnosticReport = {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: 'final',
    code: { text: 'Imaging' },
    subject: { reference: 'Patient/p1' },
    effectiveDateTime: '2026-11-03',
    presentedForm: [{ contentType: 'application/pdf', data: pdf(4, 'A') }],
  };
  const resources = [
    report,
    note('n1', '2026-11-02', { contentType: 'application/pdf', data: pdf(11, 'B') }),
    note('n2', '2026-11-01', { contentType: 'text/plain', data: text(7, 'C') }),
  ];
  const entries = left(resources, texts('n1')).map((resource) => ({ resource }));
  expect(entries.map(({ resource }) => isLetGo(resource, base))).toEqual([false, true, true]);
  const again = (...ticked: readonly string[]) => toReadAgain(entries, texts('n1'), { ticked, base });
  expect(again()).toEqual([]);
  expect(again('DiagnosticReport/r1')).toEqual([]);
  expect(again('DocumentReference/n1')).toEqual(['DocumentReference/n1']);
  // 4 + 11 of 14 millions, and its text is known
  expect(again('DiagnosticReport/r1', 'DocumentReference/n1')).toEqual([]);
  expect(again('DiagnosticReport/r1', 'DocumentReference/n2')).toEqual(['DocumentReference/n2']);
});
