import type { Resource } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { Round } from '../../../../src/cases/rounds/round.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import type { AuditEntry } from '../../../../src/store/types.ts';
import { type AnyCase, formOf, openScene, postWithFile, type Scene, type Uploaded } from '../../support.ts';

// The answers of the chart beside a question of the payer, and what of them goes with the reply.

const id = '11111111-2222-4333-8444-555555555555';
let scene: Scene;
let trail: AuditEntry[] = [];
afterEach(async () => {
  trail = [];
  await scene.app.close();
});

interface Opened {
  readonly asks: string;
  readonly policy?: object;
  readonly more?: readonly object[];
  readonly change?: Partial<AnyCase>;
  readonly isAway?: boolean;
}

/** The story that lacks nothing: adalimumab after methotrexate and leflunomide; the address of its case. */
async function open({ asks, policy = {}, more = [], change = {}, isAway = false }: Opened): Promise<string> {
  scene = await openScene('story-complete', (deps) => {
    Object.assign(deps.config.sites[0]!, policy);
    const audit = { record: async (entry: AuditEntry) => void trail.push(entry) };
    const away = async () => {
      throw new BridgeError('ehr_unreachable');
    };
    return { ...deps, audit, ...(isAway ? { readChart: away } : {}) };
  });
  scene.resources = [...scene.resources, ...(more as Resource[])];
  const round: Round = {
    number: 1,
    from: 'service',
    openedAt: '2026-11-21T14:00:00.000Z',
    openedBy: 'bridge',
    asked: [
      {
        id: 'p1',
        purpose: 'request_information',
        seenAt: '2026-11-21T14:00:00.000Z',
        fields: [{ name: 'message', text: asks }],
        files: [],
      },
    ],
    replies: [],
  };
  scene.cases.put({
    id,
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    status: 'awaiting_provider_response',
    serviceId: 'pa_77',
    sentAt: '2026-11-21T13:00:00.000Z',
    record: { id: 'pa_77', status: 'awaiting_provider_response' },
    rounds: [round],
    ...change,
  });
  return `${scene.home}/cases/${id}`;
}

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
/** What stands between the question and the reply. */
const besideOf = (page: string) => plain(page.slice(page.indexOf('class="cells"'), page.indexOf('for="reply-1"')));

interface Box {
  readonly key: string;
  readonly isChecked: boolean;
  readonly text: string;
}
function boxesIn(page: string): Box[] {
  const input = String.raw`<input id="answer-1-[^"]*" type="checkbox" name="answer" value="([^"]*)"( checked)?\/?>`;
  const boxes = page.matchAll(new RegExp(String.raw`${input}.*?<label[^>]*>(.*?)<\/label>`, 'gs'));
  return [...boxes].map(([, key = '', checked, text = '']) => ({
    key,
    isChecked: checked !== undefined,
    text: plain(text).trim(),
  }));
}
const checkedIn = (page: string) => boxesIn(page).filter(({ isChecked }) => isChecked);

const lab = (code: string, text: string, value: string, on: string) => ({
  resourceType: 'Observation',
  id: `lab-${code}`,
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { coding: [{ system: 'http://loinc.org', code }], text },
  subject: { reference: 'Patient/complete-patient' },
  effectiveDateTime: on,
  valueCodeableConcept: { text: value },
});

