import type { Task } from 'fhir/r4.js';
import nock from 'nock';
import { beforeEach, expect, test } from 'vitest';
import { saidBy } from '../../../src/core/fhir/ehr-says.ts';
import { bench, discoverable, ehr, launched, token, tokenEndpoint } from './support.ts';

beforeEach(() => discoverable());

const task: Task = { resourceType: 'Task', status: 'received', intent: 'order', for: { reference: 'Patient/pat-1' } };
const outcome = (...issue: object[]) => ({ resourceType: 'OperationOutcome', issue });
const error = { severity: 'error', code: 'invalid' };

/** What is kept of the EHR's words when it answers a create so; they stand in nothing that is logged. */
async function said(status: number, body: object | string, headers: Record<string, string> = {}): Promise<string> {
  tokenEndpoint({ body: token });
  const on = bench({ limits: { attempts: 1 } });
  const { launch } = await launched(on);
  nock(ehr).post('/fhir/Task').reply(status, body, headers);
  const refusal: unknown = await on.smart
    .api(launch)
    .create(task)
    .catch((thrown: unknown) => thrown);
  if (!(refusal instanceof Error)) throw new TypeError('it was taken');
  expect(JSON.stringify([refusal, refusal.message])).not.toContain('Canary');
  return saidBy(refusal);
}

test.each([
  ['its text', { ...error, details: { text: 'Canary has no team' } }, 'Canary has no team'],
  ['its diagnostics', { ...error, diagnostics: 'Canary has no team' }, 'Canary has no team'],
  [
    'its text before its diagnostics',
    { ...error, details: { text: 'No team.' }, diagnostics: 'at ehr.java:7' },
    'No team.',
  ],
  ['the element', { ...error, diagnostics: 'not allowed', expression: ['Task.intent'] }, 'Task.intent: not allowed'],
  ['the element as DSTU2 has it', { ...error, location: ['/f:Task/f:for'] }, '/f:Task/f:for'],
])('[E7] a write that the EHR refuses keeps what its OperationOutcome says: %s', async (_, issue, words) => {
  expect(await said(422, outcome(issue))).toBe(words);
});

test.each([400, 403, 405, 409, 412, 413, 422, 429, 500, 501, 503])('[E7] whatever the status: %i', async (status) => {
  expect(await said(status, outcome({ ...error, diagnostics: 'Canary has no team' }))).toBe('Canary has no team');
});

test.each([
  ['a problem of RFC 9457', { title: 'Refused', detail: 'Canary has no team' }, {}],
  ['the message of a gateway', { message: 'Canary has no team' }, {}],
  ['an error of OAuth', { error: 'insufficient_scope', error_description: 'Canary has no team' }, {}],
  ['plain text', 'Canary has no team', { 'content-type': 'text/plain; charset=utf-8' }],
  [
    'the header of RFC 6750',
    '',
    { 'www-authenticate': 'Bearer error="insufficient_scope", error_description="Canary has no team"' },
  ],
])('[E7] and what an answer without an OperationOutcome says: %s', async (_, body, headers) => {
  expect(await said(403, body, headers)).toBe('Canary has no team');
});

test('[E7] a page of HTML says nothing, and what is long is cut', async () => {
  expect(await said(502, '<html>Canary</html>', { 'content-type': 'text/html' })).toBe('');
  const many = Array.from({ length: 40 }, (_, index) => ({ ...error, diagnostics: `${index} ${'x'.repeat(900)}` }));
  expect((await said(422, outcome(...many))).length).toBeLessThanOrEqual(5 * 201);
});
