import nock from 'nock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { bench, codeOf, discoverable, ehr, iss, launched, testSite, token, tokenEndpoint } from './support.ts';

beforeEach(() => discoverable());

const minutes = (count: number) => count * 60_000;

describe('two charts in one browser [C01]', () => {
  test('each launch keeps its own patient and token, whatever is opened in between', async () => {
    tokenEndpoint(
      { body: { ...token, access_token: 'token-a', patient: 'pat-a' } },
      { body: { ...token, access_token: 'token-b', patient: 'pat-b' } },
    );
    const on = bench();
    const a = await launched(on, 'browser');
    const b = await launched(on, 'browser');
    for (const patient of ['a', 'b', 'a'] as const) {
      nock(ehr, { reqheaders: { authorization: `Bearer token-${patient}` } })
        .get(`/fhir/Patient/pat-${patient}`)
        .reply(200, { resourceType: 'Patient', id: `pat-${patient}` });
      const opened = patient === 'a' ? a : b;
      const launch = await on.smart.open(opened.launch.id, opened.sessionId);
      expect(launch.patient).toBe(`pat-${patient}`);
      expect(await on.smart.api(launch).read('Patient', `pat-${patient}`)).toMatchObject({ id: `pat-${patient}` });
    }
  });

  test('a launch that is still at the EHR’s sign-in is not touched when another one finishes [S1]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const first = new URL((await on.smart.startLaunch({ iss, launch: 'one' }, 'browser')).redirect).searchParams.get(
      'state',
    );
    await launched(on, 'browser');
    expect(await codeOf(on.smart.completeLaunch('valley', { state: first, code: 'c' }, ['browser']))).toBe('resolved');
  });

  test('the same patient id at two EHRs is two patients [C02]', async () => {
    tokenEndpoint({ body: token });
    const hill = testSite({ id: 'hill', iss: 'https://ehr.hill.example/fhir' });
    const on = bench({ sites: [testSite(), hill] });
    const { launch } = await launched(on);
    expect(launch.iss).toBe(iss);
    expect(await on.smart.accessFor({ site: hill, patient: 'pat-1', launch: launch.id })).toEqual({
      waiting: 'next-launch',
    });
  });
});

describe('open', () => {
  test.each([
    ['of another browser', 'someone-else'],
    ['without a session', undefined],
  ])('a launch %s is unknown, and the attempt is logged without its id [C03 C04]', async (_name, sessionId) => {
    tokenEndpoint({ body: token });
    const lines: string[] = [];
    const write = (facts: object, message: string) => lines.push(JSON.stringify(facts) + message);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const on = bench({ log });
    const { launch } = await launched(on);
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('launch_not_found');
    expect(lines.join('\n')).toContain('launch asked for by another session');
    expect(lines.join('\n')).not.toMatch(new RegExp(`${launch.id}|pat-1|access-1`));
  });

  test('an unknown id, or one that is still signing in, is unknown', async () => {
    const on = bench();
    const started = await on.smart.startLaunch({ iss, launch: 'one' }, 'browser');
    expect(await codeOf(on.smart.open(started.launch, 'browser'))).toBe('launch_not_found');
    expect(await codeOf(on.smart.open('nothing', 'browser'))).toBe('launch_not_found');
  });

  test('use keeps a session alive; an idle hour ends it and its tokens are gone [C13]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    on.clock.forward(minutes(50));
    await on.smart.open(launch.id, sessionId);
    on.clock.forward(minutes(50));
    await on.smart.open(launch.id, sessionId);
    on.clock.forward(minutes(61));
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('relaunch_required');
    expect(await on.store.get(launch.id)).not.toHaveProperty('tokens.accessToken');
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('relaunch_required');
  });

  test('what a page asks by itself does not count as use', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    on.clock.forward(minutes(50));
    await on.smart.open(launch.id, sessionId, { touch: false });
    on.clock.forward(minutes(11));
    expect(await codeOf(on.smart.open(launch.id, sessionId, { touch: false }))).toBe('relaunch_required');
  });

  test('ten hours end it even when it is used all the time [C13]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    for (let i = 0; i < 19; i += 1) {
      on.clock.forward(minutes(31));
      await on.smart.open(launch.id, sessionId);
    }
    on.clock.forward(minutes(31));
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('relaunch_required');
  });
});

describe('purge', () => {
  test('ends sessions that nobody came back to, remembers them for a day, then deletes that [C13]', async () => {
    tokenEndpoint({ body: { ...token, scope: 'launch patient/Patient.r', refresh_token: 'r1' } });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    on.clock.forward(minutes(61));
    expect(await on.smart.purge(on.clock())).toBe(1);
    expect(await on.store.get(launch.id)).not.toHaveProperty('tokens');
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('relaunch_required');
    on.clock.forward(minutes(24 * 60 + 1));
    await on.smart.purge(on.clock());
    expect(await on.store.get(launch.id)).toBeUndefined();
  });

  test('leaves a session that is in use', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    on.clock.forward(minutes(59));
    await on.smart.open(launch.id, sessionId);
    on.clock.forward(minutes(2));
    expect(await on.smart.purge(on.clock())).toBe(0);
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('resolved');
  });
});

describe('logout [C14]', () => {
  test.each([200, 500])('revokes both tokens at the EHR (answering %i) and forgets the launch', async (status) => {
    tokenEndpoint({ body: { ...token, refresh_token: 'r1' } });
    const revoked: URLSearchParams[] = [];
    nock(ehr)
      .persist()
      .post('/oauth/revoke')
      .reply(async (request: Request) => {
        revoked.push(new URLSearchParams(await request.text()));
        return [status, ''];
      });
    const on = bench();
    const { launch, sessionId } = await launched(on);
    await on.smart.logout(launch);
    expect(revoked.map((form) => form.get('token'))).toEqual(['r1', 'access-1']);
    expect(revoked[0]!.get('client_id')).toBe('bridge-client');
    expect(await on.store.get(launch.id)).toBeUndefined();
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('launch_not_found');
  });

  test('works where the EHR offers no revocation or is down', async () => {
    nock.cleanAll();
    discoverable({ revocation_endpoint: undefined });
    tokenEndpoint({ body: token });
    const info = vi.fn();
    const on = bench({ log: { ...silentLog, info } });
    const { launch } = await launched(on);
    await on.smart.logout(launch);
    expect(await on.store.get(launch.id)).toBeUndefined();
    expect(info.mock.calls.filter(([{ event }]) => event === 'revocation_failed')).toEqual([]);
  });
});
