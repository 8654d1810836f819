import { describe, expect, test } from 'vitest';
import { follows, type LedgerEntry, summaryRows } from '../../src/writeback/ledger.ts';

// Two deliveries of one case, one of which has lost its lock, or a person meanwhile: whose row stands.

const known: LedgerEntry = {
  what: 'document',
  version: 'denied',
  state: 'in_flight',
  attempts: 1,
  at: '2026-11-21T10:00:00.000Z',
};
const answered: LedgerEntry = { ...known, state: 'done', reference: 'DocumentReference/2' };
const lost: LedgerEntry = { ...known, state: 'unknown', looks: 0 };

describe('a row of the ledger is written over [E11]', () => {
  test('by the delivery that knew it, and the first one where there was none', () => {
    expect(follows([known], lost, known)).toBe(true);
    expect(follows([], known, undefined)).toBe(true);
  });

  test.each<[string, Partial<LedgerEntry>]>([
    ['was sent once more', { attempts: 2 }],
    ['was looked for', { looks: 1 }],
    ['was left to a person', { state: 'failed' }],
    ['was found in the chart', { state: 'done', reference: 'DocumentReference/3' }],
    ['was tried later', { at: '2026-11-21T10:05:00.000Z' }],
  ])('not by one that does not know that it %s', (_, since) => {
    expect(follows([{ ...known, ...since }], lost, known)).toBe(false);
  });

  test('not by one that knows of no row, nor where the row is gone', () => {
    expect(follows([known], lost, undefined)).toBe(false);
    expect(follows([], lost, known)).toBe(false);
  });

  test('by one that says where the copy is, while nobody else knows', () => {
    expect(follows([{ ...known, state: 'unknown', looks: 2 }], answered, known)).toBe(true);
    expect(follows([{ ...known, looks: 1 }], answered, known)).toBe(true);
  });

  test.each<[string, Partial<LedgerEntry>]>([
    ['another delivery has found it elsewhere', { state: 'done', reference: 'DocumentReference/3' }],
    ['a person wants no more tries', { state: 'skipped' }],
    ['a person has asked for another try of what never left', { state: 'planned', attempts: 0 }],
  ])('not even by that one where %s', (_, since) => {
    expect(follows([{ ...known, ...since }], answered, known)).toBe(false);
  });

  test('the Task has one row, whatever it says', () => {
    const task: LedgerEntry = { ...known, what: 'task', version: 'processing' };
    expect(follows([{ ...task, version: 'denied' }], { ...task, state: 'done' }, task)).toBe(false);
    expect(follows([known], task, undefined)).toBe(true);
  });
});

test('our summary of an outcome is its document or its message, and no other row of the version', () => {
  const message: LedgerEntry = { ...known, what: 'communication' };
  const others: readonly LedgerEntry[] = [
    { ...known, what: 'task' },
    { ...known, what: 'determination' },
    { ...known, version: 'approved' },
  ];
  expect(summaryRows([...others, known, message], 'denied')).toEqual([known, message]);
});
