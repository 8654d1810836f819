import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ChartBytes } from '../../../src/ehr/smart/chart-bytes.ts';
import { isClosed, publicOnly, readOutsideFile } from '../../../src/ehr/smart/outside-file.ts';
import type { Limits, Turn } from '../../../src/ehr/smart/types.ts';
import { bench, discoverable, launched, testSite, token, tokenEndpoint } from './support.ts';

const storage = 'https://storage.example';
const site = testSite({ attachmentOrigins: [storage] });
const limits = { timeoutMs: 60_000, fileBytes: 1_000 };
const bounds = (more: Partial<Limits> = {}, turn?: Turn) => ({
  limits: { ...limits, ...more },
  bytes: new ChartBytes({ documentsBytes: 10_000, turnBytes: 10_000, ...more }, turn),
});
const read = (address: string, on = site) => readOutsideFile(on, bounds(), address);

describe('a file outside of the EHR [S25]', () => {
  test('is read from an origin that the site lists, with its signature and without the token', async () => {
    const asked: (string | null)[] = [];
    nock(storage)
      .get('/cards/1.png')
      .query({ 'X-Signature': 'a b' })
      .reply((request: Request) => {
        asked.push(request.headers.get('authorization'), request.headers.get('cookie'));
        return [200, 'bytes', { 'content-type': 'Image/PNG; charset=binary' }];
      });
    discoverable();
    tokenEndpoint({ body: token });
    const on = bench({ sites: [site] });
    const { launch } = await launched(on);
    const file = await on.smart.api(launch).outsideFile!(`${storage}/cards/1.png?X-Signature=a%20b`);
    expect(file).toEqual({ bytes: Buffer.from('bytes'), contentType: 'image/png' });
    expect(asked).toEqual([null, null]);
  });

  test('is not given to Backend Services, which read no charts', async () => {
    const withSystem = testSite({ writeback: { tokens: ['system'], system: { id: 'b', scopes: 'system/Task.c' } } });
    discoverable();
    tokenEndpoint({ body: { ...token, scope: 'system/Task.c' } });
    expect(await bench({ sites: [withSystem] }).smart.systemApi(withSystem)).not.toHaveProperty('outsideFile');
  });

  test.each([
    ['another origin', 'https://evil.example/1.png', 'origin'],
    ['a subdomain of a listed one', 'https://x.storage.example/1.png', 'origin'],
    ['another port', 'https://storage.example:8443/1.png', 'origin'],
    ['no TLS', 'http://storage.example/1.png', 'origin'],
    ['a user in the address', 'https://storage.example@evil.example/1.png', 'address'],
    ['a password in the address', 'https://u:p@storage.example/1.png', 'address'],
    ['a file of this machine', 'file:///etc/passwd', 'origin'],
    ['data in the address', 'data:image/png;base64,AAAA', 'origin'],
    ['no address', 'not an address', 'address'],
  ])('is not asked for at %s', async (_what, address, refused) => {
    expect(await read(address)).toMatchObject({ refused });
  });

  test.each([
    'https://10.0.0.5',
    'https://169.254.169.254',
    'https://[fd00::1]',
    'https://0.0.0.0',
    'http://192.168.1.1',
  ])('is not asked for at a private address, listed or not: %s', async (origin) => {
    const listed = { ...site, attachmentOrigins: [origin] };
    expect(await read(`${origin}/latest/meta-data`, listed)).toEqual({ refused: 'origin', origin });
  });

  test('is not asked for where a listed name leads to a private address when the connection is made', async () => {
    nock.enableNetConnect('files.example:443');
    const looked: string[] = [];
    const lookup: LookupFunction = (name, options, done) => {
      looked.push(name);
      publicOnly('localhost', options, done);
    };
    const listed = { ...site, attachmentOrigins: ['https://files.example'] };
    expect(await readOutsideFile(listed, bounds(), 'https://files.example/1.png', lookup)).toEqual({
      refused: 'origin',
      origin: 'https://files.example',
    });
    expect(looked).toEqual(['files.example']);
  });

  test('follows no redirect', async () => {
    nock(storage).get('/1').reply(302, '', { location: 'http://169.254.169.254/' });
    expect(await read(`${storage}/1`)).toEqual({ refused: 'status', origin: storage, http: 302 });
  });

  test('is read to its limit and no further', async () => {
    nock(storage).get('/1').reply(200, 'x'.repeat(1_001)).get('/2').reply(200, 'x'.repeat(1_000));
    expect(await read(`${storage}/1`)).toEqual({ refused: 'too-large', origin: storage });
    expect(await read(`${storage}/2`)).toMatchObject({ bytes: Buffer.from('x'.repeat(1_000)) });
  });

  test('counts among the documents of its chart [E8]', async () => {
    for (const name of ['1', '2', '3', '4']) nock(storage).get(`/${name}`).reply(200, 'x'.repeat(800));
    nock(storage).get('/large').reply(200, 'x'.repeat(1_001));
    const ofChart = bounds({ documentsBytes: 2_500 });
    const next = (name: string) => readOutsideFile(site, ofChart, `${storage}/${name}`);
    // what was not kept does not count
    expect(await next('large')).toMatchObject({ refused: 'too-large' });
    for (const name of ['1', '2', '3']) expect(await next(name)).toHaveProperty('bytes');
    expect(await next('4')).toEqual({ refused: 'too-large', origin: storage });
  });

  test('waits for the turn of its chart when there are many bytes [E8]', async () => {
    const came = Promise.withResolvers<boolean>();
    const ofChart = bounds({ turnBytes: 500 }, { take: () => came.promise });
    nock(storage).get('/1').twice().reply(200, 'x'.repeat(800));
    const reading = readOutsideFile(site, ofChart, `${storage}/1`);
    came.resolve(true);
    expect(await reading).toMatchObject({ bytes: Buffer.from('x'.repeat(800)) });
    nock(storage).get('/2').reply(200, 'x'.repeat(800));
    const refused = bounds({ turnBytes: 500 }, { take: async () => false });
    expect(await readOutsideFile(site, refused, `${storage}/2`)).toEqual({ refused: 'no-answer', origin: storage });
  });

  test('that does not come is no answer', async () => {
    const stalled = await serve(() => undefined);
    const slow = await readOutsideFile(
      { ...site, attachmentOrigins: [stalled] },
      bounds({ timeoutMs: 50 }),
      `${stalled}/1`,
    );
    expect(slow).toEqual({ refused: 'no-answer', origin: stalled });
  });

  test('may stand on this machine where the site lists that very origin', async () => {
    const origin = await serve((_request, reply) => reply.writeHead(200, { 'content-type': 'image/png' }).end('here'));
    expect(await read(`${origin}/1`, { ...site, attachmentOrigins: [origin] })).toMatchObject({
      contentType: 'image/png',
    });
    expect(await read(`${origin}/1`)).toEqual({ refused: 'origin', origin });
  });
});

test.each([
  ['10.1.2.3', true],
  ['100.64.0.1', true],
  ['127.0.0.1', true],
  ['169.254.169.254', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.0.1', true],
  ['198.51.100.7', true],
  ['224.0.0.1', true],
  ['255.255.255.255', true],
  ['8.8.8.8', false],
  ['::', true],
  ['::1', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::a00:1', true],
  ['fc00::1', true],
  ['fe80::1', true],
  ['ff02::1', true],
  ['2001:db8::1', true],
  ['2002:a00:1::', true],
  ['2606:4700::1111', false],
  ['storage.example', false],
])('%s is no public address: %s', (address, expected) => {
  expect(isClosed(address)).toBe(expected);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
