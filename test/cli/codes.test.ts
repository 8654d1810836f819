import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../../src/base/vault.ts';
import { orderLine, smallFile } from '../config/order-lines.ts';
import { putDatabase } from '../support/embedded.ts';
import { testSite } from '../support/site.ts';
import { tempFolder } from '../support/temp.ts';
import { cli } from './run-cli.ts';

const folder = tempFolder('codes');
const sites = join(folder.path, 'sites.json');
const env = {
  BRIDGE_SITES: sites,
  BRIDGE_URL: 'http://localhost:8080',
  BRIDGE_KEYS: newKey(),
  BRIDGE_DATA: join(folder.path, 'data'),
  SERVICE_TOKEN: 'token',
};

beforeAll(async () => {
  const { id, name, iss } = testSite();
  const service = { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' };
  writeFileSync(
    sites,
    JSON.stringify({ sites: [{ id, name, iss, client: { auth: 'public', id: 'bridge' }, service }] }),
  );
  await putDatabase(env.BRIDGE_DATA);
});

afterAll(() => folder.remove());

const put = (name: string, text: string) => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

test('codes load says what was loaded, from which file, and whose codes they are; show says it again', async () => {
  expect((await cli(['codes', 'show'], { env })).out).toBe('no ICD-10-CM file is loaded\n');
  const loaded = await cli(['codes', 'load', put('icd10cm_order_2026.txt', smallFile)], { env });
  expect(loaded).toMatchObject({ code: 0, err: '' });
  expect(loaded.out).toMatch(/^ICD-10-CM 2026 from icd10cm_order_2026\.txt: 9 codes, 3 categories, loaded 20\d\d-/);
  expect(loaded.out).toContain('National Center for Health Statistics');
  expect((await cli(['codes', 'show'], { env })).out).toBe(loaded.out);
});

test('a file of another layout is refused by its lines, and what was loaded stays', async () => {
  const path = put('wrong.txt', `${orderLine(1, 'I10', 1, 'Essential hypertension')}\nI10,Essential hypertension`);
  const refused = await cli(['codes', 'load', path], { env });
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('line 2: columns 1 to 5 are no order number');
  expect(refused.err).toContain('Next: Take the ICD-10-CM order file');
  expect((await cli(['codes', 'load', join(folder.path, 'none.txt')], { env })).code).toBe(2);
  expect((await cli(['codes', 'show'], { env })).out).toContain('9 codes');
});
