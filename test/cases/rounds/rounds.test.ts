import { describe, expect, test } from 'vitest';
import { roundsOf } from '../../../src/cases/case.ts';
import { job } from '../../../src/cases/jobs.ts';
import { roundSeen, roundStanding } from '../../../src/cases/rounds/round.ts';
import { maskedText } from '../../../src/cases/rounds/secrets.ts';
import { BridgeError } from '../../../src/core/errors.ts';
import { type MemoryClinic, memoryClinic, outreach } from './memory.ts';

const by = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const colleague = { fhirUser: 'Practitioner/n1', name: 'Nurse Noor' };
const question = { message: 'Please send the date of the last visit.' };

const rounds = async (clinic: MemoryClinic) => roundsOf(await clinic.one());
const seen = async (clinic: MemoryClinic, number = 1) => roundSeen((await rounds(clinic))[number - 1]!);
const standings = async (clinic: MemoryClinic) => (await rounds(clinic)).map(roundStanding);
const says = (clinic: MemoryClinic) => clinic.stored().events.map(({ type }) => type);

async function told(clinic: MemoryClinic, event: Parameters<typeof outreach>[1]): Promise<string> {
  const serviceId = clinic.service.id(1);
  const answer = await clinic.cases.receiveWebhook(clinic.site, outreach(serviceId, event), { isSigned: true });
  await clinic.work();
  return answer;
}

const asked = (more: object = {}) => ({
  event: 'e1',
  id: 'prov_outreach_1',
  outreach_sequence_id: 'seq_1',
  state: 'sent',
  channel: 'fax',
  purpose: 'request_information',
  at: '2026-11-21T10:00:00Z',
  transmission: question,
  ...more,
});

async function reply(clinic: MemoryClinic, more: object = {}) {
  const request = { round: 1, seen: await seen(clinic), text: 'Nov 3, 2026.', documents: [], completes: true, by };
  return await clinic.cases.reply(clinic.id, { ...request, ...more });
}

