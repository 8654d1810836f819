import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, expect, test } from 'vitest';
import type { Reply, Round } from '../../../src/cases/rounds/round.ts';
import { renderReply } from '../../../src/web/request/print/reply-pdf.ts';
import { answersDocument } from '../../../src/web/request/reply-answers.ts';
import { now, openScene, type Scene } from '../support.ts';

// The printed packet of a reply.

let scene: Scene;
afterEach(() => scene.app.close());

const id = '11111111-2222-4333-8444-555555555555';
const reply: Reply = {
  key: 'key',
  state: 'printed',
  at: now.toISOString(),
  by: { name: 'Nurse Noor' },
  text: 'See the answers.',
  documents: ['Answers from the chart', 'Letter'],
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

test('each answer stands under its question, with its source, on the page that the cover names', async () => {
  scene = await openScene('story-complete');
  const site = scene.smart.launch.site;
  scene.cases.put({ id, site: 'valley', patient: 'Patient/complete-patient', state: 'open', serviceId: 'pa_77' });
  const source = { resource: 'MedicationRequest/complete-mtx', path: 'medication' };
  const answers = answersDocument(
    {
      from: 'chart',
      day: '2026-11-21',
      lines: [
        {
          key: 'mtx',
          id: 'trials methotrexate',
          cell: 'trials',
          texts: ['methotrexate 2.5 MG; ordered Feb 5, 2024'],
          places: [
            {
              target: 'trials[0].ingredient',
              kind: 'chart',
              rule: 'answers',
              source,
              date: '2024-02-05',
              value: 'methotrexate',
            },
          ],
          isOld: false,
        },
        { key: 'other', id: 'place', cell: 'place', texts: ['at home'], places: [], isOld: false },
      ],
    },
    new Set(['mtx']),
  );
  const own = { title: 'Reply', date_created: '2026-11-21T14:30:00.000000', content: { text: reply.text } };
  const letter = { title: 'Letter', date_created: '2026-11-20T00:00:00.000000' };
  const content = [own, answers!, letter];
  const bytes = await renderReply({ one: await scene.cases.get(id), site, round, reply, content, now });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  const [cover = '', second = ''] = text;
  expect(cover).toContain('Was methotrexate tried?');
  expect(cover).toMatch(/page 2:? *Answers from the chart/);
  expect(second).toContain('Which other drugs were tried, for how long, and how did it end?');
  expect(second).toContain('methotrexate 2.5 MG; ordered Feb 5, 2024');
  expect(second).toContain('From the medication order of Feb 5, 2024');
  expect(text.join(' ')).not.toContain('at home');
  expect(cover.replaceAll(/\s+/g, ' ')).toContain(
    'Letter. It could not be added here: it is not kept with this reply.',
  );
});

test('the cover names the payer and the member; a question that only the record has is printed', async () => {
  scene = await openScene('story-complete');
  const site = scene.smart.launch.site;
  const body = { insurance_content: { payer_name: 'Harborlight Health Plan', member_number: 'HL7714029' } };
  const notes = 'Please send the date of the last visit.';
  const activity_log = [
    { id: 'a1', created_at: '2026-11-20T10:00:00', type: 'follow_up_call' as const, details: { notes } },
  ];
  const record = { id: 'pa_77', status: 'awaiting_provider_response' as const, activity_log };
  scene.cases.put({ id, site: 'valley', patient: 'Patient/p', state: 'open', serviceId: 'pa_77', body, record });
  const content = [{ title: 'Reply', date_created: '2026-11-21T14:30:00.000000', content: { text: reply.text } }];
  const asked = { ...round, asked: [{ ...round.asked[0]!, fields: [] }] };
  const one = await scene.cases.get(id);
  const bytes = await renderReply({ one, site, round: asked, reply, content, now });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(
    /To Harborlight Health Plan .*Member ID HL7714029 .*in the service pa_77/,
  );
  expect(text).toContain(notes);
});
