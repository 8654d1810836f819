import { expect, test } from 'vitest';
import { eventText } from '../../src/cases/events.ts';

const about = { kind: 'prior-auth', cancellation: undefined } as const;

test.each([
  ['draft_opened', {}, 'Draft opened'],
  ['sent', { attempt: 1 }, 'Sent'],
  ['sent', { attempt: 2 }, 'Sent (request 2 of this case)'],
  ['accepted', {}, 'Accepted by the service'],
  ['refused', {}, 'Refused by the service'],
  ['not_sent', {}, 'Not sent'],
  ['unclear', {}, 'Sent. No confirmation received'],
  ['found', {}, 'Found at the service'],
  ['not_arrived', {}, 'Checked: it did not arrive'],
  ['cancel_asked', {}, 'Cancellation requested'],
  ['writeback_asked', {}, 'Saving to the chart requested'],
  ['arrived_cancelled', { service_id: 'pa_9' }, 'The request had arrived (pa_9) and was canceled there'],
  ['letter_kept', {}, 'The payer’s letter was fetched'],
  ['letter_asked', {}, 'Asked to fetch the payer’s letter again'],
  ['appeal_noted', { on: '' }, 'Appeal deadline removed'],
  ['approved_noted', { quantity: '15', days: '', strength: '' }, 'Approved by the letter, not as ordered: quantity 15'],
  [
    'approved_noted',
    { quantity: '', days: '', strength: '', from: '', until: '2027-05-31', number: 'A-17' },
    'Approved as ordered, by the letter; through May 31, 2027, authorization number A-17',
  ],
  ['approved_noted', { quantity: '', days: '', strength: '' }, 'Approved as ordered, by the letter'],
  ['retract_asked', {}, 'A letter in the chart was reported as wrong'],
  ['assigned', {}, 'Assigned to nobody'],
  ['taken_over', {}, 'Taken over'],
  ['note_added', {}, 'Note added for colleagues'],
  ['marked_done', {}, 'Marked as done'],
  ['followed', { case: 'c2' }, 'Followed by a new request'],
  ['followed', {}, 'The new request that followed was canceled'],
] as const)('the event %s %j is “%s”', (type, facts, text) => {
  expect(eventText({ type, facts }, about)).toBe(text);
});

test('who it was assigned to, or taken over from, is named where the name is known', () => {
  const about = { kind: 'prior-auth', cancellation: undefined, users: { 'Practitioner/2': 'Ruth Amari' } } as const;
  const text = (type: string, facts: Record<string, string>) => eventText({ type, facts }, about);
  expect(text('assigned', { to: 'Practitioner/2' })).toBe('Assigned to Ruth Amari');
  expect(text('assigned', { to: 'Practitioner/9' })).toBe('Assigned to a colleague');
  expect(text('taken_over', { from: 'Practitioner/2' })).toBe('Taken over from Ruth Amari');
});

test('the acceptance of an enrollment names the support program', () => {
  const enrollment = { ...about, kind: 'enrollment' } as const;
  expect(eventText({ type: 'accepted', facts: {} }, enrollment)).toBe('Accepted by the support program');
});

test('a reason for the cancellation stands behind it', () => {
  const cancelled = { ...about, cancellation: 'another drug' };
  expect(eventText({ type: 'cancel_asked', facts: {} }, cancelled)).toBe('Cancellation requested: another drug');
});
