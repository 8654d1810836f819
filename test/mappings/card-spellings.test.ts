import { join } from 'node:path';
import { expect, test } from 'vitest';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { roles } from '../../mappings/roles.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { chartOfFixture, loadFixture } from '../../src/dev/kit/fixture.ts';

const fixture = loadFixture(join(import.meta.dirname, '../../fixtures/charts/card-image-instead-of-a-member-number'));

/** What is sent of the case's card when its data are written otherwise. */
async function sent(spelled: (data: string) => string) {
  const entries = structuredClone(fixture.entries);
  for (const { resource } of entries)
    for (const { attachment } of resource.resourceType === 'DocumentReference' ? contentsOf(resource) : [])
      if (typeof attachment.data === 'string') attachment.data = spelled(attachment.data);
  const chart = await chartOfFixture({ ...fixture, entries }, roles);
  if (chart === undefined) throw new Error('the case has an order');
  const result = runMapping(priorAuth, chart);
  return result.status === 'complete' ? result.body.insurance : result.gaps.map(({ target }) => target);
}

function contentsOf(resource: object): { attachment: { data?: string } }[] {
  return Reflect.get(resource, 'content');
}

const inAlphabetOfUrls = (data: string) => data.replaceAll('+', '-').replaceAll('/', '_');
const bare = (data: string) => data.replace(/=+$/, '');

test.each([
  ['in the alphabet of URLs', inAlphabetOfUrls],
  ['without padding', bare],
  ['in the alphabet of URLs without padding', (data: string) => bare(inAlphabetOfUrls(data))],
  ['in lines', (data: string) => data.replace(/(.{76})/g, '$1\r\n')],
  ['in a data URI', (data: string) => `data:image/png;base64,${data}`],
  ['in a data URI with a parameter', (data: string) => `data:image/jpeg;charset=utf-8;base64,\n${data}`],
])('a card whose base64 is %s goes in one spelling [K14]', async (_, spelled) => {
  const whole = await sent((data) => data);
  expect(whole).toMatchObject([{ file_content: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) }]);
  expect(await sent(spelled)).toEqual(whole);
});

test.each([
  ['hexadecimal', (data: string) => Buffer.from(data, 'base64').toString('hex')],
  ['base64 of base64', (data: string) => Buffer.from(data).toString('base64')],
  ['cut off', (data: string) => data.slice(0, 25)],
  ['of lost characters', (data: string) => `${data.slice(0, 20)}\ufffd${data.slice(21)}`],
])('a card whose data are %s is not sent [K14]', async (_, spelled) => {
  expect(await sent(spelled)).not.toMatchObject([{ file_content: expect.anything() }]);
});
