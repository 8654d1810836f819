import type { Binary, DocumentReference, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { createVault } from '../../../src/base/vault.ts';
import type { FhirApi } from '../../../src/core/fhir/api.ts';
import type { Launch } from '../../../src/ehr/smart/types.ts';
import { createPulls, type Pull } from '../../../src/web/http/chart-reading.ts';

const base = 'https://ehr.example.org/fhir';
const launch = { id: 'l1', patient: 'p1' } as Launch; // pulls read no more of it
const note: DocumentReference = {
  resourceType: 'DocumentReference',
  id: 'n1',
  status: 'current',
  subject: { reference: 'Patient/p1' },
  date: '2026-11-01',
  content: [{ attachment: { contentType: 'text/plain', url: `${base}/Binary/b1` } }],
};
const binary: Binary = {
  resourceType: 'Binary',
  id: 'b1',
  contentType: 'text/plain',
  data: Buffer.from('Seen today.').toString('base64'),
};

test('the text of a ticked note is fetched once, and kept with the reading of the chart', async () => {
  const asked: string[] = [];
  const api = {
    base,
    scopes: ['patient/*.rs', 'user/Binary.r'],
    read: async (type: string, id: string): Promise<Resource> => {
      asked.push(`${type}/${id}`);
      return binary;
    },
  } as unknown as FhirApi;
  const pulls = createPulls({
    smart: { api: () => api },
    vault: createVault(['00'.repeat(32)]),
    clock: () => new Date('2026-11-21T15:00:00Z'),
    read: async () => ({
      entries: [{ resource: { resourceType: 'Patient', id: 'p1' } as Resource }, { resource: note }],
      rounds: 1,
      warnings: [],
      forbidden: [],
      unread: [],
    }),
  });
  const request = { order: 'm1', ticked: ['DocumentReference/n1'] };
  const pull = await pulls.of(launch, { order: 'm1' });
  expect(pull.readings.texts).toEqual({});
  expect((await pulls.withNotes(launch, pull, { order: 'm1', ticked: [] })).readings.texts).toEqual({});
  expect((await pulls.withNotes(launch, pull, request)).readings.texts).toEqual({
    'Binary/b1': { text: 'Seen today.' },
  });
  const again = await pulls.of(launch, { order: 'm1' });
  expect(again.readings.texts).toEqual({ 'Binary/b1': { text: 'Seen today.' } });
  await pulls.withNotes(launch, again, request);
  expect(asked).toEqual(['Binary/b1']);
});

test('a ticked note kept outside of the EHR is read where the site allows it, told where not [S25]', async () => {
  const url = 'https://storage.example/notes/1.txt?signature=1';
  const outside: DocumentReference = { ...note, content: [{ attachment: { contentType: 'text/plain', url } }] };
  const pulled = async (outsideFile: NonNullable<FhirApi['outsideFile']>) => {
    const api = { base, scopes: [], outsideFile } as unknown as FhirApi;
    const pulls = createPulls({
      smart: { api: () => api },
      vault: createVault(['00'.repeat(32)]),
      clock: () => new Date('2026-11-21T15:00:00Z'),
      read: async () => ({
        entries: [{ resource: { resourceType: 'Patient', id: 'p1' } as Resource }, { resource: outside }],
        rounds: 1,
        warnings: [],
        forbidden: [],
        unread: [],
      }),
    });
    const first = await pulls.of(launch, { order: 'm1' });
    return pulls.withNotes(launch, first, { order: 'm1', ticked: ['DocumentReference/n1'] });
  };
  const read = await pulled(async () => ({ bytes: Buffer.from('Seen today.'), contentType: 'text/plain' }));
  expect(Object.values(read.readings.texts)).toEqual([{ text: 'Seen today.' }]);
  expect(read.warnings).toEqual([]);
  const refused = await pulled(async () => ({ refused: 'origin', origin: 'https://storage.example' }));
  expect(refused.readings.texts).toEqual({});
  expect(refused.warnings.join()).toMatch(
    /^The text of a note is kept outside of the EHR \(https:\/\/storage\.example\)/,
  );
});

describe('a chart with more bytes than are kept [E8]', () => {
  const patient: Resource = { resourceType: 'Patient', id: 'p1' };
  const pdfOf = (id: string, date: string, letter: string, millions: number): DocumentReference => ({
    ...note,
    id,
    date,
    content: [
      { attachment: { contentType: 'application/pdf', data: `JVBERi0x${letter.repeat(millions * 1_000_000)}` } },
    ],
  });
  const notes = [pdfOf('n1', '2026-11-01', 'A', 12), pdfOf('n2', '2026-11-02', 'B', 3)];

  function pullsOf(given: readonly Resource[]) {
    const asked: string[] = [];
    const api = {
      base,
      scopes: ['patient/*.rs'],
      read: async (type: string, id: string) => {
        asked.push(`${type}/${id}`);
        return given.find((resource) => resource.id === id);
      },
    } as unknown as FhirApi;
    const pulls = createPulls({
      smart: { api: () => api },
      vault: createVault(['00'.repeat(32)]),
      clock: () => new Date('2026-11-21T15:00:00Z'),
      read: async () => ({
        entries: [patient, ...notes].map((resource) => ({ resource })),
        rounds: 1,
        warnings: [],
        forbidden: [],
        unread: [],
      }),
    });
    return { pulls, asked };
  }

  const withBytes = ({ entries }: Pull) =>
    entries.flatMap(({ resource }) => {
      const data = (resource as DocumentReference).content?.[0]?.attachment.data;
      return data === undefined ? [] : [`${resource.id} ${data.at(-1)}`];
    });

  test('reads a note again when it is ticked, once', async () => {
    const { pulls, asked } = pullsOf(notes);
    const pull = await pulls.of(launch, { order: 'm1' });
    expect(withBytes(pull)).toEqual(['n2 B']);
    const request = { order: 'm1', ticked: ['DocumentReference/n1'] };
    expect(withBytes(await pulls.withNotes(launch, pull, request))).toEqual(['n1 A']);
    const again = await pulls.of(launch, { order: 'm1' });
    expect(await pulls.withNotes(launch, again, request)).toBe(again);
    expect(asked).toEqual(['DocumentReference/n1']);
    expect(again.warnings).toEqual([]);
  });

  test('tells of ticked notes of which only the text can be sent', async () => {
    const { pulls, asked } = pullsOf(notes);
    const pull = await pulls.of(launch, { order: 'm1' });
    const request = { order: 'm1', ticked: ['DocumentReference/n1', 'DocumentReference/n2'] };
    const fuller = await pulls.withNotes(launch, pull, request);
    expect(withBytes(fuller)).toEqual(['n2 B']);
    expect(fuller.warnings).toEqual([
      'The files of the chosen notes are too large together: of some of them only the text is sent.',
    ]);
    expect(await pulls.withNotes(launch, fuller, request)).toBe(fuller);
    // with one of them less there is room for the file
    const one = await pulls.withNotes(launch, fuller, { order: 'm1', ticked: ['DocumentReference/n1'] });
    expect({ kept: withBytes(one), warnings: one.warnings }).toEqual({ kept: ['n1 A'], warnings: [] });
    expect(asked).toEqual(['DocumentReference/n1']);
  });

  test('stays as it is where the EHR does not give the note again', async () => {
    const { pulls } = pullsOf([]);
    const pull = await pulls.of(launch, { order: 'm1' });
    const request = { order: 'm1', ticked: ['DocumentReference/n1'] };
    expect(withBytes(await pulls.withNotes(launch, pull, request))).toEqual(['n2 B']);
  });
});
