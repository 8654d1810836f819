import type { Binary, Coverage, DiagnosticReport, DocumentReference, FhirResource, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import type { FhirApi } from '../../../src/core/fhir/api.ts';
import { openNotes } from '../../../src/ehr/documents/open-notes.ts';
import { readDocuments } from '../../../src/ehr/documents/read-documents.ts';
import { chartFor, select, subject } from '../../core/evidence/support.ts';
import { base64, imageOf, pdfOf } from './support.ts';

function note(id: string, date: string, more: Partial<DocumentReference> = {}): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    subject,
    date,
    type: { text: 'Progress note' },
    content: [{ attachment: { contentType: 'text/plain', data: base64(`text of ${id}`) } }],
    ...more,
  };
}

function card(
  id: string,
  content: DocumentReference['content'],
  more: Partial<DocumentReference> = {},
): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    subject,
    date: '2026-02-03',
    type: { coding: [{ system: 'http://loinc.org', code: '64290-0' }] },
    content,
    ...more,
  };
}

const supportingImage = 'http://hl7.org/fhir/us/insurance-card/StructureDefinition/C4DIC-SupportingImage-extension';

function coverage(id: string, images: Coverage['extension'], more: Partial<Coverage> = {}): Coverage {
  const extension = (images ?? []).map((image) => ({
    url: supportingImage,
    extension: [{ url: 'label', valueString: 'Front' }, image],
  }));
  return {
    resourceType: 'Coverage',
    id,
    status: 'active',
    beneficiary: subject,
    payor: [{ display: 'Payer' }],
    subscriberId: 'M1',
    extension,
    ...more,
  };
}

const texts = async (resources: readonly Resource[], request = {}) => (await readDocuments(resources, request)).texts;

/** Reads, selects, and gives the images that would be sent with how they were chosen. */
async function cardOf(resources: readonly FhirResource[]) {
  const all = [...chartFor('adalimumab'), ...resources];
  const chart = select(all, { readings: await readDocuments(all, { patient: 'Patient/p1' }) });
  const choice = chart.choices.find(({ role }) => role === 'card');
  const images = chart.root('card').nodes.map(({ value, source }) => ({
    at: `${source?.resource} ${source?.path}`,
    data: (value as { data: string }).data,
  }));
  return {
    images,
    note: chart.root('card').note,
    chosen: choice?.chosen,
    reason: choice?.reason,
    candidates: choice?.candidates ?? [],
  };
}

describe('notes are read', () => {
  test('from inline data, a contained Binary, a Binary beside, and a report', async () => {
    const contained: Binary = { resourceType: 'Binary', id: 'b', contentType: 'text/plain', data: base64('contained') };
    const report: DiagnosticReport = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      subject,
      code: { text: 'X-ray' },
      effectiveDateTime: '2026-09-01',
      presentedForm: [{ contentType: 'application/pdf', data: await pdfOf(['No erosion.']) }],
    };
    const chart: Resource[] = [
      note('n1', '2026-10-01'),
      note('n2', '2026-10-02', { contained: [contained], content: [{ attachment: { url: '#b' } }] }),
      note('n3', '2026-10-03', { content: [{ attachment: { contentType: 'text/html', url: 'Binary/b3' } }] }),
      { resourceType: 'Binary', id: 'b3', contentType: 'text/html', data: base64('<p>beside</p>') } as Binary,
      report,
    ];
    expect(await texts(chart)).toEqual({
      'DocumentReference/n1 content[0].attachment': { text: 'text of n1' },
      'Binary/b in DocumentReference/n2': { text: 'contained' },
      'Binary/b3': { text: 'beside' },
      'DiagnosticReport/r1 presentedForm[0]': { text: 'No erosion.' },
    });
  });

  test('the newest five, and older ones that are ticked', async () => {
    const chart = Array.from({ length: 8 }, (_, index) => note(`n${index}`, `2026-0${index + 1}-01`));
    const read = Object.keys(await texts(chart, { ticked: ['DocumentReference/n0'] }));
    expect(read.map((key) => key.slice(18, 20)).sort()).toEqual(['n0', 'n3', 'n4', 'n5', 'n6', 'n7']);
    expect(Object.keys(await texts(chart, { newest: 0 }))).toEqual([]);
  });

  test('of this patient only', async () => {
    const chart: Resource[] = [
      { resourceType: 'Patient', id: 'p1' } as Resource,
      note('n1', '2026-10-01'),
      note('n2', '2026-10-01', { subject: { reference: 'Patient/p2' } }),
    ];
    expect(Object.keys(await texts(chart, { patient: 'Patient/p1' }))).toEqual([
      'DocumentReference/n1 content[0].attachment',
    ]);
  });

  test('once: what is known is kept', async () => {
    const known = { texts: { 'DocumentReference/n1 content[0].attachment': { text: 'read before' } }, images: {} };
    expect(await texts([note('n1', '2026-10-01')], { known })).toEqual(known.texts);
  });

  test('and a damaged one harms no other', async () => {
    const chart = [
      note('n1', '2026-10-01', {
        content: [{ attachment: { contentType: 'application/pdf', data: base64('%PDF-1.7 broken') } }],
      }),
      note('n2', '2026-10-02'),
    ];
    expect(await texts(chart)).toEqual({
      'DocumentReference/n1 content[0].attachment': { unreadable: 'the PDF is damaged' },
      'DocumentReference/n2 content[0].attachment': { text: 'text of n2' },
    });
  });
});

