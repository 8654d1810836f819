import { afterEach, describe, expect, test } from 'vitest';
import type { Site } from '../../../src/config/config.ts';
import { openScene, type Scene } from '../support.ts';

const proxy = '10.0.0.7';
const valley = 'http://127.0.0.1:8081/fhir';
const hill = 'http://127.0.0.1:9081/fhir';

let scene: Scene;
afterEach(() => scene.app.close());

/** Two clinics, and the proxies that the bridge is told about. */
async function clinics(trustedProxies: readonly string[]): Promise<void> {
  scene = await openScene('story-complete', (deps) => {
    const [site] = deps.config.sites as readonly [Site];
    const sites = [site, { ...site, id: 'hill', iss: hill }];
    return { ...deps, config: { ...deps.config, sites, trustedProxies } };
  });
}

/** The status of one launch that arrives over a connection, with what it says of where it comes from. */
async function launch(from: string, forwarded?: string, iss = valley): Promise<number> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const url = `/launch?${new URLSearchParams({ iss, launch: 'x' })}`;
  return (await scene.app.inject({ method: 'GET', url, remoteAddress: from, headers })).statusCode;
}

async function flood(count: number, one: (index: number) => Promise<number>): Promise<void> {
  for (let index = 0; index < count; index += 1) await one(index);
}

describe('behind a trusted proxy [S7]', () => {
  test.each([
    ['by its address', [proxy]],
    ['by its network', ['10.0.0.0/8']],
  ])(
    '300 requests of one client leave a clinic behind another address free, the proxy named %s',
    async (_how, trusted) => {
      await clinics(trusted);
      await flood(300, () => launch(proxy, '203.0.113.9'));
      expect(await launch(proxy, '203.0.113.9')).toBe(429);
      expect(await launch(proxy, '198.51.100.4')).toBe(303);
    },
  );

  test('a client that writes addresses of its own into the header stays one client', async () => {
    await clinics([proxy]);
    await flood(300, (index) => launch(proxy, `192.0.2.${index % 250}, 203.0.113.9`));
    expect(await launch(proxy, '192.0.2.251, 203.0.113.9')).toBe(429);
  });

  test('a client that comes past the proxy is known by its connection', async () => {
    await clinics([proxy]);
    await flood(300, (index) => launch('203.0.113.9', `192.0.2.${index % 250}`));
    expect(await launch('203.0.113.9', '192.0.2.251')).toBe(429);
    expect(await launch(proxy, '192.0.2.251')).toBe(303);
  });

  test('the addresses of one IPv6 customer are one client', async () => {
    await clinics([proxy]);
    await flood(300, (index) => launch(proxy, `2001:db8:1:2::${index.toString(16)}`));
    expect(await launch(proxy, '2001:db8:1:2::ffff')).toBe(429);
    expect(await launch(proxy, '2001:db8:1:3::1')).toBe(303);
  });
});

test('what one client asks of one site does not lock it out of another [S7]', async () => {
  await clinics([]);
  await flood(300, () => launch('203.0.113.9'));
  expect(await launch('203.0.113.9')).toBe(429);
  expect(await launch('203.0.113.9', undefined, hill)).not.toBe(429);
});

test('requests that name no site of ours use up nothing of a site [S7]', async () => {
  await clinics([]);
  await flood(300, (index) => launch('203.0.113.9', undefined, `https://nobody.example/${index}`));
  expect(await launch('203.0.113.9', undefined, 'https://nobody.example/300')).toBe(429);
  expect(await launch('203.0.113.9')).toBe(303);
});

test('without trusted proxies a forwarded address counts for nothing, and the operator is told once', async () => {
  await clinics([]);
  await flood(300, (index) => launch(proxy, `203.0.113.${index % 250}`));
  expect(await launch(proxy, '203.0.113.251')).toBe(429);
  expect(scene.log.lines.filter((line) => line.includes('BRIDGE_TRUSTED_PROXIES is not set'))).toHaveLength(1);
});
