import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fhir, launchToken, startEhr, tokenRequest, twoCharts } from './support.ts';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-ehr-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

test('what was written, deleted and granted outlives a restart', async () => {
  const dataFile = join(newFolder(), 'data', 'ehr.json');
  const first = await startEhr({ dataFile, seed: [twoCharts] });
  const granted = await launchToken(first);
  const made = await fhir(first, granted.access_token, 'POST', 'Task', {
    resourceType: 'Task',
    status: 'requested',
    intent: 'order',
    for: { reference: 'Patient/a' },
  });
  const gone = await fhir(first, granted.access_token, 'POST', 'Task', {
    resourceType: 'Task',
    status: 'requested',
    intent: 'order',
    for: { reference: 'Patient/a' },
  });
  await fhir(first, granted.access_token, 'DELETE', `Task/${gone.body.id}`);
  await first.close();

  const second = await startEhr({ dataFile, seed: [] });
  const refreshed = await tokenRequest(second, {
    grant_type: 'refresh_token',
    refresh_token: granted.refresh_token ?? '',
    client_id: 'test-public',
  });
  expect(refreshed.patient).toBe('a');
  const read = await fhir(second, refreshed.access_token, 'GET', `Task/${made.body.id}`);
  expect([read.status, read.body.meta?.versionId]).toEqual([200, '1']);
  expect((await fhir(second, refreshed.access_token, 'GET', `Task/${gone.body.id}`)).status).toBe(410);
  await second.close();
});

test('the seed is taken only when there is no file, and nothing but the file is left in the folder', async () => {
  const folder = newFolder();
  const dataFile = join(folder, 'ehr.json');
  await (await startEhr({ dataFile, seed: [twoCharts] })).close();
  expect(readdirSync(folder)).toEqual(['ehr.json']);
  const second = await startEhr({ dataFile });
  expect(second.peek('Patient/a')).toBeDefined();
  expect(second.peek('Patient/complete-patient')).toBeUndefined();
  await second.close();
});

test('a taken port is reported as the system says it', async () => {
  const first = await startEhr({ seed: [] });
  await expect(startEhr({ seed: [], port: Number(new URL(first.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
});

test('two charts that disagree about one resource are refused', async () => {
  const other = structuredClone(twoCharts);
  const practitioner = other.entry?.[0]?.resource;
  if (practitioner?.resourceType === 'Practitioner') practitioner.gender = 'female';
  await expect(startEhr({ seed: [twoCharts, other] })).rejects.toThrow('two different Practitioner/doc');
});