describe('the insurance card', () => {
  test('that the chosen coverage carries comes before a document', async () => {
    const [front, other] = [await imageOf('image/png', 30, 20), await imageOf('image/gif', 30, 20)];
    const { images, chosen, reason } = await cardOf([
      coverage('c1', [{ url: 'image', valueAttachment: { contentType: 'image/png', data: front } }]),
      card('d1', [{ attachment: { contentType: 'image/gif', data: other } }]),
    ]);
    expect(images).toEqual([{ at: 'Coverage/c1 Coverage.extension[0].extension[1].valueAttachment', data: front }]);
    expect({ chosen, reason }).toEqual({ chosen: 'Coverage/c1', reason: 'the card that the chosen coverage carries' });
  });

  test('may be a Binary or a document that the extension refers to', async () => {
    const data = await imageOf('image/png', 30, 20);
    const binary: Binary = { resourceType: 'Binary', id: 'b1', contentType: 'image/png', data };
    const byUrl = await cardOf([coverage('c1', [{ url: 'image', valueAttachment: { url: 'Binary/b1' } }]), binary]);
    const byReference = await cardOf([
      coverage('c1', [{ url: 'image', valueReference: { reference: 'Binary/b1' } }]),
      binary,
    ]);
    const byDocument = await cardOf([
      coverage('c1', [{ url: 'image', valueReference: { reference: 'DocumentReference/d9' } }]),
      card('d9', [{ attachment: { data } }], { type: { text: 'Card' } }),
    ]);
    expect([byUrl, byReference].map(({ images }) => images)).toEqual([
      [{ at: 'Binary/b1 Binary', data }],
      [{ at: 'Binary/b1 Binary', data }],
    ]);
    expect(byDocument.images).toEqual([{ at: 'DocumentReference/d9 DocumentReference.content[0].attachment', data }]);
  });

  test('that a coverage carries is not sent for another coverage, nor from another patient’s document', async () => {
    const data = await imageOf('image/png', 30, 20);
    const ended = coverage('c1', [{ url: 'image', valueAttachment: { data } }], { period: { end: '2025-12-31' } });
    const strange = coverage('c2', [{ url: 'image', valueReference: { reference: 'DocumentReference/d9' } }]);
    const theirs = card('d9', [{ attachment: { data } }], { subject: { reference: 'Patient/p2' } });
    const { images, candidates } = await cardOf([ended, strange, theirs, { resourceType: 'Patient', id: 'p2' }]);
    expect(images).toEqual([]);
    expect(candidates.map(({ reference, reason }) => [reference, reason])).toEqual([
      ['Coverage/c1', 'it belongs to another coverage'],
      ['Coverage/c2', 'it holds no image'],
    ]);
  });

  test('is sent scaled down, and says so', async () => {
    const { images, note: told } = await cardOf([
      card('d1', [{ attachment: { contentType: 'image/png', data: await imageOf('image/png', 2000, 1000) } }]),
    ]);
    expect(images).toHaveLength(1);
    expect(told).toBe('scaled down from 2000 x 1000 to 1600 x 800 pixels');
  });

  test('as PDF is refused with the reason, and an older image is taken', async () => {
    const data = await imageOf('image/jpeg', 30, 20);
    const { chosen, candidates } = await cardOf([
      card('d1', [{ attachment: { contentType: 'application/pdf', data: await pdfOf(['card']) } }], {
        date: '2026-05-05',
      }),
      card('d2', [{ attachment: { contentType: 'image/jpeg', data } }]),
    ]);
    expect(chosen).toBe('DocumentReference/d2');
    expect(candidates[0]).toMatchObject({
      reference: 'DocumentReference/d1',
      fits: false,
      reason: 'it is a PDF; the service takes images of the card',
    });
  });

  test('of which one side is damaged goes with the other side, and the loss is told', async () => {
    const data = await imageOf('image/png', 30, 20);
    const { images, candidates } = await cardOf([
      card('d1', [{ attachment: { data } }, { attachment: { data: '/9j/4AAQSkZJRg==' } }]),
    ]);
    expect(images).toHaveLength(1);
    expect(candidates[0]?.reason).toBe('the newest card; one image is left out: the image is damaged');
  });

  test('whose bytes nobody read is not sent', () => {
    const all = [
      ...chartFor('adalimumab'),
      card('d1', [{ attachment: { data: 'iVBORw0KGgo=' } }]),
      card('d2', [{ attachment: { url: 'Binary/elsewhere' } }]),
    ];
    const candidates = select(all).choices.find(({ role }) => role === 'card')?.candidates;
    expect(candidates?.map(({ reason }) => reason)).toEqual([
      'its image was not read',
      'its image is not in what was read',
    ]);
  });
});

