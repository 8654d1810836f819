import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reply, Round } from '../../../../src/cases/rounds/round.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import { type AnyCase, formOf, openScene, postWithFile, type Scene } from '../../support.ts';

const id = '11111111-2222-4333-8444-555555555555';
const audited: { readonly action: string }[] = [];

let scene: Scene;
beforeEach(async () => {
  audited.length = 0;
  const audit = { record: async (entry: { readonly action: string }) => void audited.push(entry) };
  scene = await openScene('story-complete', (deps) => ({ ...deps, audit }));
});
afterEach(() => scene.app.close());

const round: Round = {
  number: 1,
  from: 'service',
  sequence: 'seq_1',
  openedAt: '2026-11-21T14:00:00.000Z',
  openedBy: 'bridge',
  until: '2026-12-01',
  asked: [
    {
      id: 'p1',
      channel: 'fax',
      state: 'sent',
      purpose: 'request_information',
      seenAt: '2026-11-21T14:00:00.000Z',
      isSigned: true,
      fields: [{ name: 'message', text: 'Please send the last visit. Access code: CANARY-4711' }],
      files: [{ id: 'p1-0', name: 'Form.pdf', state: 'kept', type: 'application/pdf' }],
    },
  ],
  replies: [],
};
const printed: Reply = {
  key: 'key-of-reply',
  state: 'printed',
  at: '2026-11-21T14:30:00.000Z',
  by: { name: 'Nurse Noor' },
  text: 'Nov 3, 2026.',
  documents: ['Visit note'],
  title: 'Reply',
  date: '2026-11-21T14:30:00.000000',
  completes: false,
};

function put(rounds: readonly Round[] = [round], change: Partial<AnyCase> = {}): string {
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
    rounds,
    ...change,
  });
  return `${scene.home}/cases/${id}`;
}

async function act(path: string, fields: Record<string, string | string[]>) {
  const page = await scene.get(path);
  return scene.post(path, { token: formOf(page.body).token ?? '', ...fields });
}

async function reply(path: string, fields: Record<string, string | string[]>) {
  const page = await scene.get(path);
  const { token = '' } = formOf(page.body);
  return await postWithFile(scene, `${path}/replies`, { fields: { token, round: '1', ...fields } });
}