describe('an event of the service', () => {
  test('that was told before its record was known to be of the case is taken up with the record', async () => {
    const clinic = memoryClinic();
    const serviceId = clinic.service.id(1);
    await clinic.cases.receiveWebhook(clinic.site, outreach(serviceId, asked()), { isSigned: true });
    clinic.jobs.length = 0;
    await clinic.context.store.enqueue([
      job('match', clinic.site, { site: clinic.site, serviceId, kind: 'prior-auth' }),
    ]);
    await clinic.work();
    expect(says(clinic)).toEqual(['asked']);
  });

  test('becomes a round of the case: what was asked, on which channel, until when', async () => {
    const clinic = memoryClinic();
    expect(await told(clinic, asked({ respond_by: '2026-12-01' }))).toBe('accepted');
    expect(await rounds(clinic)).toMatchObject([
      {
        number: 1,
        from: 'service',
        sequence: 'seq_1',
        until: '2026-12-01',
        asked: [
          { channel: 'fax', state: 'sent', fields: [{ name: 'message', text: question.message }], isSigned: true },
        ],
        replies: [],
      },
    ]);
    expect(says(clinic)).toEqual(['asked']);
  });

  test('changes nothing the second time, by its id and by what it says', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked());
    const before = clinic.stored();
    expect(await told(clinic, asked())).toBe('duplicate');
    expect(await told(clinic, asked({ event: 'e2' }))).toBe('accepted');
    expect(clinic.stored().rounds?.hash).toBe(before.rounds?.hash);
    expect(says(clinic)).toEqual(['asked']);
  });

  test('that comes late does not take back what a later one told', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked({ event: 'e2', state: 'expired', at: '2026-11-21T12:00:00Z' }));
    await told(clinic, asked({ state: 'sent', at: '2026-11-21T10:00:00Z' }));
    expect((await rounds(clinic))[0]?.asked).toMatchObject([{ state: 'expired' }]);
  });

  test('of a second channel, and of a retry under a new id, belongs to the same round', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked());
    await told(clinic, asked({ event: 'e2', id: 'prov_outreach_2', channel: 'direct_message' }));
    await told(clinic, asked({ event: 'e3', state: 'expired', at: '2026-11-21T11:00:00Z' }));
    await told(clinic, asked({ event: 'e4', id: 'prov_outreach_3', at: '2026-11-21T11:05:00Z' }));
    expect((await rounds(clinic)).map(({ asked: each }) => each.map(({ id, state }) => [id, state]))).toEqual([
      [
        ['prov_outreach_1', 'expired'],
        ['prov_outreach_2', 'sent'],
        ['prov_outreach_3', 'sent'],
      ],
    ]);
    expect(await standings(clinic)).toEqual(['open']);
  });

  test('before the record, and the record before the event, are one round', async () => {
    const first = memoryClinic();
    await told(first, asked());
    first.service.move(first.service.id(1), { status: 'awaiting_provider_response' });
    await first.cases.refresh(first.id);
    const second = memoryClinic();
    second.service.move(second.service.id(1), { status: 'awaiting_provider_response' });
    await second.cases.refresh(second.id);
    expect(await rounds(second)).toMatchObject([{ from: 'status', asked: [] }]);
    await told(second, asked());
    for (const clinic of [first, second])
      expect(await rounds(clinic)).toMatchObject([{ number: 1, from: 'service', sequence: 'seq_1', asked: [{}] }]);
  });

  test('never comes: the record alone opens a round, and ends it', async () => {
    const clinic = memoryClinic();
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_provider_response' });
    await clinic.cases.refresh(clinic.id);
    expect(await standings(clinic)).toEqual(['open']);
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_outcome' });
    await clinic.cases.refresh(clinic.id);
    expect(await rounds(clinic)).toMatchObject([{ ended: { how: 'service' } }]);
  });

  test('that tells the end of the sequence ends the round, and a decision ends all', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked());
    await told(clinic, asked({ event: 'e2', sequenceState: 'ended', at: '2026-11-21T12:00:00Z' }));
    expect(await rounds(clinic)).toMatchObject([{ ended: { by: 'bridge', how: 'service' } }]);
    await told(clinic, asked({ event: 'e3', id: 'p9', outreach_sequence_id: 'seq_2' }));
    clinic.service.move(clinic.service.id(1), { status: 'completed', outcome: { result: 'Approved' } });
    await clinic.cases.refresh(clinic.id);
    expect((await rounds(clinic)).map(({ ended }) => ended?.how)).toEqual(['service', 'decided']);
  });

  test('that tells an outcome opens no round', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked({ purpose: 'outcome_notification', transmission: { message: 'It was approved.' } }));
    expect(await rounds(clinic)).toEqual([]);
  });

  test('keeps words of a later version as they are', async () => {
    const clinic = memoryClinic();
    await told(clinic, asked({ state: 'teleported', channel: 'pigeon', purpose: 'ask_for_information_2' }));
    await told(clinic, asked({ event: 'e2', id: 'p2', outreach_sequence_id: 'seq_2' }));
    expect((await rounds(clinic))[0]?.asked).toMatchObject([{ state: 'teleported', channel: 'pigeon' }]);
  });

  test('without a reference to a prior authorization is no event of ours', async () => {
    const clinic = memoryClinic();
    const { data, ...event } = outreach(clinic.service.id(1), asked());
    const { prior_authorization_id: _, ...rest } = data;
    expect(await clinic.cases.receiveWebhook(clinic.site, { ...event, data: rest })).toBe('ignored');
  });
});

