import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { EhrSays } from '../../src/core/fhir/ehr-says.ts';
import type { LedgerEntry } from '../../src/writeback/ledger.ts';
import { isGivenUp, judgeFailure, secondsToNextTry, triedOnceMore } from '../../src/writeback/retry.ts';

describe('why a write failed, in our words', () => {
  test.each<[string, ConstructorParameters<typeof BridgeError>, object]>([
    ['the status', ['ehr_error', { http: 500 }], { verdict: 'retry', reason: /\(HTTP 500\)$/ }],
    ['what is too large', ['ehr_error', { http: 413 }], { verdict: 'pass', reason: /HTTP 413: larger than it takes/ }],
    ['what it will not understand tomorrow', ['ehr_error', { http: 422 }], { verdict: 'fail', reason: /HTTP 422/ }],
    ['a timeout', ['ehr_error', { http: 408 }], { verdict: 'retry' }],
    ['a full queue', ['ehr_error', { http: 429 }], { verdict: 'retry' }],
  ])('%s', (_, failure, expected) => {
    const patterns = Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(judgeFailure(new BridgeError(...failure))).toMatchObject(Object.fromEntries(patterns));
  });

  test('what is no failure of the world is a mistake of ours, and is not tried again', () => {
    expect(judgeFailure(new TypeError('of ours')).verdict).toBe('fail');
    const cause = new EhrSays(['No create here.', 'x'.repeat(700)]);
    const { says } = judgeFailure(new BridgeError('ehr_write_refused', { http: 403 }, { cause }));
    expect(says).toMatch(/^No create here\. x{10}/);
    expect(says).toHaveLength(600);
  });
});

describe('tries are counted', () => {
  const row: LedgerEntry = {
    what: 'task',
    version: 'processing',
    state: 'planned',
    attempts: 1,
    at: '2026-11-21T10:00:00.000Z',
  };
  const later = (seconds: number) => new Date(Date.parse(row.at) + seconds * 1000);
  const tried = (tries: number, seconds: number): LedgerEntry => ({
    ...row,
    tries,
    triedAt: later(seconds).toISOString(),
  });

  test('the first one always', () => {
    expect(triedOnceMore(row, later(1), 30)).toEqual({ tries: 1, triedAt: later(1).toISOString() });
  });

  test('another one only after the wait before it', () => {
    expect(triedOnceMore(tried(1, 0), later(29), 30).tries).toBe(1);
    expect(triedOnceMore(tried(1, 0), later(30), 30).tries).toBe(2);
    expect(triedOnceMore(tried(2, 100), later(219), 30).tries).toBe(2);
    expect(triedOnceMore(tried(2, 100), later(220), 30).tries).toBe(3);
  });

  test('those before the row came to its state are of something else', () => {
    expect(triedOnceMore(tried(7, -1), later(1), 30).tries).toBe(1);
  });

  test.each([
    [0, 30],
    [1, 30],
    [2, 120],
    [3, 600],
    [4, 1200],
    [5, 2400],
    [9, 7200],
  ])('after %s of them the next one is %s seconds away', (tries, seconds) => {
    expect(secondsToNextTry(tries === 0 ? row : tried(tries, 0), later(0), 30)).toBe(seconds);
  });

  test('a wait that is over begins anew', () => {
    expect(secondsToNextTry(tried(1, 0), later(10), 30)).toBe(20);
    expect(secondsToNextTry(tried(1, 0), later(30), 30)).toBe(30);
    expect(secondsToNextTry(tried(1, 0), later(100), 30)).toBe(30);
  });

  test('a person must look after a day and ten tries, not after one of the two', () => {
    const day = 24 * 3600;
    expect(isGivenUp(tried(10, day), later(day))).toBe(true);
    expect(isGivenUp(tried(10, day - 1), later(day - 1))).toBe(false);
    expect(isGivenUp(tried(9, day), later(day))).toBe(false);
  });
});