describe('a question of the payer', () => {
  test('leads the page, with its deadline and its files, and without its credentials', async () => {
    const path = put();
    const { body } = await scene.get(path);
    expect(body.indexOf('What the payer asks')).toBeLessThan(body.indexOf('id="status"'));
    expect(body).toContain('Please send the last visit.');
    expect(body).toContain('Dec 1, 2026');
    expect(body).toMatch(/Asked <time[^>]*>[^<]*<\/time> by fax</);
    expect(body).toContain(`href="${path}/questions/files/p1-0"`);
    expect(body).not.toContain('CANARY-4711');
  });

  test('is shown with its credentials to who asks for it, and that is audited', async () => {
    const path = put();
    const page = await scene.get(path);
    const { body, status } = await scene.post(`${path}/questions/1`, { token: formOf(page.body).token ?? '' });
    expect(status).toBe(200);
    expect(body).toContain('CANARY-4711');
    expect(audited.map(({ action }) => action)).toContain('question_revealed');
    expect(JSON.stringify(audited) + JSON.stringify(scene.log)).not.toContain('CANARY');
  });

  test('that the service asks without a message is answered there or on paper: said before the answers', async () => {
    const url = 'https://platform.example/pa_77';
    const calls = [
      {
        ...{ id: 'c1', type: 'follow_up_call' as const, created_at: '2026-11-20T15:00:00' },
        details: { notes: 'The payer asks: which drugs were tried before?' },
      },
    ];
    const record = { id: 'pa_77', url, status: 'awaiting_provider_response' as const, activity_log: calls };
    const { body } = await scene.get(put([{ ...round, asked: [] }], { record }));
    const order = [
      'which drugs were tried',
      'Two ways to answer',
      `href="${url}" class="button go"`,
      'Or print and fax',
    ];
    const places = [...order, 'class="cells"', 'Make the reply to print'].map((text) => body.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(body).toContain('Answer it in the service, or print and fax a reply.');
    expect(body.slice(body.indexOf('class="cells"'))).toContain('Which other drugs were tried');
  });

  test('whose message may tell a decision is not shown before the end', async () => {
    const [asking] = round.asked;
    const told = { ...asking!, purpose: 'decision', fields: [{ name: 'message', text: 'CANARY: approved.' }] };
    const { body } = await scene.get(put([{ ...round, asked: [told] }]));
    expect(body).not.toContain('CANARY');
    expect(body).toContain('may tell a decision');
  });

  test('longer than a page is folded and kept whole', async () => {
    const text = `${'A long question. '.repeat(200)}THE-END`;
    const { body } = await scene.get(
      put([{ ...round, asked: [{ ...round.asked[0]!, fields: [{ name: 'message', text }] }] }]),
    );
    expect(body).toContain('the whole question: <q>');
    expect(body).toContain('THE-END');
  });

  test('that is closed stands among the earlier ones, without a form', async () => {
    const ended = { at: '2026-11-21T15:00:00.000Z', by: 'bridge', how: 'service' } as const;
    const { body } = await scene.get(put([{ ...round, ended }]));
    expect(body).toContain('Earlier questions');
    expect(body).not.toContain('value="reply"');
  });

  test('in a state of a later version is told as such, and nothing is offered', async () => {
    const { body } = await scene.get(put([{ ...round, replies: [{ ...printed, state: 'beamed' }] }]));
    expect(body).toContain('a state that this version of the app does not know');
    expect(body).not.toContain('value="reply"');
  });
});

describe('after a reply', () => {
  const accepted: Reply = { ...printed, state: 'accepted', settledAt: '2026-11-21T15:12:00.000Z' };
  const saidOn = async (path: string) =>
    /<p id="replied"[^>]*role="status"[^>]*>(.*?)<\/p>/.exec((await scene.get(path)).body)?.[1];

  test('the page leads to what says that it was sent, and when', async () => {
    const path = put();
    const { seen = '' } = formOf((await scene.get(path)).body);
    const answer = await reply(path, { seen, text: 'Nov 3, 2026.' });
    expect(answer.headers.location).toBe(`${path}#replied`);
    const by = { fhirUser: scene.smart.launch.fhirUser ?? '', name: 'Riley Okafor, MA' };
    const said = await saidOn(put([{ ...round, replies: [{ ...accepted, by }] }]));
    expect(said).toContain('Your reply was sent.');
    expect(said).toContain('2026-11-21T15:12:00.000Z');
  });

  test.each([
    ['accepted', 'The reply of Nurse Noor was sent.'],
    ['leaving', 'The reply of Nurse Noor is being sent.'],
    ['unsigned', 'The reply of Nurse Noor was handed over to be signed.'],
  ])('that is %s a colleague reads whose it is', async (state, said) => {
    expect(await saidOn(put([{ ...round, replies: [{ ...accepted, state }] }]))).toContain(said);
  });

  test('nothing is said of it once the payer asks again', async () => {
    const next = { ...round, number: 2, openedAt: '2026-11-22T09:00:00.000Z' };
    expect(await saidOn(put([{ ...round, replies: [accepted] }, next]))).toBeUndefined();
  });
});

describe('notes for colleagues', () => {
  const notes = [{ at: '2026-11-21T13:30:00.000Z', by: { name: 'Nurse Noor' }, text: 'Called the plan: fax again.' }];

  test('are read on the page of the request', async () => {
    const { body } = await scene.get(put([], { notes }));
    expect(body).toMatch(/Notes for colleagues[\s\S]*Called the plan: fax again\.[\s\S]*Nurse Noor/);
  });

  test('are read by no patient whom the EHR lets into the chart', async () => {
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Patient/1' };
    expect((await scene.get(put([], { notes }))).body).not.toContain('Called the plan');
  });
});

describe('a reply', () => {
  test('goes with the words, the round as it was seen, and documents of the chart', async () => {
    const path = put();
    const page = await scene.get(path);
    const document = /name="document" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect(document).not.toBe('');
    const { seen } = formOf(page.body);
    const answer = await reply(path, { seen: seen ?? '', text: 'Nov 3, 2026.', document });
    expect(answer.statusCode).toBe(303);
    expect(scene.cases.ofRounds).toMatchObject([
      {
        name: 'reply',
        request: { round: 1, text: 'Nov 3, 2026.', completes: false, documents: [{ title: expect.any(String) }] },
      },
    ]);
  });

  test.each(['reply_crossed', 'round_over', 'reply_decided'] as const)(
    'that is refused (%s) says why, and what was typed stays',
    async (code) => {
      const path = put();
      scene.cases.refusesReply = new BridgeError(code);
      const answer = await reply(path, { seen: '1', text: 'What I typed.' });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain('What I typed.');
      expect(answer.body).toContain('role="alert"');
    },
  );

  test.each<readonly [string, Partial<Round>, Partial<AnyCase>]>([
    ['by its deadline', { ended: { at: '2026-11-21T14:10:00.000Z', by: 'bridge', how: 'service' } }, {}],
    [
      'with the decision',
      { ended: { at: '2026-11-21T14:10:00.000Z', by: 'bridge', how: 'decided' } },
      { state: 'ended', status: 'completed', record: { id: 'pa_77', status: 'completed' } },
    ],
    ['by a colleague', { ended: { at: '2026-11-21T14:10:00.000Z', by: { name: 'Nurse Noor' }, how: 'closed' } }, {}],
    ['by a colleague’s reply, which is under way', { replies: [{ ...printed, state: 'leaving' }] }, {}],
  ])('to a question that was closed %s meanwhile says why, and what was typed stays', async (_how, change, one) => {
    const path = put([{ ...round, ...change }], one);
    scene.cases.refusesReply = new BridgeError('round_over');
    const answer = await reply(path, { seen: '1', text: 'What I typed.' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('role="alert"');
    expect(answer.body).toMatch(/<textarea[^>]*readonly[^>]*>What I typed\.<\/textarea>/);
    expect(answer.body.match(/What I typed\./g)).toHaveLength(1);
  });

  test('whose answer was lost asks whether it arrived, and offers no second one', async () => {
    const { body } = await scene.get(put([{ ...round, replies: [{ ...printed, state: 'unclear' }] }]));
    expect(body).toContain('Did the reply arrive?');
    expect(body).not.toContain('value="reply"');
  });

  test('on paper is a packet, and a person says how it was sent', async () => {
    const path = put([{ ...round, replies: [printed] }]);
    const { body } = await scene.get(path);
    expect(body).toContain(`href="${path}/replies/key-of-reply.pdf"`);
    await act(path, { action: 'reply-sent', key: printed.key, on: '2026-11-21', how: 'fax', completes: 'yes' });
    expect(scene.cases.ofRounds).toMatchObject([
      { name: 'sent', request: { key: printed.key, on: '2026-11-21', how: 'fax', completes: true } },
    ]);
  });
});

test('two replies to send by hand have fields of their own, and one leads', async () => {
  const other = { ...round, number: 2, sequence: 'seq_2', replies: [{ ...printed, key: 'key-of-other' }] };
  const { body } = await scene.get(put([{ ...round, replies: [printed] }, other]));
  const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, one]) => one);
  expect(ids).toEqual([...new Set(ids)]);
  expect(body.match(/class="button go"/g)).toHaveLength(1);
});