describe('files of a question', () => {
  const transmission = {
    ...question,
    attachments: [{ name: 'Form.pdf', url: 'https://service.example/f?sig=CANARY' }],
  };

  test('are fetched at once and kept with the case, without their address', async () => {
    const clinic = memoryClinic();
    clinic.service.file = Buffer.from('%PDF-1.7');
    await told(clinic, asked({ transmission }));
    const [file] = (await rounds(clinic))[0]?.asked[0]?.files ?? [];
    expect(file).toMatchObject({ name: 'Form.pdf', state: 'kept', type: 'application/pdf' });
    expect(file).not.toHaveProperty('url');
    expect((await clinic.cases.questionFile(clinic.id, file!.id))?.bytes).toEqual(Buffer.from('%PDF-1.7'));
  });

  test('whose link has ended are told as gone, and a link that comes anew is tried', async () => {
    const clinic = memoryClinic();
    clinic.service.next.download.push(new BridgeError('service_file_refused', { reason: 'status', http: 410 }));
    await told(clinic, asked({ transmission }));
    expect((await rounds(clinic))[0]?.asked[0]?.files).toMatchObject([{ state: 'gone' }]);
    clinic.service.file = Buffer.from('%PDF-1.7');
    const anew = { ...question, attachments: [{ name: 'Form.pdf', url: 'https://service.example/f?sig=new' }] };
    await told(clinic, asked({ event: 'e2', at: '2026-11-21T10:30:00Z', transmission: anew }));
    expect((await rounds(clinic))[0]?.asked[0]?.files).toMatchObject([{ state: 'kept' }]);
  });

  test('are tried again while the service is busy', async () => {
    const clinic = memoryClinic();
    clinic.service.file = Buffer.from('%PDF-1.7');
    clinic.service.next.download.push(new BridgeError('service_unreachable'));
    await told(clinic, asked({ transmission }));
    expect((await rounds(clinic))[0]?.asked[0]?.files).toMatchObject([{ state: 'due' }]);
    await clinic.pass(10);
    expect((await rounds(clinic))[0]?.asked[0]?.files).toMatchObject([{ state: 'kept' }]);
  });
});

