import { describe, expect, test } from 'vitest';
import { approvedDifferences, differenceText, termsIn } from '../../src/cases/approved.ts';
import { caseOf } from '../../src/cases/assemble.ts';
import { outcomeOf } from '../../src/cases/case.ts';
import { factsOf } from '../../src/cases/facts-of-case.ts';
import { approvedNote } from '../../src/cases/letter-terms.ts';
import { worklistStanding } from '../../src/cases/worklist-entry.ts';
import type { StoredEvent } from '../../src/store/types.ts';
import { at, head, record, sealed, sent, stored } from './stored.ts';

type Terms = { quantity?: number; days_supply?: number; strength?: string };

const noted = (facts: StoredEvent['facts']): StoredEvent => ({
  ...{ id: 1, at, type: 'approved_noted', actor: 'user', facts },
});

/** A request that ended, with what was asked for, what the service's record says, and what was entered. */
function ended(
  asked: Terms,
  recorded: Terms,
  {
    result = 'Approved',
    events = [] as StoredEvent[],
  }: { result?: 'Approved' | 'Denied'; events?: StoredEvent[] } = {},
) {
  return caseOf(
    stored({
      state: 'ended',
      attempt: 1,
      serviceId: 'pa_1',
      status: 'completed',
      sentAt: at,
      endedAt: at,
      events,
      head: sealed({ ...head, askedTerms: termsIn({ prescription: asked }) }),
      submissions: [sent(1, 'accepted')],
      record: sealed({
        ...record({ status: 'completed', outcome: { result, detail_code: codes[result] } }),
        prescription: recorded,
      }),
    }),
  );
}

const codes = { Approved: 'approval', Denied: 'medical_necessity_criteria_not_met' };
const told = (one: ReturnType<typeof ended>) => approvedDifferences(one).map(differenceText);

describe('what was approved otherwise than ordered', () => {
  const asked = { quantity: 30, days_supply: 30, strength: '40 MG/0.4 ML' };

  test.each([
    ['nothing, where the record has it as asked', asked, []],
    ['nothing for another spelling', { ...asked, strength: '40 mg/0.4 mL' }, []],
    ['a quantity', { ...asked, quantity: 15 }, ['quantity 15 (ordered 30)']],
    ['days', { ...asked, days_supply: 28 }, ['days of supply 28 (ordered 30)']],
    ['a strength', { ...asked, strength: '20 MG/0.4 ML' }, ['strength 20 MG/0.4 ML (ordered 40 MG/0.4 ML)']],
    ['nothing, where the record is silent', {}, []],
  ])('is %s', (_, recorded, expected) => {
    expect(told(ended(asked, recorded))).toEqual(expected);
  });

  test('is nothing for a denial, and for what the request did not state', () => {
    expect(told(ended(asked, { quantity: 15 }, { result: 'Denied' }))).toEqual([]);
    expect(told(ended({ quantity: 30 }, { quantity: 30, days_supply: 30 }))).toEqual([]);
  });

  test('is by the letter where a person entered it, over the record', () => {
    const events = [noted({ quantity: '10', days: '', strength: '' })];
    const one = ended(asked, { ...asked, quantity: 15 }, { events });
    expect(approvedDifferences(one)).toEqual([{ term: 'quantity', approved: '10', asked: '30', source: 'letter' }]);
    expect(approvedNote([...events, noted({ quantity: '', days: '', strength: '' })])).toBeUndefined();
  });

  test('stands in the line of the worklist', () => {
    const { says } = worklistStanding(ended(asked, { ...asked, quantity: 15 }));
    expect(says).toBe('Approved, not as ordered: quantity 15 (ordered 30)');
    expect(worklistStanding(ended(asked, asked)).says).toBe('Approved');
  });

  test('the dates of the letter count over those of the record, also for the renewal and the chart', () => {
    const terms = { quantity: '', days: '', strength: '', from: '2026-12-01', until: '2027-05-31', number: 'A-17' };
    const one = ended(asked, asked, { events: [noted(terms)] });
    const dates = { authorizationStart: '2026-12-01', authorizationExpiration: '2027-05-31' };
    expect(outcomeOf(one)).toMatchObject(dates);
    expect(worklistStanding(one)).toMatchObject({ approvalEnd: '2027-05-31', says: 'Approved' });
    expect(factsOf(one).record).toMatchObject({ outcome: { authorization_expiration: '2027-05-31' } });
    expect(approvedNote([noted(terms)])?.number).toBe('A-17');
  });
});