describe('openNotes', () => {
  const base = 'https://ehr.example.org/fhir';
  const remote = note('n1', '2026-10-01', {
    content: [
      { attachment: { url: `${base}/Binary/b1` } },
      { attachment: { url: 'Binary/b2' } },
      { attachment: { url: 'https://elsewhere.example/Binary/b3' } },
    ],
  });

  const entriesOf = (...resources: readonly Resource[]) =>
    resources.map((resource) => ({ resource, fullUrl: `${base}/${resource.resourceType}/${resource.id}` }));

  function ehr(answer: (id: string) => Resource | undefined, scopes = ['patient/*.rs']) {
    const asked: string[] = [];
    const read = async (type: string, id: string) => {
      asked.push(`${type}/${id}`);
      return answer(id);
    };
    return { api: { base, scopes, read } as unknown as FhirApi, asked };
  }

  test('fetches what a ticked note points to on this server, and nothing else', async () => {
    const { api, asked } = ehr((id) => ({ resourceType: 'Binary', id }) as Resource);
    expect(await openNotes(api, entriesOf(remote, note('n2', '2026-10-02')), ['DocumentReference/n1'])).toEqual([
      { resource: { resourceType: 'Binary', id: 'b1' }, fullUrl: `${base}/Binary/b1` },
      { resource: { resourceType: 'Binary', id: 'b2' }, fullUrl: `${base}/Binary/b2` },
    ]);
    expect(asked.sort()).toEqual(['Binary/b1', 'Binary/b2']);
    expect(await openNotes(api, entriesOf(remote), [])).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test('goes without what the EHR refuses or lacks, and without asking where the scopes do not allow it', async () => {
    const refused = ehr((id) => {
      if (id === 'b1') throw new BridgeError('ehr_forbidden', {});
      return undefined;
    });
    expect(await openNotes(refused.api, entriesOf(remote), ['DocumentReference/n1'])).toEqual([]);
    const narrow = ehr(() => undefined, ['patient/DocumentReference.rs']);
    expect(await openNotes(narrow.api, entriesOf(remote), ['DocumentReference/n1'])).toEqual([]);
    expect(narrow.asked).toEqual([]);
  });
});