describe('a reply', () => {
  async function askedClinic(outreachEndField?: string) {
    const clinic = memoryClinic('current', outreachEndField);
    await told(clinic, asked());
    return clinic;
  }

  test('is stored before it leaves, leaves once, and does not end the round by itself', async () => {
    const clinic = await askedClinic();
    const stored = await reply(clinic, {
      documents: [{ title: 'Visit note', date_created: '2026-11-03T00:00:00.000000', content: { text: 'Seen.' } }],
    });
    expect(roundsOf(stored)[0]?.replies).toMatchObject([
      { state: 'queued', text: 'Nov 3, 2026.', documents: ['Visit note'] },
    ]);
    expect(clinic.service.amendments).toEqual([]);
    await clinic.work();
    expect(clinic.service.amendments).toHaveLength(1);
    const { evidence, ends } = clinic.service.amendments[0]!.amendment;
    expect(evidence.map(({ content }) => content)).toEqual([
      { kind: 'Reply of the practice to the payer', text: 'Nov 3, 2026.', enclosed: ['Visit note'] },
      { text: 'Seen.' },
    ]);
    expect(ends).toBeUndefined();
    expect(await standings(clinic)).toEqual(['answered']);
    expect(says(clinic)).toEqual(['asked', 'replied', 'reply_accepted']);
  });

  test('of documents alone has no text', async () => {
    const clinic = await askedClinic();
    const visit = { title: 'Visit note', date_created: '2026-11-03T00:00:00.000000', content: { text: 'Seen.' } };
    await reply(clinic, { text: '', documents: [visit] });
    await clinic.work();
    expect(clinic.service.amendments[0]?.amendment.evidence[0]?.content).toEqual({
      kind: 'Reply of the practice to the payer',
      enclosed: ['Visit note'],
    });
  });

  test('ends the round where the person says that this is all, and the site names the field', async () => {
    const clinic = await askedClinic('outreach_complete');
    await reply(clinic);
    await clinic.work();
    expect(clinic.service.amendments[0]?.amendment.ends).toBe('outreach_complete');
    expect(await rounds(clinic)).toMatchObject([{ ended: { how: 'all', by } }]);
  });

  test('stays ended when the record still says for a while that the practice is asked', async () => {
    const clinic = await askedClinic('outreach_complete');
    await reply(clinic);
    await clinic.work();
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_provider_response' });
    await clinic.cases.refresh(clinic.id);
    await told(clinic, asked({ event: 'late', state: 'delivered', at: '2026-11-21T10:01:00Z' }));
    expect(await standings(clinic)).toEqual(['ended']);
  });

  test('twice is one reply', async () => {
    const clinic = await askedClinic();
    const view = await seen(clinic);
    await Promise.all([reply(clinic, { seen: view }), reply(clinic, { seen: view })]);
    await clinic.work();
    await reply(clinic, { seen: view });
    await clinic.work();
    expect(clinic.service.amendments).toHaveLength(1);
  });

  test('of a colleague is not overwritten', async () => {
    const clinic = await askedClinic();
    const view = await seen(clinic);
    await reply(clinic, { seen: view });
    await expect(reply(clinic, { seen: view, text: 'Nov 4, 2026.', by: colleague })).rejects.toMatchObject({
      code: 'reply_crossed',
    });
    await clinic.work();
    expect(clinic.service.amendments).toHaveLength(1);
  });

  test('whose answer was lost is not sent again: the record shows it', async () => {
    const clinic = await askedClinic('outreach_complete');
    clinic.service.next.amend.push('lost-after');
    await reply(clinic);
    await clinic.work();
    expect(clinic.service.amendments).toHaveLength(1);
    await clinic.pass(60);
    expect(clinic.service.amendments).toHaveLength(1);
    expect(await standings(clinic)).toEqual(['ended']);
  });

  test('that got lost before it arrived waits for a person, who may send it again', async () => {
    const clinic = await askedClinic();
    clinic.service.next.amend.push('lost-before');
    await reply(clinic);
    await clinic.pass(3600);
    expect(await standings(clinic)).toEqual(['unclear']);
    expect(clinic.service.amendments).toEqual([]);
    await expect(reply(clinic, { text: 'Another.' })).rejects.toMatchObject({ code: 'reply_crossed' });
    const { key } = (await rounds(clinic))[0]!.replies[0]!;
    await clinic.cases.settleReply(clinic.id, { key, arrived: false, by });
    await reply(clinic);
    await clinic.work();
    expect(clinic.service.amendments).toHaveLength(1);
    expect(await standings(clinic)).toEqual(['answered']);
  });

  test.each([
    ['the service asks to wait', new BridgeError('service_rate_limited', { retry_after_seconds: 60 }), 61],
    ['the service asks to wait and does not say how long', new BridgeError('service_rate_limited'), 31],
    ['the service is not available', new BridgeError('service_error', { http: 503 }), 31],
    ['the service cannot be reached', new BridgeError('service_unreachable'), 31],
  ])('is tried again by itself while %s', async (_, error, seconds) => {
    const clinic = await askedClinic();
    clinic.service.next.amend.push(error);
    await reply(clinic);
    await clinic.work();
    expect(clinic.service.amendments).toEqual([]);
    expect(await standings(clinic)).toEqual(['sending']);
    await clinic.pass(seconds);
    expect(clinic.service.amendments).toHaveLength(1);
  });

  test('that the service refuses says which field, and another may be sent', async () => {
    const clinic = await askedClinic();
    clinic.service.next.amend.push(new BridgeError('service_refused', { fields: ['evidence[0].content'] }));
    await reply(clinic);
    await clinic.work();
    expect((await rounds(clinic))[0]?.replies).toMatchObject([{ state: 'refused', fields: ['evidence[0].content'] }]);
    await reply(clinic, { text: 'Shorter.' });
    await clinic.work();
    expect(await standings(clinic)).toEqual(['answered']);
  });

  test('to a request that was decided meanwhile does not leave: the record is read first', async () => {
    const clinic = await askedClinic();
    await reply(clinic);
    clinic.service.move(clinic.service.id(1), { status: 'completed', outcome: { result: 'Denied' } });
    await clinic.work();
    expect(clinic.service.amendments).toEqual([]);
    expect((await rounds(clinic))[0]?.replies).toMatchObject([{ state: 'not_sent', code: 'reply_decided' }]);
    await expect(reply(clinic, { text: 'Once more.' })).rejects.toMatchObject({ code: 'reply_decided' });
  });

  test('to a question that the service closed while somebody wrote is refused', async () => {
    const clinic = await askedClinic();
    const view = await seen(clinic);
    await told(clinic, asked({ event: 'e2', sequenceState: 'ended', at: '2026-11-21T12:00:00Z' }));
    await expect(reply(clinic, { seen: view })).rejects.toMatchObject({ code: 'round_over' });
  });

  test('whose process was killed is looked for, not sent again', async () => {
    const clinic = await askedClinic();
    await reply(clinic);
    const { key } = (await rounds(clinic))[0]!.replies[0]!;
    // Between the two, a process can end at any moment.
    await clinic.context.change(clinic.id, 'leave-reply', { key });
    await clinic.work();
    expect(clinic.service.amendments).toEqual([]);
    expect(await standings(clinic)).toEqual(['unclear']);
  });

  test('is asked once more by another text: the round is open again', async () => {
    const clinic = await askedClinic();
    await reply(clinic);
    await clinic.pass(60);
    const again = { message: 'Please send the dose too.' };
    await told(clinic, asked({ event: 'e5', id: 'p5', at: '2026-11-21T13:00:00Z', transmission: again }));
    expect(await standings(clinic)).toEqual(['open']);
    await told(clinic, asked({ event: 'e6', id: 'p6', at: '2026-11-21T13:05:00Z' }));
    expect(await standings(clinic)).toEqual(['open']);
  });

  test('after which the payer asks again is another round, where a person had called the first complete', async () => {
    const clinic = await askedClinic('outreach_complete');
    await reply(clinic);
    await clinic.work();
    const again = { message: 'Please send the dose too.' };
    await told(clinic, asked({ event: 'e5', id: 'p5', at: '2026-11-21T13:00:00Z', transmission: again }));
    expect(await standings(clinic)).toEqual(['ended', 'open']);
  });
});