describe('beside a question', () => {
  test('stands the cell that answers it, with its source; what the question does not name is not checked', async () => {
    const { body } = await pageFor({ asks: 'Has the patient tried and failed methotrexate?' });
    expect(besideOf(body)).toContain('Which other drugs were tried, for how long, and how did it end?');
    expect(checkedIn(body).map(({ text }) => text)).toEqual([expect.stringMatching(/^methotrexate 2\.5 MG;/)]);
    expect(besideOf(body)).toContain('From the medication order of Feb 5, 2024');
    expect(boxesIn(body).find(({ text }) => text.startsWith('leflunomide'))?.isChecked).toBe(false);
  });

  test('why a trial does not count is told to staff beside it', async () => {
    const { body } = await pageFor({ asks: 'Has the patient tried and failed methotrexate?' });
    const [box] = checkedIn(body);
    expect(box?.text).toContain('ordered, not proved taken');
    expect(box?.text).toContain(
      'Not counted: no dispense, dose or statement shows that it was taken. “ordered, not proved taken” is part of ' +
        'the answer and goes with it. Only you see this reason; it is not sent.',
    );
  });

  test('a trial whose dates contradict each other is not checked', async () => {
    const told = {
      resourceType: 'MedicationStatement',
      id: 'etanercept',
      status: 'completed',
      medicationCodeableConcept: { text: 'etanercept 50 MG/ML Auto-Injector' },
      subject: { reference: 'Patient/complete-patient' },
      effectivePeriod: { start: '2023-06-30', end: '2023-03-01' },
    };
    const { body } = await pageFor({ asks: 'Which drugs have been tried?', more: [told] });
    const box = boxesIn(body).find(({ text }) => text.startsWith('etanercept'));
    expect(box).toMatchObject({
      isChecked: false,
      text: expect.stringContaining('before it was begun on Jun 30, 2023'),
    });
    expect(checkedIn(body)).toHaveLength(2);
  });

  test('every row of the cell is checked where the question names none', async () => {
    const { body } = await pageFor({ asks: 'Which drugs have been tried?' });
    expect(checkedIn(body)).toHaveLength(2);
  });

  test('what no row of the table reads is told, and a person chooses from all answers', async () => {
    const { body } = await pageFor({ asks: 'Kindly advise.' });
    expect(besideOf(body)).toContain('do not tell which answers it is about');
    expect(boxesIn(body).length).toBeGreaterThan(8);
    expect(checkedIn(body)).toEqual([]);
  });

  test('what only a person can say is never filled', async () => {
    const { body } = await pageFor({ asks: 'Provide the medical necessity for this drug.' });
    expect(besideOf(body)).toContain('Why is this drug needed, and not another one? Only you can say.');
    expect(checkedIn(body)).toEqual([]);
  });

  test('what the chart lacks is said, with where to look', async () => {
    const { body } = await pageFor({ asks: 'How severe is the disease, by score or stage?' });
    expect(besideOf(body)).toContain('How severe is the disease? Not in the chart. Look in the specialist’s last note');
  });

  test('what a person stated with the request is offered under their name, and not checked', async () => {
    const statements = [
      { cell: 'rationale', text: 'Two trials failed.', by: 'Riley Okafor, MA', at: '2026-11-20T15:00:00.000Z' },
    ] as const;
    const { body } = await pageFor({ asks: 'Provide the medical necessity.', change: { sheet: { statements } } });
    const said = boxesIn(body).find(({ text }) => text.includes('Two trials failed.'));
    expect(said).toMatchObject({ isChecked: false, text: expect.stringContaining('Riley Okafor, MA stated on') });
  });

  test('a sensitive result and one past its window are not checked', async () => {
    const windows = { 'C-reactive protein': 10 };
    const answers = { continuingDays: 90, longestGap: 30, countCombinations: false, windows };
    const { body } = await pageFor({
      asks: 'What are the results of the laboratory tests?',
      policy: { answers },
      more: [lab('75622-1', 'HIV 1 and 2 antibody', 'Negative', '2026-10-01')],
    });
    const [hiv, crp] = ['Sensitive', 'Older than'].map((mark) => boxesIn(body).find(({ text }) => text.includes(mark)));
    expect(hiv).toMatchObject({ isChecked: false, text: expect.stringContaining('HIV') });
    expect(crp).toMatchObject({ isChecked: false, text: expect.stringContaining('24.1 mg/L') });
  });

  test('nothing is checked at a site where each answer is a person’s choice', async () => {
    const { body } = await pageFor({ asks: 'Which drugs have been tried?', policy: { evidence: 'each' } });
    expect(boxesIn(body).length).toBeGreaterThan(1);
    expect(checkedIn(body)).toEqual([]);
  });
});

describe('where the chart cannot be read', () => {
  const sent = {
    evidence: [
      {
        title: 'Answers',
        date_created: '2026-11-21T00:00:00.000000',
        content: {
          trials: [{ ingredient: 'methotrexate', strengths: ['2.5 MG'], relation: 'indication', proof: 'stated' }],
          sources: { trials: ['MedicationRequest/complete-mtx'] },
        },
      },
    ],
  };

  test('the answers are those of the request, which the page says, with the way to the chart', async () => {
    const { body } = await pageFor({ asks: 'Which drugs have been tried?', isAway: true, change: { body: sent } });
    expect(besideOf(body)).toContain('as they were sent on Nov 21, 2026');
    expect(boxesIn(body)).toEqual([expect.objectContaining({ isChecked: false, text: 'methotrexate 2.5 MG' })]);
    expect(body).toContain(`/sign-in?site=valley&amp;to=chart&amp;case=${id}`);
  });

  test('one of them goes as it was sent', async () => {
    const { path, body } = await pageFor({ asks: 'Which drugs were tried?', isAway: true, change: { body: sent } });
    const [box] = boxesIn(body);
    await reply(path, body, { answer: box?.key ?? '' });
    expect(documentsOf()).toMatchObject([
      {
        title: 'Answers as sent with the request',
        date_created: '2026-11-21T00:00:00.000000',
        content: { answers: [{ answers: [{ answer: 'methotrexate 2.5 MG' }] }] },
      },
    ]);
  });

  test('where none were sent the page says so', async () => {
    const { body } = await pageFor({ asks: 'Which drugs were tried?', isAway: true });
    expect(besideOf(body)).toContain('no answers were sent with the request');
  });
});

