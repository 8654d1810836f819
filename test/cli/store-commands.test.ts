import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { openStore } from '../../src/store/open.ts';
import { draftColumns, newKeys } from '../store/requests.ts';
import { putDatabase } from '../support/embedded.ts';
import { testSite } from '../support/site.ts';
import { tempFolder } from '../support/temp.ts';
import { cli } from './run-cli.ts';

const folder = tempFolder('commands');
const [old, fresh] = [newKey(), newKey()];
const keys = newKeys('Patient/cli-1');
const dataDir = join(folder.path, 'data');
const sites = join(folder.path, 'sites.json');

const env = (bridgeKeys: string) => ({
  BRIDGE_SITES: sites,
  BRIDGE_URL: 'http://localhost:8080',
  BRIDGE_KEYS: bridgeKeys,
  BRIDGE_DATA: dataDir,
  SERVICE_TOKEN: 'token',
});

beforeAll(async () => {
  const { id, name, iss } = testSite();
  const service = { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' };
  const client = { auth: 'public', id: 'bridge' };
  writeFileSync(sites, JSON.stringify({ sites: [{ id, name, iss, client, service }] }));
  await putDatabase(dataDir);
  const store = await openStore({ config: { keys: [old], dataDir }, log: silentLog, queues: [] });
  await store.cases.open({ site: id, kind: 'prior-auth', ...keys }, () => ({
    id: 'case-1',
    keys,
    head: { banner: { name: 'Canary Testperson' } },
    columns: { ...draftColumns, state: 'ended' },
    events: [{ type: 'sent', actor: 'Practitioner/12', facts: { attempt: 1 } }],
  }));
  await store.close();
});

afterAll(() => folder.remove());

test('audit list and verify say who did what; export is NDJSON of AuditEvent and is itself recorded', async () => {
  const listed = await cli(['audit', 'list', '--patient', 'Patient/cli-1'], { env: env(old) });
  expect(listed.err).toBe('');
  expect(listed.out).toMatch(
    / valley {2}1 {2}Practitioner\/12 {2}sent {2}success .* case-1 {2}to: prior authorization service/,
  );
  expect(listed.out).not.toMatch(/Canary|cli-1/);

  const { out, code } = await cli(['audit', 'export', '--site', 'valley'], { env: env(old) });
  expect(code).toBe(0);
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toMatchObject([{ resourceType: 'AuditEvent', subtype: [{ code: 'sent' }] }]);
  const after = await cli(['audit', 'list', '--since', '2020-01-01'], { env: env(old) });
  expect(after.out.trimEnd().split('\n').at(-1)).toContain('operator  exported');

  const verified = await cli(['audit', 'verify'], { env: env(old) });
  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^valley: rows 1 to 2, last hash \S+: whole$/m),
  });
});

test.each([
  ['--since', 'yesterday'],
  ['--since', '2026-13-40'],
  ['--until', '2026-02-31'],
  ['--until', '05/01/2026'],
])('audit %s %s is refused as a time, not told as a defect', async (option, time) => {
  const { code, out, err } = await cli(['audit', 'list', option, time], { env: env(old) });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(`'${time}' is invalid. It is not a time of ISO 8601`);
});

test.each(['Practitioner/1', 'Patient/1/_history/2', 'https://ehr.example/fhir/Patient/1', 'Patient/', ' Patient/1'])(
  '"%s" names no patient: nothing is said to be erased, and nothing listed',
  async (patient) => {
    const erased = await cli(['erase', patient, '--site', 'valley'], { env: env(old) });
    expect(erased).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Patient/123') });
    const listed = await cli(['audit', 'list', '--patient', patient], { env: env(old) });
    expect(listed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Patient/123') });
  },
);

test('keys that do not open the store are told by their name, in whatever command', async () => {
  const { code, err } = await cli(['audit', 'verify'], { env: env(newKey()) });
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringContaining('BRIDGE_KEYS: none of them opens this store'),
  });
});

test('a data folder that cannot be one is told by its name, not as a defect', async () => {
  for (const path of [sites, join(sites, 'below')]) {
    const { code, err } = await cli(['audit', 'verify'], { env: { ...env(old), BRIDGE_DATA: path } });
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringMatching(/the data folder .* cannot be used \(E[A-Z]+\)/),
    });
  }
});

test('rekey seals under the first key, after which the old one is not needed', async () => {
  const rekeyed = await cli(['rekey'], { env: env(`${fresh},${old}`) });
  expect(rekeyed).toMatchObject({ code: 0, out: expect.stringMatching(/^[1-9]\d* sealed anew\n$/) });
  expect(await cli(['audit', 'verify'], { env: env(fresh) })).toMatchObject({ code: 0 });
  expect(await cli(['audit', 'verify'], { env: env(old) })).toMatchObject({ code: 3 });
});

test('erase removes a patient and says how much; a site that is not there is refused', async () => {
  const wrong = await cli(['erase', 'cli-1', '--site', 'elsewhere'], { env: env(fresh) });
  expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining('no site elsewhere') });
  const erased = await cli(['erase', 'cli-1', '--site', 'valley'], { env: env(fresh) });
  expect(erased).toMatchObject({ code: 0, out: 'erased: 1 cases, 0 launches, 0 webhooks, 0 jobs\n' });
  const listed = await cli(['audit', 'list', '--patient', 'Patient/cli-1'], { env: env(fresh) });
  expect(listed.out).toMatch(/operator {2}erased/);
  expect(await cli(['audit', 'list', '--patient', 'cli-1'], { env: env(fresh) })).toMatchObject({ out: listed.out });
});

test('[E10] erase of somebody of whom nothing is kept says so and ends with 1', async () => {
  for (const patient of ['nobody', 'Patient/nobody', 'cli-1'])
    expect(await cli(['erase', patient, '--site', 'valley'], { env: env(fresh) })).toMatchObject({
      code: 1,
      out: 'erased: 0 cases, 0 launches, 0 webhooks, 0 jobs\n',
      err: 'The store holds nothing of this patient at valley. Check the id and the site.\n',
    });
});
