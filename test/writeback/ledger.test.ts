import { describe, expect, test } from 'vitest';
import {
  follows,
  type LedgerEntry,
  letterInChart,
  lettersInChart,
  mayBeDoubled,
  mayExist,
  summaryRows,
  toDoByHand,
  type WrittenKind,
  writtenByUs,
  wrongInChart,
} from '../../src/writeback/ledger.ts';

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

const rowOfKind = (what: WrittenKind, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  what,
  version: 'denied',
  state: 'done',
  attempts: 1,
  reference: `${what}/1`,
  at: '2026-11-21T10:00:00.000Z',
  ...changes,
});

describe('what we wrote ourselves wants a Provenance', () => {
  test.each<[string, LedgerEntry, boolean]>([
    ['a document that is done', rowOfKind('document'), true],
    ['the payer’s letter that is done', rowOfKind('determination'), true],
    ['a document that is not done', rowOfKind('document', { state: 'unknown' }), false],
    ['a document that was taken back', rowOfKind('document', { state: 'retracted' }), false],
    ['a document that was there before we wrote', rowOfKind('document', { attempts: 0 }), false],
    ['a Task that is done', rowOfKind('task'), true],
    ['a Task that is to be brought up to date', rowOfKind('task', { state: 'planned' }), true],
    ['a Task that was taken back', rowOfKind('task', { state: 'retracted' }), false],
    ['a Provenance', rowOfKind('provenance'), false],
    ['a copy that is to be taken back', rowOfKind('double'), false],
  ])('%s', (_, row, isWritten) => {
    expect(writtenByUs([row])).toEqual(isWritten ? [`${row.what}/1`] : []);
  });
});

describe('letters in the chart', () => {
  const letters = [rowOfKind('document'), rowOfKind('determination'), rowOfKind('communication')];
  const others = [
    rowOfKind('task'),
    rowOfKind('provenance'),
    rowOfKind('document', { state: 'unknown' }),
    rowOfKind('determination', { state: 'retracted' }),
  ];

  test('are our summary and the payer’s own, where they are done', () => {
    expect(lettersInChart([...others, ...letters])).toEqual(letters);
  });

  test('are known by their reference', () => {
    expect(letterInChart([...letters, ...others], 'determination/1')).toBe(letters[1]);
    expect(letterInChart([...letters, ...others], 'task/1')).toBeUndefined();
  });

  test('that a person has called wrong are those that the EHR does not let us mark', () => {
    const left = rowOfKind('document', { reason: `mark it as entered in error ${toDoByHand}` });
    expect(wrongInChart([...letters, left, rowOfKind('determination', { reason: 'no scope' })])).toEqual([left]);
  });
});

describe('what is not known of a write', () => {
  test.each<[LedgerEntry['state'], boolean]>([
    ['done', true],
    ['skipped', true],
    ['failed', true],
    ['planned', false],
    ['waiting', false],
    ['retracted', false],
  ])('a row that is %s and was looked for may have a second copy: %s', (state, isPossible) => {
    expect(mayBeDoubled(rowOfKind('document', { state, looks: 1 }))).toBe(isPossible);
    expect(mayBeDoubled(rowOfKind('document', { state }))).toBe(false);
    expect(mayBeDoubled({ what: 'document', version: 'v', state, attempts: 1, looks: 1, at: '2026-11-21' })).toBe(
      false,
    );
  });

  test.each<[LedgerEntry['state'], boolean]>([
    ['in_flight', true],
    ['unknown', true],
    ['stored', true],
    ['planned', false],
    ['failed', false],
  ])('a row that is %s and has no reference may be in the chart: %s', (state, isPossible) => {
    const row: LedgerEntry = { what: 'document', version: 'v', state, attempts: 1, at: '2026-11-21' };
    expect(mayExist(row)).toBe(isPossible);
    expect(mayExist({ ...row, looks: 0 })).toBe(true);
    expect(mayExist({ ...row, reference: 'DocumentReference/1' })).toBe(false);
  });
});