describe('with the reply', () => {
  test('goes what was checked, as question, answer and source, and nothing else of the sheet', async () => {
    const { path, body } = await pageFor({ asks: 'Has the patient tried and failed methotrexate?' });
    const { status } = await reply(path, body, {});
    expect(status).toBe(303);
    expect(documentsOf()).toEqual([
      {
        title: 'Answers from the chart',
        date_created: '2026-11-21T00:00:00.000000',
        content: {
          kind: 'Answers from the chart',
          answers: [
            {
              question: 'Which other drugs were tried, for how long, and how did it end?',
              answers: [
                {
                  answer: expect.stringMatching(/^methotrexate 2\.5 MG;(?!.*not counted)/),
                  source: 'From the medication order of Feb 5, 2024',
                  resources: ['MedicationRequest/complete-mtx'],
                },
              ],
            },
          ],
        },
      },
    ]);
  });

  test('a sensitive answer goes only when checked, and that is audited before', async () => {
    const more = [lab('75622-1', 'HIV 1 and 2 antibody', 'Negative', '2026-10-01')];
    const { path, body } = await pageFor({ asks: 'Result of the HIV test?', more });
    const hiv = boxesIn(body).find(({ text }) => text.includes('Sensitive'));
    await reply(path, body, { answer: hiv?.key ?? '' });
    expect(JSON.stringify(documentsOf())).toContain('HIV');
    expect(trail).toContainEqual(expect.objectContaining({ action: 'sensitive_chosen', facts: { items: 1 } }));
  });

  test('an answer that reads differently by then is refused, and what was typed and checked stays', async () => {
    const { path, body } = await pageFor({ asks: 'Which drugs have been tried?' });
    const [kept] = checkedIn(body);
    const again = await reply(path, body, { text: 'See below.', answer: [kept?.key ?? '', 'gone-by-then'] });
    expect(again.status).toBe(422);
    expect(again.body).toContain('reads differently in the chart now');
    expect(again.body).toContain('See below.');
    expect(checkedIn(again.body).map(({ key }) => key)).toEqual([kept?.key]);
    expect(scene.cases.ofRounds).toEqual([]);
  });
});

describe('a file of the person’s own', () => {
  const asks = 'Please send the last visit note.';

  test('goes with its title and day, as its text', async () => {
    const { path, body } = await pageFor({ asks });
    const fields = { 'file-title': 'Visit note', 'file-date': '2026-11-03' };
    const { status } = await reply(path, body, fields, { file: Buffer.from('Seen today. Hives persist.') });
    expect(status).toBe(303);
    expect(documentsOf()).toEqual([
      {
        title: 'Visit note',
        date_created: '2026-11-03T00:00:00.000000',
        content: { kind: 'Document attached by the practice', text: 'Seen today. Hives persist.' },
      },
    ]);
  });

  test.each([
    ['without a title', { 'file-date': '2026-11-03' }, 'A text.', 'Say what the files are.'],
    ['of tomorrow', { 'file-title': 'Note', 'file-date': '2026-11-22' }, 'A text.', 'today or earlier'],
    ['that is empty', { 'file-title': 'Note', 'file-date': '2026-11-03' }, '', 'This file is empty.'],
  ])('%s is refused with words, and what was typed stays', async (_, fields, text, why) => {
    const { path, body } = await pageFor({ asks });
    const again = await reply(path, body, { ...fields, text: 'See the note.' }, { file: Buffer.from(text) });
    expect(again.status).toBe(422);
    expect(again.body).toContain(why);
    expect(again.body).toContain('See the note.');
    expect(scene.cases.ofRounds).toEqual([]);
  });
});

async function pageFor(opened: Opened): Promise<{ readonly path: string; readonly body: string }> {
  const path = await open(opened);
  const { body, status } = await scene.get(path);
  expect(status).toBe(200);
  return { path, body };
}

/** Sends the form of the reply as a browser would, with these fields in place of the page's. */
async function reply(
  path: string,
  page: string,
  fields: Record<string, string | string[]>,
  file: Pick<Uploaded, 'file' | 'name'> = {},
) {
  const form = formOf(page.slice(page.lastIndexOf('<form', page.indexOf('class="reply"'))));
  const answer = await postWithFile(scene, `${path}/replies`, { fields: { ...form, ...fields }, ...file });
  return { status: answer.statusCode, body: answer.body };
}

function documentsOf(): unknown {
  return (scene.cases.ofRounds[0]?.request as { readonly documents?: unknown } | undefined)?.documents;
}

test('an earlier drug that no answer names says where it stands in the chart', async () => {
  const cetirizine = {
    resourceType: 'MedicationRequest',
    id: 'tried-cetirizine',
    status: 'stopped',
    intent: 'order',
    subject: { reference: 'Patient/complete-patient' },
    medicationCodeableConcept: { text: 'cetirizine 10 MG Oral Tablet' },
    authoredOn: '2026-02-03',
    statusReason: { text: 'Inadequate response' },
  };
  const { body } = await pageFor({ asks: 'Which other drugs were tried before?', more: [cetirizine] });
  const offered = body.slice(body.indexOf('id="document-1-MedicationRequest-tried-cetirizine"'));
  expect(plain(offered.slice(0, 900))).toContain('From the medication order');
  expect(offered.slice(0, 900)).toContain('MedicationRequest/tried-cetirizine');
});
