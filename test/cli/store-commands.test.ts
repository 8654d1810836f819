import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { openStore } from '../../src/store/open.ts';
import { newKey } from '../../src/vault.ts';
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
});
