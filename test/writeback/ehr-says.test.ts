import { describe, expect, test } from 'vitest';
import type { Log } from '../../src/base/log.ts';
import { BridgeError } from '../../src/core/errors.ts';
import { EhrSays } from '../../src/core/fhir/ehr-says.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { askedAgain, type LedgerEntry } from '../../src/writeback/ledger.ts';
import { retractLetter } from '../../src/writeback/retract.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';
import { aCase, approval, aRequest, at } from './support.ts';

const words = 'Canary Testperson has no care team';
const every = ['create', 'read', 'search-type', 'update'];
const offers = { Task: every, DocumentReference: every };
const refusal = (code: 'ehr_write_refused' | 'ehr_forbidden' | 'ehr_write_unclear' | 'ehr_error', http: number) =>
  new BridgeError(code, { http }, { cause: new EhrSays([words]) });
const approved = aCase(at('completed', approval));

function logged() {
  const lines: unknown[] = [];
  const note = (facts: unknown, message?: string) => void lines.push([facts, message]);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
}

const rowOf = (rows: readonly LedgerEntry[], what: string) => rows.find((row) => row.what === what);

describe('[E7] the words in which the EHR refuses a write are kept with its row, and in no log', () => {
  test.each([
    ['a Task', 'create Task', 'task', refusal('ehr_write_refused', 422), 'failed'],
    ['a document', 'create DocumentReference', 'document', refusal('ehr_write_refused', 400), 'failed'],
    ['a type that is forbidden', 'create Task', 'task', refusal('ehr_forbidden', 403), 'skipped'],
    ['what is tried again', 'create Task', 'task', refusal('ehr_error', 429), 'planned'],
    ['an answer that says nothing certain', 'create Task', 'task', refusal('ehr_write_unclear', 500), 'unknown'],
  ])('%s', async (_, write, what, refused, state) => {
    const api = fakeEhr({ offers });
    api.next.set(write, [refused, refused]);
    const { log, lines } = logged();
    const { rows } = await deliver(aRequest(approved, { api, log }));
    expect(rowOf(rows, what)).toMatchObject({ state, says: words });
    expect(rowOf(rows, what)?.reason).not.toContain('Canary');
    expect(JSON.stringify(lines)).not.toContain('Canary');
  });

  test('an update of the Task', async () => {
    const api = fakeEhr({ offers });
    const first = aRequest(aCase(at('processing')), { api });
    await deliver(first);
    const refused = refusal('ehr_write_refused', 422);
    api.next.set('update Task', [refused, refused, refused]);
    const { log, lines } = logged();
    const { rows } = await deliver(aRequest({ ...approved, writes: first.ledger() }, { api, log }));
    expect(rowOf(rows, 'task')).toMatchObject({ says: words, reason: expect.stringContaining('HTTP 422') });
    expect(JSON.stringify(lines)).not.toContain('Canary');
  });

  test('a letter that a person calls wrong', async () => {
    const api = fakeEhr({ offers });
    const first = aRequest(approved, { api });
    const { rows } = await deliver(first);
    const reference = rowOf(rows, 'document')?.reference ?? '';
    api.next.set('update DocumentReference', [refusal('ehr_write_refused', 422)]);
    const row = await retractLetter(aRequest({ ...approved, writes: rows }, { api }), reference);
    expect(row).toMatchObject({ state: 'done', says: words, reason: expect.stringContaining('in the EHR') });
  });
});

test('[E7] the words go once it is written, refused without any, or asked for again', async () => {
  const api = fakeEhr({ offers });
  api.next.set('create Task', [refusal('ehr_error', 429)]);
  const first = aRequest(approved, { api });
  await deliver(first);
  const planned = rowOf(first.ledger(), 'task');
  expect(planned?.says).toBe(words);
  const wordless = new BridgeError('ehr_write_refused', { http: 422 });
  api.next.set('create Task', [wordless, wordless]);
  const second = aRequest({ ...approved, writes: first.ledger() }, { api });
  const failed = rowOf((await deliver(second)).rows, 'task');
  expect([failed?.state, failed?.says]).toEqual(['failed', undefined]);
  const [asked] = askedAgain([{ ...failed!, says: words }], '2026-11-21T11:00:00Z');
  expect(asked?.says).toBeUndefined();
  const third = aRequest({ ...approved, writes: askedAgain(second.ledger(), '2026-11-21T11:00:00Z') }, { api });
  expect(rowOf((await deliver(third)).rows, 'task')).not.toHaveProperty('says');
});

test('[E7] the words with which an update was refused stay while the EHR is not asked for another', async () => {
  const api = fakeEhr({ offers });
  const first = aRequest(aCase(at('processing')), { api });
  await deliver(first);
  api.next.set('update Task', [refusal('ehr_write_refused', 405)]);
  const { refusals } = first;
  const second = aRequest({ ...aCase(at('awaiting_provider_response')), writes: first.ledger() }, { api, refusals });
  await deliver(second);
  const third = aRequest({ ...approved, writes: second.ledger() }, { api, refusals });
  await deliver(third);
  expect(api.calls.filter((call) => call === 'update Task')).toHaveLength(1);
  expect(rowOf(third.ledger(), 'task')).toMatchObject({ says: words, reason: expect.stringContaining('HTTP 405') });
});

test('[E7] what one patient’s write was refused with is not told at another’s', async () => {
  const api = fakeEhr({ offers });
  const refused = refusal('ehr_write_refused', 501);
  api.next.set('create Task', [refused, refused]);
  const first = aRequest(approved, { api, site: testSite() });
  await deliver(first);
  const other = { ...approved, id: '0b7c1a8e-5d0f-4a39-9c53-0d6a4f6f7f02', patient: 'Patient/p2' };
  const { rows } = await deliver(aRequest(other, { api: fakeEhr({ offers }), refusals: first.refusals }));
  expect(rowOf(rows, 'task')?.reason).toContain('HTTP 501');
  expect(rowOf(rows, 'task')).not.toHaveProperty('says');
});
