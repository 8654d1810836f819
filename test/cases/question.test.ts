import { describe, expect, test } from 'vitest';
import { questionIn } from '../../src/cases/question.ts';
import { visiblePriorAuth } from '../../src/cases/service-record.ts';
import { statuses } from '../../src/core/contract/prior-authorization.ts';

const call = (notes: string) => ({
  id: 'c1',
  created_at: '2026-11-20T15:20:00',
  type: 'follow_up_call',
  details: { notes, transcript: 'CANARY-TRANSCRIPT', recording_url: 'https://service.example/r1' },
});

describe('what the practice is asked', () => {
  test.each([
    'The payer asks for the date of the last visit; the prescriber was asked.',
    'Please send chart notes of the last 6 months.',
    'Which drugs were tried and failed?',
    'Plan needs lab results, attach them.',
    'Quantity 2 or 4?',
  ])('is shown: %s', (notes) => {
    expect(questionIn(call(notes))).toBe(notes);
  });

  test.each([
    'Approved. Please tell the pharmacy.',
    'The request was denied, please appeal.',
    'Step therapy criteria not met; send the dates of the trial.',
    'No PA needed, please tell the patient.',
    'A decision was made. Who should get it?',
    'They ap\u00adproved it, please confirm.',
    'ＡＰＰＲＯＶＥＤ, please confirm',
    'Drug is not covered. Which alternative?',
    'Plan pays for it from today, please confirm.',
    'Good to go, please fax to pharmacy.',
    'Authorization is valid through 2027, please confirm',
    'The first answer belonged to another request.',
    'Member turned 65, they will not take it. Ask Medicare?',
  ])('stays closed when it may tell an outcome: %s', (notes) => {
    expect(questionIn(call(notes))).toBeUndefined();
  });

  test.each(['', '   ', 'Spoke with Mary, reference 123.'])('a note that asks nothing stays closed: "%s"', (notes) => {
    expect(questionIn(call(notes))).toBeUndefined();
  });

  test('nothing is taken from a fax or an activity of another kind', () => {
    for (const type of ['received_fax', 'sent_fax', 'message'])
      expect(questionIn({ ...call('Please send chart notes.'), type })).toBeUndefined();
  });
});

describe('the record before its end', () => {
  const notes = 'Please send chart notes.';
  const log = [
    call(notes),
    { id: 'f1', created_at: '2026-11-20T16:00:00', type: 'sent_fax', details: { url: 'u', notes: 'CANARY-SENT' } },
    { id: 'f2', created_at: '2026-11-20T17:00:00', type: 'received_fax', details: { url: 'u', notes: 'CANARY-FAX' } },
    { id: 'x1', created_at: '2026-11-20T18:00:00', type: 'message', details: { notes: 'CANARY-MESSAGE' } },
  ];
  const noteAt = (status: string) => {
    const [entry, ...others] = visiblePriorAuth({ id: 'pa_1', status, activity_log: log }).activity_log ?? [];
    return { details: entry?.details, others: JSON.stringify(others) };
  };

  test.each(['awaiting_review', 'awaiting_provider_response'])(
    'keeps what is asked at %s, and nothing else',
    (status) => {
      const { details, others } = noteAt(status);
      expect(details).toEqual({ notes });
      expect(others).not.toContain('CANARY');
      expect(others).toContain('f2');
    },
  );

  test.each(['processing', 'awaiting_outcome', 'validating_outcome', 'awaiting_moon_phase', 'cancelled', 'toString'])(
    'keeps no note, transcript or fax at %s',
    (status) => {
      const { details, others } = noteAt(status);
      expect(details).toBeUndefined();
      expect(others).not.toContain('CANARY');
    },
  );

  test('every status that is no end and asks nothing keeps none', () => {
    const keeps = statuses.filter((status) => noteAt(status).details?.notes !== undefined);
    expect(keeps.toSorted()).toEqual([
      'awaiting_provider_response',
      'awaiting_review',
      'completed',
      'failed',
      'not_submitted',
    ]);
  });
});