describe('a question that came on another way', () => {
  test('is noted by a person, where the service tells none of its own', async () => {
    const path = put([], { status: 'awaiting_outcome', record: { id: 'pa_77', status: 'awaiting_outcome' } });
    expect((await scene.get(path)).body).toContain(`href="${path}/questions/new"`);
    expect((await scene.get(`${path}/questions/new`)).body).toContain('What is asked');
  });

  test('may be a fax of the activity log: nothing of it is shown before somebody says so', async () => {
    const activity_log = [{ id: 'rec_fax__1', created_at: '2026-11-21T09:00:00', type: 'received_fax' }];
    const path = put([], {
      status: 'awaiting_outcome',
      record: { id: 'pa_77', status: 'awaiting_outcome', activity_log },
    });
    expect((await scene.get(path)).body).toContain('A fax came from the payer');
    await act(path, { action: 'open-fax', fax: 'rec_fax__1' });
    expect(scene.cases.ofRounds).toMatchObject([{ name: 'open', request: { fax: 'rec_fax__1' } }]);
  });
});

test('a page that is old says so while somebody types, and keeps what is typed', async () => {
  const path = put();
  const { body } = await scene.get(`${path}/status?seen=old&state=open&rounds=1.1.0..&form=1`);
  expect(body).not.toContain('id="question-news"');
  const changed = await scene.get(`${path}/status?seen=old&state=open&rounds=other&form=1`);
  expect(changed.body).toContain('The payer’s questions have changed.');
  expect(changed.body).not.toContain('<textarea');
});

test('a page with a question and no form for it is loaded again once the question has changed', async () => {
  const path = put();
  const { status, headers } = await scene.get(`${path}/status?seen=old&state=open&rounds=other`);
  expect([status, headers['hx-redirect']]).toEqual([204, path]);
});

test('a page without a question says that one has come, and is not loaded again', async () => {
  const { body } = await scene.get(`${put()}/status?seen=old&state=open&rounds=`);
  expect(body).toContain('The payer’s questions have changed.');
});
