import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/web/app.ts';
import type { Deps } from '../../../src/web/http/deps.ts';
import { launchId, openScene, type Scene, session } from '../support.ts';

let scene: Scene;
let seen: Promise<FastifyInstance> | undefined;
afterEach(() => scene.app.close());

const madeUp = (at: number) => ({ cookie: `__Host-bridge-${launchId}=${String(at).padStart(43, 'm')}` });

/** How often the store was asked for a session. */
function countOpened(): () => number {
  let count = 0;
  const { open } = scene.smart;
  scene.smart.open = async (...of) => {
    count += 1;
    return await open(...of);
  };
  return () => count;
}

async function statusesOf(times: number, ask: (at: number) => Promise<number>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let at = 0; at < times; at += 1) {
    const status = await ask(at);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/** What every address below a launch answers. */
async function askAll(headers: Readonly<Record<string, string>>) {
  const addresses = new Set<string>();
  scene = await openScene('story-complete', (deps) => {
    seen = buildApp({ ...deps, worklist: {} as NonNullable<Deps['worklist']> }, ({ method, url }) => {
      if (url.startsWith('/app/')) addresses.add(`${method} ${url}`);
    });
    return deps;
  });
  const app = await seen;
  expect(addresses.size).toBeGreaterThan(60);
  const answers: { readonly address: string; readonly status: number; readonly body: string }[] = [];
  for (const address of addresses) {
    const [method = '', url = ''] = address.split(' ');
    const reply = await app?.inject({ method: method as 'GET', url: url.replace(':launch', launchId), headers });
    answers.push({ address, status: reply?.statusCode ?? 0, body: reply?.body ?? '' });
  }
  await app?.close();
  return answers;
}

describe('[E9] what a request without a session costs', () => {
  test.each([
    ['no cookie', ''],
    ['a cookie that is no session', `__Host-bridge-${launchId}=short`],
    ['the cookies of other launches', `__Host-bridge-${'L'.repeat(20)}=${session}`],
  ])('with %s the store is not asked, whatever the page', async (_, cookie) => {
    scene = await openScene('story-complete');
    const opened = countOpened();
    const { home, order } = scene;
    for (const path of ['', '/orders', `/orders/${order}`, `/orders/${order}/attach/document`, '/cases/x', '/worklist'])
      expect((await scene.get(`${home}${path}`, { cookie })).status, path).toBe(404);
    expect((await scene.post(`${home}/orders/${order}`, { note: 'x'.repeat(400_000) }, { cookie })).status).toBe(404);
    expect(opened()).toBe(0);
  });

  test('with none, every address of a session refuses it', async () => {
    for (const { address, status, body } of await askAll({})) {
      expect({ address, status }).toEqual({ address, status: 404 });
      if (!address.startsWith('HEAD')) expect(body).toContain('Your session has ended.');
    }
  });

  test('with one that is made up, no address of a session shows anything', async () => {
    // 403: a form has no token of a session either
    for (const { address, status } of await askAll(madeUp(1))) expect([403, 404], address).toContain(status);
  });

  test('a page that does not ask whose session it is is not shown', async () => {
    scene = await openScene('story-complete', (deps) => {
      seen = buildApp(deps);
      return deps;
    });
    const app = await seen;
    app?.get('/app/:launch/forgotten', async () => 'what only staff may see');
    const reply = await app?.inject({ url: `/app/${launchId}/forgotten`, headers: madeUp(2) });
    expect(reply?.statusCode).toBe(404);
    expect(reply?.body).not.toContain('what only staff may see');
    await app?.close();
  });

  test('its body is not read: one of another kind and size is refused for the session', async () => {
    scene = await openScene('story-complete');
    const reply = await scene.app.inject({
      method: 'POST',
      url: `${scene.home}/orders/${scene.order}`,
      headers: { 'content-type': 'application/x-nothing' },
      payload: Buffer.alloc(900_000),
    });
    expect(reply.statusCode).toBe(404);
    expect(reply.body).toContain('Your session has ended.');
  });

  test('of one address the store looks for 300 made-up sessions a minute, the next is told to wait', async () => {
    scene = await openScene('story-complete');
    const opened = countOpened();
    const statuses = await statusesOf(320, async (at) => (await scene.get(scene.home, madeUp(at))).status);
    expect({ statuses, opened: opened() }).toEqual({ statuses: { 404: 300, 429: 20 }, opened: 300 });
    const { headers } = await scene.get(scene.home, madeUp(1000));
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['content-security-policy']).toContain('frame-ancestors https://ehr.valley.example');
  });

  test('and 300 without any', async () => {
    scene = await openScene('story-complete');
    const ask = async () => (await scene.get(scene.home, { cookie: '' })).status;
    expect(await statusesOf(310, ask)).toEqual({ 404: 300, 429: 10 });
  });
});

describe('[E9] who is signed in', () => {
  test('is not refused for what a stranger does behind the same address', async () => {
    scene = await openScene('story-complete');
    expect((await scene.get(`${scene.home}/orders`)).status).toBe(200);
    await statusesOf(310, async (at) => (await scene.get(scene.home, madeUp(at))).status);
    expect((await scene.get(`${scene.home}/orders`)).status).toBe(200);
  });

  test('may open any number of pages a minute', async () => {
    scene = await openScene('story-complete');
    const ask = async () => (await scene.get(`${scene.home}/orders`)).status;
    expect(await statusesOf(320, ask)).toEqual({ 200: 320 });
  });

  test('200 staff behind one address sign in and open their lists within a minute', async () => {
    scene = await openScene('story-complete');
    const { smart } = scene;
    const [launch, sessions] = [smart.launch, new Map<string, string>()];
    smart.startLaunch = async () => {
      const id = `launch-of-person-${sessions.size}-${'x'.repeat(10)}`;
      sessions.set(id, String(sessions.size).padStart(43, 'p'));
      return { redirect: `http://127.0.0.1:8081/authorize?state=${id}`, launch: id };
    };
    smart.completeLaunch = async (_site, { state }) => ({
      launch: { ...launch, id: String(state) },
      sessionId: sessions.get(String(state)) ?? '',
    });
    smart.open = async (id, given) => {
      expect(given).toBe(sessions.get(id));
      return { ...launch, id };
    };
    const statuses = await statusesOf(200, async () => {
      const begun = await scene.get('/launch?iss=http://127.0.0.1:8081/fhir&launch=x', { cookie: '' });
      const { searchParams } = new URL(String(begun.headers.location));
      const id = searchParams.get('state') ?? '';
      const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
      const ended = await scene.get(`/callback/valley?state=${id}&code=c`, { cookie });
      const own = { cookie: String(ended.headers['set-cookie']).split(';')[0] ?? '' };
      expect([begun.status, ended.status]).toEqual([303, 303]);
      return (await scene.get(`/app/${id}/orders`, own)).status;
    });
    expect(statuses).toEqual({ 200: 200 });
  });
});