describe('in the profile documented', () => {
  test('a person opens a round, prints a reply, and says how it was sent', async () => {
    const clinic = memoryClinic('documented');
    await clinic.cases.openRound(clinic.id, { by, text: 'Called: they want the last visit.', until: '2026-12-01' });
    expect(await rounds(clinic)).toMatchObject([{ from: 'person', openedBy: by, until: '2026-12-01' }]);
    await reply(clinic);
    await clinic.work();
    expect(clinic.service.amendments).toEqual([]);
    expect(await standings(clinic)).toEqual(['printed']);
    const { key } = (await rounds(clinic))[0]!.replies[0]!;
    expect((await clinic.cases.replyContent(clinic.id, key))?.[0]?.content).toMatchObject({ text: 'Nov 3, 2026.' });
    await clinic.cases.noteReplySent(clinic.id, { key, on: '2026-11-21', how: 'fax', completes: true, by });
    expect(await rounds(clinic)).toMatchObject([
      { ended: { how: 'all', by }, replies: [{ state: 'sent', how: 'fax' }] },
    ]);
    expect(says(clinic)).toEqual(['asked', 'reply_made', 'reply_sent', 'round_ended']);
  });

  test('a fax of the activity log becomes a round with its file', async () => {
    const clinic = memoryClinic('documented');
    clinic.service.file = Buffer.from('%PDF-1.7');
    const fax = {
      id: 'rec_fax__1',
      created_at: '2026-11-21T09:00:00',
      type: 'received_fax',
      details: { url: 'https://x' },
    };
    clinic.service.move(clinic.service.id(1), { activity_log: [fax] });
    await clinic.cases.openRound(clinic.id, { by, text: '', fax: 'rec_fax__1' });
    await clinic.cases.openRound(clinic.id, { by, text: '', fax: 'rec_fax__1' });
    await clinic.work();
    expect(await rounds(clinic)).toMatchObject([{ from: 'fax', asked: [{ files: [{ state: 'kept' }] }] }]);
  });

  test('one that was opened by mistake is closed without a reply', async () => {
    const clinic = memoryClinic('documented');
    await clinic.cases.openRound(clinic.id, { by, text: 'Wrong patient.' });
    await clinic.cases.closeRound(clinic.id, { round: 1, by });
    expect(await rounds(clinic)).toMatchObject([{ ended: { how: 'closed', by } }]);
  });
});

