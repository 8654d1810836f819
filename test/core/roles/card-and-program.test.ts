import type { DocumentReference, FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { roles } from '../../../mappings/roles.ts';
import { selectChart } from '../../../src/core/roles/select.ts';
import { chartFor, subject } from '../evidence/support.ts';

type Request = Partial<Parameters<typeof selectChart>[1]>;

const chartOf = (resources: readonly FhirResource[], request: Request = {}) =>
  selectChart([...chartFor('adalimumab'), ...resources], {
    roles,
    order: 'MedicationRequest/focal',
    now: new Date('2026-11-21T15:00:00Z'),
    site: {},
    ...request,
  } as Parameters<typeof selectChart>[1]);

function card(id: string, date: string, more: Partial<DocumentReference> = {}): DocumentReference {
  const code = { system: 'http://loinc.org', code: '64290-0' };
  const attachment = { contentType: 'image/jpeg', data: Buffer.from(id).toString('base64') };
  const content = [{ attachment }];
  return {
    ...{ resourceType: 'DocumentReference', id, status: 'current', subject, date },
    type: { coding: [code] },
    content,
    ...more,
  };
}

/** Readings of the images: each as it is, with what is to be said of it. */
function seen(cards: readonly DocumentReference[], note?: string): Request {
  const images = cards.map(({ id }) => [
    `DocumentReference/${id} content[0].attachment`,
    { contentType: 'image/jpeg', data: `read-${id}`, ...(note === undefined ? {} : { note }) },
  ]);
  return { readings: { images: Object.fromEntries(images), texts: {} } } as unknown as Request;
}

describe('the card', () => {
  const cards = [card('old', '2025-02-01'), card('new', '2026-10-01'), card('older', '2024-02-01')];

  test('that is newest is sent, in whatever order the chart has them, with what is to be said of its image', () => {
    const chart = chartOf(cards, seen(cards, 'made smaller'));
    const { nodes, note } = chart.root('card');
    expect(nodes.map(({ source }) => source?.resource)).toEqual(['DocumentReference/new']);
    expect(note).toBe('made smaller');
    expect(chartOf(cards, seen(cards)).root('card').note).toBeUndefined();
  });

  test('goes with six of its images at most', () => {
    const attachment = { contentType: 'image/jpeg', data: 'YQ==' };
    const many = card('many', '2026-10-01', { content: Array.from({ length: 7 }, () => ({ attachment })) });
    const images = many.content.map((_, at) => [
      `DocumentReference/many content[${at}].attachment`,
      { contentType: 'image/jpeg', data: `read-${at}` },
    ]);
    const readings = { images: Object.fromEntries(images), texts: {} };
    const { nodes } = chartOf([many], { readings } as unknown as Request).root('card');
    expect(nodes.map(({ value }) => value)).toHaveLength(6);
  });

  test('whose image was not read is none', () => {
    expect(chartOf(cards).root('card').nodes).toEqual([]);
  });
});

describe('the support program', () => {
  const program = (programId: string) => ({ programId, name: `The ${programId} program`, evidence: false });
  const programOf = (programs: readonly ReturnType<typeof program>[], more: Request = {}) =>
    chartOf([], { site: { enrollment: { programs } }, ...more } as unknown as Request).root('program').nodes;

  test('is the only one of the site, the one that was asked for, and else a question', () => {
    expect(programOf([program('a')])).toMatchObject([{ value: { programId: 'a' } }]);
    expect(programOf([program('a'), program('b')], { programId: 'b' })).toMatchObject([{ value: { programId: 'b' } }]);
    expect(programOf([program('a'), program('b')])).toEqual([]);
    expect(programOf([])).toEqual([]);
  });
});
