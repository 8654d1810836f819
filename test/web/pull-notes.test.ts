import type { Binary, DocumentReference, Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import type { FhirApi } from '../../src/fhir/api.ts';
import type { Launch } from '../../src/smart/index.ts';
import { createVault } from '../../src/vault.ts';
import { createPulls } from '../../src/web/pull.ts';

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