test('a reply of a later version is kept, and nothing is offered for its round', async () => {
  const clinic = memoryClinic();
  await told(clinic, asked());
  await reply(clinic);
  const round = (await rounds(clinic))[0]!;
  const replies = round.replies.map((one) => ({ ...one, state: 'beamed' }));
  expect(roundStanding({ ...round, replies })).toBe('unknown');
});

test('a label with its value is one part, which its label names', async () => {
  const clinic = memoryClinic();
  const fields = [
    { label: 'Access code', value: 4821 },
    { label: 'Case', value: 'PA-4711' },
  ];
  await told(clinic, asked({ transmission: { message: 'Please answer.', fields } }));
  const [round] = await rounds(clinic);
  expect(round?.asked[0]?.fields.map((field) => [field.name, maskedText(field, '•••')])).toEqual([
    ['message', 'Please answer.'],
    ['Access code', '•••'],
    ['Case', 'PA-4711'],
  ]);
});

describe('a record that still asks after a reply that was all', () => {
  async function answered(clinic: MemoryClinic) {
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_provider_response' });
    await clinic.cases.refresh(clinic.id);
    await told(clinic, asked());
    await reply(clinic);
    await clinic.work();
  }

  test('opens another question an hour later, since its event was lost', async () => {
    const clinic = memoryClinic('current', 'outreach_complete');
    await answered(clinic);
    expect(await standings(clinic)).toEqual(['ended']);
    await clinic.pass(3500);
    await clinic.cases.refresh(clinic.id);
    expect(await standings(clinic)).toEqual(['ended']);
    await clinic.pass(200);
    expect(await rounds(clinic)).toMatchObject([{ ended: { how: 'all' } }, { number: 2, from: 'status', replies: [] }]);
    await clinic.pass(10_000);
    expect(await standings(clinic)).toEqual(['ended', 'open']);
  });

  test('opens none where the service has moved on', async () => {
    const clinic = memoryClinic('current', 'outreach_complete');
    await answered(clinic);
    clinic.service.move(clinic.service.id(1), { status: 'awaiting_outcome' });
    await clinic.pass(10_000);
    expect(await standings(clinic)).toEqual(['ended']);
  });

  test('opens none where a person has closed the last question', async () => {
    const clinic = memoryClinic('current', 'outreach_complete');
    await answered(clinic);
    await clinic.pass(3700);
    await clinic.cases.closeRound(clinic.id, { round: 2, by });
    await clinic.pass(10_000);
    await clinic.cases.refresh(clinic.id);
    expect(await standings(clinic)).toEqual(['ended', 'ended']);
  });
});

test('nothing of a question reaches the log', async () => {
  const clinic = memoryClinic();
  clinic.service.next.download.push(new BridgeError('service_file_refused', { reason: 'status', http: 410 }));
  const transmission = {
    message: 'CANARY-TEXT, password: CANARY-SECRET',
    attachments: [{ name: 'CANARY-FILE.pdf', url: 'https://service.example/CANARY-LINK' }],
  };
  await told(clinic, asked({ transmission }));
  clinic.service.next.amend.push('lost-before');
  await reply(clinic, { text: 'CANARY-REPLY' });
  await clinic.pass(600);
  expect(clinic.logged.length).toBeGreaterThan(0);
  expect(clinic.logged.join('\n')).not.toContain('CANARY');
  expect(JSON.stringify(clinic.stored().events)).not.toContain('CANARY');
  expect(JSON.stringify(clinic.jobs)).not.toContain('CANARY');
});
