import { afterEach, describe, expect, test } from 'vitest';
import type { Deps } from '../../../src/web/http/deps.ts';
import { launchId, openScene, type Scene, session } from '../support.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.app.close();
  scene = undefined;
});

/** That there is a worklist; the first page only leads to it. */
const withWorklist = (deps: Deps): Deps => ({ ...deps, worklist: {} as NonNullable<Deps['worklist']> });

/** What a stranger can make up: names and values that look like those of sessions. */
const madeUp = (count: number) =>
  Array.from({ length: count }, (_, at) => `__Host-bridge-${'L'.repeat(20)}${at}=${'s'.repeat(43)}`);

async function opened(cookies: readonly string[]) {
  scene = await openScene('story-complete', withWorklist);
  const { smart, app } = scene;
  const asked: number[] = [];
  let opened = 0;
  const { own, staff } = smart;
  smart.own = async (sent) => {
    asked.push(sent.size);
    return await own(sent);
  };
  smart.staff = async (id, sessionId) => {
    opened += 1;
    return await staff(id, sessionId);
  };
  const headers = { accept: 'text/html', cookie: cookies.join('; ') };
  const { statusCode, headers: answered } = await app.inject({ method: 'GET', url: '/', headers });
  return { status: statusCode, location: answered.location, asked, opened };
}

describe('[E9] the first page costs the store one question, whatever cookies come', () => {
  test.each([0, 1, 29, 880])('%i made-up ones', async (count) => {
    const { status, asked, opened: looked } = await opened(madeUp(count));
    expect({ status, asked, looked }).toEqual({ status: 200, asked: [Math.min(30, count)], looked: 0 });
  });

  test.each([
    ['of another form', [`__Host-bridge-${launchId}=short`, '__Host-bridge-x=y', `__Host-other=${session}`]],
    ['with the session of another launch', [`__Host-bridge-${launchId}=${'x'.repeat(43)}`]],
  ])('%s', async (_, cookies) => {
    expect(await opened(cookies)).toMatchObject({ status: 200, opened: 0 });
  });

  test('the newest session of the browser leads on, behind any number of others', async () => {
    const {
      status,
      location,
      opened: looked,
    } = await opened([...madeUp(800), `__Host-bridge-${launchId}=${session}`, ...madeUp(5)]);
    expect({ status, location, looked }).toEqual({ status: 303, location: `/app/${launchId}/worklist`, looked: 1 });
  });
});

test('[E9] without a session one address opens it 300 times a minute: 200 staff may sign in', async () => {
  scene = await openScene('story-complete', withWorklist);
  const { app } = scene;
  const statuses = new Map<number, number>();
  for (let times = 0; times < 320; times += 1) {
    const { statusCode } = await app.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } });
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [200, 300],
    [429, 20],
  ]);
});
