import { describe, expect, test } from 'vitest';
import { letterVersion } from '../../src/writeback/case-facts.ts';
import { asksProvenance } from '../../src/writeback/channel-plan.ts';
import type { LedgerEntry } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { taskVersion } from '../../src/writeback/resources/task.ts';
import { testSite } from '../support/site.ts';
import { aCase, approval, at, denial } from './support.ts';

// What a chart lacks beside the Task: rows of another version, or of what was tried before.

const site = testSite();
const approved = aCase(at('completed', approval));
const document: LedgerEntry = {
  what: 'document',
  version: letterVersion(approved),
  state: 'done',
  attempts: 1,
  reference: 'DocumentReference/1',
  at: '2026-11-21T09:31:00.000Z',
};
const others = (row: LedgerEntry) => {
  const told = { ...approved, writes: [document, row] };
  const task: LedgerEntry = { ...document, what: 'task', version: taskVersion(told, told.writes), reference: 'Task/1' };
  const all = outstanding(site, { ...told, writes: [document, task, row] });
  return all.filter(({ what }) => what !== 'task');
};
const { reference: _, ...unwritten } = document;
const before: LedgerEntry = { ...unwritten, version: letterVersion(aCase(at('completed', denial))) };

test('a Provenance is asked for by a scope of the site that writes, not by a wildcard', () => {
  const asks = (scopes: string, channels: readonly string[] = ['task+document', 'document', 'worklist']) =>
    asksProvenance(testSite({ scopes, writeback: { channels } }));
  expect(asks('launch user/Provenance.c')).toBe(true);
  expect(asks('launch user/*.cruds')).toBe(false);
  expect(asks('launch user/Provenance.r')).toBe(false);
  expect(asks('launch user/Provenance.c', ['worklist'])).toBe(false);
});

describe('a letter of an earlier version', () => {
  test.each<[string, Partial<LedgerEntry>, boolean]>([
    ['whose answer was lost', { state: 'unknown', looks: 1 }, true],
    ['that was on its way', { state: 'in_flight' }, true],
    ['that the EHR stored without saying where', { state: 'stored', looks: 4 }, true],
    ['that was stored and not found in five looks', { state: 'stored', looks: 5 }, false],
    ['that was let be written once more', { state: 'planned', looks: 3 }, true],
    ['that was planned and never sent', { state: 'planned' }, false],
    ['that waits for a token', { state: 'waiting' }, false],
    ['that is done', { state: 'done', reference: 'DocumentReference/2' }, false],
    ['that is done and may be there twice', { state: 'done', reference: 'DocumentReference/2', looks: 3 }, true],
    ['that failed', { state: 'failed' }, false],
  ])('%s: looked at %s', (_, changes, isLookedAt) => {
    const row: LedgerEntry = { ...before, ...changes };
    expect(others(row)).toEqual(isLookedAt ? [row] : []);
  });
});

describe('a copy to be taken back, and a letter of the payer', () => {
  test.each<[LedgerEntry['what'], LedgerEntry['state'], boolean]>([
    ['double', 'planned', true],
    ['double', 'waiting', true],
    ['double', 'retracted', false],
    ['double', 'failed', false],
    ['determination', 'planned', true],
    ['determination', 'waiting', true],
    ['determination', 'skipped', false],
  ])('%s that is %s is outstanding: %s', (what, state, isOutstanding) => {
    const row: LedgerEntry = { ...unwritten, what, version: 'DocumentReference/9', state };
    expect(others(row)).toEqual(isOutstanding ? [row] : []);
  });
});
