import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withoutNames } from '../../../../src/web/request/without-names.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

// A question that a person releases for the next request, and the next request that offers it.

const id = '11111111-2222-4333-8444-555555555555';
let scene: Scene;
const audited: string[] = [];
beforeEach(async () => {
  audited.length = 0;
  const audit = { record: async ({ action }: { readonly action: string }) => void audited.push(action) };
  scene = await openScene('story-complete', (deps) => ({ ...deps, audit }));
  scene.cases.put({
    id,
    site: 'valley',
    banner: { name: 'Marisol June Tennyson', birthDate: '1980-04-05', mrn: 'MRN-77' },
    patient: `Patient/${scene.smart.launch.patient}`,
    order: 'MedicationRequest/another',
    state: 'ended',
    serviceId: 'pa_77',
    record: { id: 'pa_77', status: 'cancelled' },
    rounds: [
      {
        number: 1,
        from: 'person',
        openedAt: '2026-11-21T14:00:00.000Z',
        openedBy: { name: 'Nurse Noor' },
        asked: [
          {
            id: 'person',
            seenAt: '2026-11-21T14:00:00.000Z',
            fields: [{ name: 'text', text: 'Has Ms. Tennyson (4/5/1980, MRN-77) tried methotrexate? PIN: 998877' }],
            files: [],
          },
        ],
        replies: [],
      },
    ],
  });
});
afterEach(() => scene.app.close());

const path = () => `${scene.home}/cases/${id}/questions/1/keep`;
async function post(fields: Record<string, string>) {
  const page = await scene.get(path());
  return scene.post(path(), { token: formOf(page.body).token ?? '', action: 'keep', ...fields });
}

test('a text is proposed without the patient’s names, birth date and number, and without credentials', async () => {
  const { body } = await scene.get(path());
  expect(body).toContain('Has Ms. … (…, …) tried methotrexate? PIN: …');
});

test('nothing is kept before a person says that they have read it', async () => {
  const { status, body } = await post({ text: 'Has methotrexate been tried?' });
  expect(status).toBe(422);
  expect(body).toContain('Read the text and check the box first.');
  expect(body).toMatch(/<input[^>]*name="read"[^>]* aria-required="true" aria-invalid="true" aria-describedby="why"/);
  expect(body).toContain('Has methotrexate been tried?');
  expect(scene.cases.kept).toEqual([]);
});

test('what is released is kept as the person left it, with the cells that it is about, and audited', async () => {
  await post({ text: 'Has methotrexate been tried?', read: 'yes' });
  expect(scene.cases.kept).toMatchObject([
    { id, round: 1, content: { text: 'Has methotrexate been tried?', cells: ['trials'], by: 'Riley Okafor, MA' } },
  ]);
  expect(audited).toContain('question_kept');
  expect((await scene.get(`${scene.home}/cases/${id}`)).body).toContain('Kept for next time. Change or remove it');
});

test('a person removes it', async () => {
  await post({ text: 'Has methotrexate been tried?', read: 'yes' });
  await post({ action: 'forget' });
  expect(scene.cases.kept).toEqual([]);
  expect(audited).toContain('question_forgotten');
});

test('who may not act keeps nothing', async () => {
  scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Patient/complete-patient' };
  expect((await scene.get(path())).status).toBe(403);
  expect((await scene.get(`${scene.home}/cases/${id}`)).body).not.toContain('Keep for next time');
});

test('the next request shows it, with what the chart now says', async () => {
  await post({ text: 'Has methotrexate been tried?', read: 'yes' });
  const { body } = await scene.get(`${scene.home}/orders/${scene.order}?answers=1`);
  const part = body.slice(body.indexOf('class="asked-before"'), body.indexOf('id="fold-answers"'));
  expect(part).toContain('This payer asked about this drug before');
  expect(part).toContain('Has methotrexate been tried?');
  expect(part).toContain('methotrexate 2.5 MG');
  expect(part).toContain('Not counted: no dispense, dose or statement shows that it was taken.');
});

describe('a text without names', () => {
  const banner = { name: 'Ana-Lu O’Neil', birthDate: '1980-04-05', mrn: 'A.1' };
  test.each([
    ['ana-lu o’neil asks', '… … asks'],
    ['born 04/05/1980 or 1980-04-05', 'born … or …'],
    ['record A.1, not A21', 'record …, not A21'],
    ['Anaphylaxis?', 'Anaphylaxis?'],
  ])('%s', (text, expected) => {
    expect(withoutNames(text, banner)).toBe(expected);
  });
});
