import type { Task } from 'fhir/r4.js';
import nock from 'nock';
import { beforeEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import type { FhirApi } from '../../../src/core/fhir/api.ts';
import { bench, discoverable, ehr, launched, testClock, testSite, token, tokenEndpoint } from './support.ts';

beforeEach(() => discoverable());

async function apiOf(preset: string, clock = testClock(), deadlineMs = 90_000): Promise<FhirApi> {
  tokenEndpoint({ body: token });
  const on = bench({ sites: [testSite({ preset })], clock, limits: { deadlineMs } });
  const { launch } = await launched(on);
  return on.smart.api(launch);
}

const searchset = (...entry: object[]) => ({ resourceType: 'Bundle', type: 'searchset', entry });
const note = (code: string) => ({
  search: { mode: 'outcome' },
  resource: { resourceType: 'OperationOutcome', issue: [{ severity: 'warning', details: { coding: [{ code }] } }] },
});

test('NextGen is asked for the size of a page in its own word', async () => {
  const api = await apiOf('nextgen');
  nock(ehr).get('/fhir/Coverage').query({ patient: 'pat-1', _maxresults: '50' }).reply(200, searchset());
  const asked = [
    ['patient', 'pat-1'],
    ['_count', '50'],
  ] as const;
  expect(await api.search('Coverage', asked)).toMatchObject({ resources: [], truncated: false });
});

test('Epic’s note that nothing was found is no news, any other note is', async () => {
  const api = await apiOf('epic');
  nock(ehr)
    .get('/fhir/Condition')
    .query(true)
    .reply(200, searchset(note('4101'), note('4119')));
  expect((await api.search('Condition', [['patient', 'pat-1']])).warnings).toEqual(['4119']);
});

describe('Canvas: an update names what it was made from by If-Unmodified-Since', () => {
  const task: Task & { id: string } = {
    resourceType: 'Task',
    id: '7',
    meta: { lastUpdated: '2026-11-20T10:00:00.480Z' },
    status: 'requested',
    intent: 'unknown',
    for: { reference: 'Patient/pat-1' },
  };

  test('in whole seconds, and without If-Match', async () => {
    const api = await apiOf('canvas');
    nock(ehr, {
      reqheaders: { 'if-unmodified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' },
      badheaders: ['if-match'],
    })
      .put('/fhir/Task/7')
      .reply(200);
    expect(await api.update(task, {})).toMatchObject({ id: '7' });
  });

  test('its 412 is a conflict', async () => {
    const api = await apiOf('canvas');
    nock(ehr).put('/fhir/Task/7').reply(412);
    await expect(api.update(task, {})).rejects.toMatchObject({ code: 'ehr_conflict' });
  });

  test('a version that was refused before is left out on purpose', async () => {
    const api = await apiOf('canvas');
    nock(ehr, { badheaders: ['if-unmodified-since', 'if-match'] })
      .put('/fhir/Task/7')
      .reply(200);
    await api.update({ ...task, meta: { ...task.meta, versionId: '3' } }, { anyVersion: true });
  });
});

describe('eClinicalWorks: a 429 without Retry-After lasts until the next full minute', () => {
  test('a read that cannot wait that long says how long', async () => {
    const clock = testClock('2026-11-21T10:00:17.000Z');
    const api = await apiOf('eclinicalworks', clock, 5_000);
    nock(ehr).get('/fhir/Coverage').query(true).reply(429);
    const error = await api.search('Coverage', [['patient', 'pat-1']]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BridgeError);
    expect(error).toMatchObject({ facts: { http: 429, retry_after_seconds: 43 } });
  });

  test('elsewhere it is repeated after a moment', async () => {
    const api = await apiOf('epic');
    nock(ehr).get('/fhir/Coverage').query(true).reply(429);
    nock(ehr).get('/fhir/Coverage').query(true).reply(200, searchset());
    expect(await api.search('Coverage', [['patient', 'pat-1']])).toMatchObject({ resources: [] });
  });
});
