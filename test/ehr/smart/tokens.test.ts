import { createLocalJWKSet, jwtVerify } from 'jose';
import nock from 'nock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import type { LaunchStore } from '../../../src/ehr/smart/store.ts';
import { createMemoryStore } from './memory-store.ts';
import {
  type Bench,
  bench,
  codeOf,
  discoverable,
  ehr,
  launched,
  testClock,
  testSite,
  token,
  tokenEndpoint,
} from './support.ts';

beforeEach(() => discoverable());

const withRefresh = { ...token, refresh_token: 'refresh-1' };
const renewed = {
  access_token: 'access-2',
  token_type: 'Bearer',
  expires_in: 570,
  scope: token.scope,
  refresh_token: 'refresh-2',
};
const seconds = (count: number) => count * 1000;

/** Answers every read of the Patient with the token that it came with, 401 for the tokens in `dead`. */
function patientReads(...dead: string[]): string[] {
  const tokens: string[] = [];
  nock(ehr)
    .persist()
    .get('/fhir/Patient/pat-1')
    .reply((request: Request) => {
      const used = request.headers.get('authorization')!.replace('Bearer ', '');
      tokens.push(used);
      return dead.includes(used) ? [401, ''] : [200, JSON.stringify({ resourceType: 'Patient', id: 'pat-1' })];
    });
  return tokens;
}

async function open(on: Bench) {
  const { launch, sessionId } = await launched(on);
  return { launch, sessionId, read: () => on.smart.api(launch).read('Patient', 'pat-1') };
}

describe('a user’s token', () => {
  test('is used until half a minute before its end, then refreshed once', async () => {
    const received = tokenEndpoint({ body: withRefresh }, { body: renewed });
    const reads = patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(539));
    await read();
    on.clock.forward(seconds(2));
    await read();
    await read();
    expect(reads).toEqual(['access-1', 'access-2', 'access-2']);
    expect(Object.fromEntries(received[1]!.form)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'bridge-client',
    });
  });

  test('twenty requests at its end, through two processes on one store, ask for one [E01]', async () => {
    const received = tokenEndpoint({ body: withRefresh }, { body: renewed, delayMs: 20 });
    const reads = patientReads();
    const on = bench();
    const other = bench({ store: on.store, clock: on.clock });
    const { launch } = await open(on);
    on.clock.forward(seconds(600));
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? on : other).smart.api(launch).read('Patient', 'pat-1')),
    );
    expect(received).toHaveLength(2);
    expect(new Set(reads)).toEqual(new Set(['access-2']));
  });

  test('that the EHR refuses is refreshed once and the request repeated [D08]', async () => {
    tokenEndpoint({ body: withRefresh }, { body: renewed });
    const reads = patientReads('access-1');
    const { read } = await open(bench());
    expect(await read()).toMatchObject({ id: 'pat-1' });
    expect(reads).toEqual(['access-1', 'access-2']);
  });

  test('that is refused again asks for a relaunch, and other launches stay [D08]', async () => {
    const received = tokenEndpoint(
      { body: withRefresh },
      { body: { ...withRefresh, access_token: 'other' } },
      { body: renewed },
    );
    patientReads('access-1', 'access-2');
    const on = bench();
    const first = await open(on);
    const second = await open(on);
    expect(await codeOf(first.read())).toBe('relaunch_required');
    expect(await codeOf(second.read())).toBe('resolved');
    expect(received).toHaveLength(3);
  });

  test('without a refresh token is used to its end, then a relaunch is asked for', async () => {
    const received = tokenEndpoint({ body: token });
    patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(570) - 1);
    expect(await codeOf(read())).toBe('resolved');
    on.clock.forward(1);
    expect(await codeOf(read())).toBe('relaunch_required');
    expect(received).toHaveLength(1);
  });
});

describe('a refresh', () => {
  test('that rotates replaces the refresh token in the store before the new token is used [E02]', async () => {
    const on = bench();
    const stored: (string | undefined)[] = [];
    tokenEndpoint({ body: withRefresh }, { body: renewed });
    const { launch, read } = await open(on);
    nock(ehr)
      .get('/fhir/Patient/pat-1')
      .reply(async () => {
        stored.push((await on.store.get(launch.id))?.tokens?.refreshToken);
        return [200, JSON.stringify({ resourceType: 'Patient', id: 'pat-1' })];
      });
    on.clock.forward(seconds(600));
    await read();
    expect(stored).toEqual(['refresh-2']);
  });

  test('whose result the store takes at the third try goes on [E02]', async () => {
    const store = flakyStore();
    const received = tokenEndpoint({ body: withRefresh }, { body: renewed });
    patientReads();
    const on = bench({ store });
    const { launch, read } = await open(on);
    on.clock.forward(seconds(600));
    store.failNext(2);
    expect(await codeOf(read())).toBe('resolved');
    expect((await store.get(launch.id))?.tokens?.refreshToken).toBe('refresh-2');
    expect(received).toHaveLength(2);
  });

  test('whose result the store cannot take is not lost: the next request saves it and uses it [E02]', async () => {
    const store = flakyStore();
    const received = tokenEndpoint({ body: withRefresh }, { body: renewed });
    const reads = patientReads();
    const on = bench({ store });
    const { launch, read } = await open(on);
    on.clock.forward(seconds(600));
    store.failNext(3);
    expect(await codeOf(read())).toBe('store_unavailable');
    expect(await codeOf(read())).toBe('resolved');
    expect(reads).toEqual(['access-2']);
    expect((await store.get(launch.id))?.tokens?.refreshToken).toBe('refresh-2');
    expect(received).toHaveLength(2);
  });

  test('without a new refresh token keeps the old one [E03]', async () => {
    const { refresh_token: _, ...withoutNew } = renewed;
    const received = tokenEndpoint({ body: withRefresh }, { body: withoutNew });
    patientReads();
    const on = bench();
    const { read } = await open(on);
    for (let i = 0; i < 2; i += 1) {
      on.clock.forward(seconds(600));
      await read();
    }
    expect(received.slice(1).map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-1']);
  });

  test('of a private_key_jwt client is signed afresh each time [E04]', async () => {
    const received = tokenEndpoint({ body: withRefresh }, { body: renewed });
    patientReads();
    const on = bench({ sites: [testSite({ client: { auth: 'private_key_jwt', id: 'jwt', alg: 'ES384' } })] });
    const { read } = await open(on);
    on.clock.forward(seconds(600));
    await read();
    on.clock.forward(seconds(600));
    await read();
    const keys = createLocalJWKSet(on.smart.jwks());
    const ids = await Promise.all(
      received.slice(1).map(async ({ form }) => {
        const { payload } = await jwtVerify(form.get('client_assertion')!, keys, {
          audience: `${ehr}/oauth/token`,
          clockTolerance: 3600,
          currentDate: on.clock(),
        });
        return payload.jti;
      }),
    );
    expect(new Set(ids).size).toBe(2);
    for (const { form } of received.slice(1)) expect(form.has('client_id')).toBe(false);
  });

  test('happens whenever there is a refresh token, whatever the scope says [E05]', async () => {
    const received = tokenEndpoint({ body: { ...withRefresh, scope: 'launch patient/Patient.r' } }, { body: renewed });
    patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(600));
    await read();
    expect(received).toHaveLength(2);
  });

  test('that answers with another patient kills the launch and raises the alarm [E06]', async () => {
    tokenEndpoint({ body: withRefresh }, { body: { ...renewed, patient: 'pat-2' } });
    const reads = patientReads();
    const alarm = vi.fn();
    const log: Log = { debug() {}, info() {}, warn() {}, error: alarm };
    const on = bench({ log });
    const { launch, sessionId, read } = await open(on);
    on.clock.forward(seconds(600));
    expect(await codeOf(read())).toBe('patient_mismatch');
    expect(await codeOf(on.smart.open(launch.id, sessionId))).toBe('relaunch_required');
    expect(await codeOf(read())).toBe('relaunch_required');
    expect(reads).toEqual([]);
    expect(alarm).toHaveBeenCalledOnce();
  });

  test.each([
    ['wider', `${token.scope} patient/*.cruds system/*.cruds`, token.scope.split(' ')],
    ['narrower', 'launch patient/Patient.r', ['launch', 'patient/Patient.r']],
    ['absent', undefined, token.scope.split(' ')],
  ])('with a %s scope never adds to what was granted [E07]', async (_name, scope, expected) => {
    tokenEndpoint({ body: withRefresh }, { body: { ...renewed, scope } });
    patientReads();
    const on = bench();
    const { launch, sessionId, read } = await open(on);
    on.clock.forward(seconds(600));
    await read();
    expect((await on.smart.open(launch.id, sessionId)).scopes).toEqual(expected);
  });

  test('that the EHR refuses for the client’s secret keeps the grant until it is put right [S27]', async () => {
    tokenEndpoint(
      { body: withRefresh },
      { status: 401, body: { error: 'invalid_client' } },
      { status: 401, body: { error: 'invalid_client' } },
      { body: renewed },
    );
    const reads = patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(550));
    await read();
    on.clock.forward(seconds(50));
    expect(await codeOf(read())).toBe('client_refused');
    await read();
    expect(reads).toEqual(['access-1', 'access-2']);
  });

  test('that the EHR answers with invalid_grant ends the session [E08]', async () => {
    const received = tokenEndpoint({ body: withRefresh }, { status: 400, body: { error: 'invalid_grant' } });
    patientReads();
    const on = bench();
    const { launch, read } = await open(on);
    on.clock.forward(seconds(600));
    expect(await codeOf(read())).toBe('relaunch_required');
    expect(await codeOf(read())).toBe('relaunch_required');
    expect(received).toHaveLength(2);
    expect(await on.store.get(launch.id)).not.toHaveProperty('tokens');
  });

  test.each([
    ['500', { status: 500, body: 'down' }],
    ['no answer in time', { body: renewed, delayMs: 60_000 }],
  ])('that meets %s keeps the token and works later [E08]', async (_name, outage) => {
    tokenEndpoint({ body: withRefresh }, outage, { body: renewed });
    patientReads();
    const on = bench({ limits: { timeoutMs: 1_000 } });
    const { read } = await open(on);
    on.clock.forward(seconds(600));
    expect(await codeOf(read())).toBe('token_failed');
    expect(await codeOf(read())).toBe('resolved');
  });

  test('that fails shortly before the token’s end does not stop the work', async () => {
    tokenEndpoint({ body: withRefresh }, { status: 503, body: '' });
    const reads = patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(550));
    expect(await codeOf(read())).toBe('resolved');
    expect(reads).toEqual(['access-1']);
  });

  test('comes at most once a minute, however short the tokens live [E09]', async () => {
    const received = tokenEndpoint({ body: withRefresh }, { body: { ...renewed, expires_in: 20 } });
    patientReads();
    const on = bench();
    const { read } = await open(on);
    on.clock.forward(seconds(600));
    for (let i = 0; i < 5; i += 1) {
      await read();
      on.clock.forward(seconds(10));
    }
    expect(received).toHaveLength(2);
    on.clock.forward(seconds(20));
    await read();
    expect(received).toHaveLength(3);
  });
});

describe('a system token', () => {
  const system = { id: 'backend', scopes: 'system/Task.crus system/DocumentReference.crus' };
  const site = testSite({ writeback: { tokens: ['system', 'refresh', 'next-launch'], system } });
  const systemToken = { access_token: 'system-1', token_type: 'bearer', expires_in: 300, scope: system.scopes };

  test('is asked for by a signed assertion with the site’s scopes [E10]', async () => {
    const received = tokenEndpoint({ body: systemToken });
    const on = bench({ sites: [site] });
    const api = await on.smart.systemApi(site);
    expect(api.scopes).toEqual(system.scopes.split(' '));
    const { form, authorization } = received[0]!;
    expect([form.get('grant_type'), form.get('scope'), form.has('client_id'), authorization]).toEqual([
      'client_credentials',
      system.scopes,
      false,
      null,
    ]);
    const { payload, protectedHeader } = await jwtVerify(
      form.get('client_assertion')!,
      createLocalJWKSet(on.smart.jwks()),
      { currentDate: on.clock() },
    );
    expect(payload).toMatchObject({ iss: 'backend', sub: 'backend', aud: `${ehr}/oauth/token` });
    expect(payload.exp! - on.clock().getTime() / 1000).toBeLessThanOrEqual(300);
    expect(protectedHeader).toMatchObject({ alg: 'ES384', typ: 'JWT' });
  });

  test('is shared by parallel callers and kept until half a minute before its end [E10]', async () => {
    const received = tokenEndpoint({ body: systemToken, delayMs: 10 });
    const on = bench({ sites: [site] });
    await Promise.all(Array.from({ length: 5 }, () => on.smart.systemApi(site)));
    on.clock.forward(seconds(269));
    await on.smart.systemApi(site);
    expect(received).toHaveLength(1);
    on.clock.forward(seconds(2));
    await on.smart.systemApi(site);
    expect(received).toHaveLength(2);
  });

  test('that is refused is renewed once [E10]', async () => {
    const received = tokenEndpoint({ body: systemToken }, { body: { ...systemToken, access_token: 'system-2' } });
    const reads = patientReads('system-1', 'system-2');
    const on = bench({ sites: [site] });
    const api = await on.smart.systemApi(site);
    expect(await codeOf(api.read('Patient', 'pat-1'))).toBe('token_failed');
    expect(reads).toEqual(['system-1', 'system-2']);
    expect(received).toHaveLength(2);
  });

  test('that could not be had is asked for again the next time', async () => {
    tokenEndpoint({ status: 500, body: '' }, { body: systemToken });
    const on = bench({ sites: [site] });
    expect(await codeOf(on.smart.systemApi(site))).toBe('token_failed');
    expect(await codeOf(on.smart.systemApi(site))).toBe('resolved');
  });

  test('says when it may be asked for again, where the EHR does', async () => {
    tokenEndpoint({ status: 503, body: '', headers: { 'retry-after': '90' } });
    const on = bench({ sites: [site] });
    await expect(on.smart.systemApi(site)).rejects.toMatchObject({
      code: 'token_failed',
      facts: { http: 503, retry_after_seconds: 90 },
    });
  });

  test('never writes for another patient than the delivery’s [E12 G14]', async () => {
    tokenEndpoint({ body: systemToken });
    const on = bench({ sites: [site] });
    const access = await on.smart.accessFor({ site, patient: 'Patient/pat-1' });
    if ('waiting' in access) throw new Error('expected access');
    expect(access.by).toBe('system');
    const write = nock(ehr).post('/fhir/Task').reply(201, '', { location: 'Task/1' });
    expect(
      await codeOf(
        access.api.create({
          resourceType: 'Task',
          status: 'received',
          intent: 'order',
          for: { reference: 'Patient/pat-2' },
        } as never),
      ),
    ).toBe('patient_mismatch');
    expect(write.isDone()).toBe(false);
    expect(
      await access.api.create({
        resourceType: 'Task',
        status: 'received',
        intent: 'order',
        for: { reference: 'Patient/pat-1' },
      } as never),
    ).toMatchObject({ id: '1' });
  });
});

describe('accessFor', () => {
  const refreshFirst = testSite({ writeback: { tokens: ['refresh', 'next-launch'] } });

  async function afterHours(scope: string, hours: number, site = refreshFirst) {
    const received = tokenEndpoint({ body: { ...withRefresh, scope } }, { body: renewed });
    const on = bench({ sites: [site] });
    const { launch } = await open(on);
    on.clock.forward(hours * 3_600_000);
    await on.smart.purge(on.clock());
    return { on, launch, received };
  }

  test('uses the session while it lives', async () => {
    const { on, launch } = await afterHours(token.scope, 0.5);
    expect(await on.smart.accessFor({ site: refreshFirst, patient: 'Patient/pat-1', launch: launch.id })).toMatchObject(
      { by: 'session' },
    );
  });

  test('uses an offline token after it, days later [G18]', async () => {
    const { on, launch, received } = await afterHours(token.scope, 24 * 7);
    expect(await on.store.get(launch.id)).not.toHaveProperty('tokens.accessToken');
    const access = await on.smart.accessFor({ site: refreshFirst, patient: 'Patient/pat-1', launch: launch.id });
    if ('waiting' in access) throw new Error('expected access');
    const reads = patientReads();
    await access.api.read('Patient', 'pat-1');
    expect([access.by, reads, received.at(-1)?.form.get('refresh_token')]).toEqual([
      'refresh',
      ['access-2'],
      'refresh-1',
    ]);
  });

  test('waits for the next launch when only an online token was granted [G18]', async () => {
    const { on, launch } = await afterHours('launch online_access patient/Patient.r', 24);
    expect(await on.smart.accessFor({ site: refreshFirst, patient: 'pat-1', launch: launch.id })).toEqual({
      waiting: 'next-launch',
    });
    expect(await on.store.get(launch.id)).not.toHaveProperty('tokens');
  });

  test('waits when the site wants users present', async () => {
    const site = testSite({ writeback: { tokens: ['next-launch'] } });
    const { on, launch } = await afterHours(token.scope, 24, site);
    expect(await on.smart.accessFor({ site, patient: 'pat-1', launch: launch.id })).toEqual({ waiting: 'next-launch' });
  });

  test.each([
    ['another patient', { patient: 'Patient/pat-2' }],
    ['another launch', { launch: 'unknown' }],
    ['no launch', { launch: undefined }],
  ])('never hands out the token for %s [G14]', async (_name, changes) => {
    const { on, launch } = await afterHours(token.scope, 0);
    const { launch: id, patient } = { launch: launch.id, patient: 'Patient/pat-1', ...changes };
    expect(
      await on.smart.accessFor({ site: refreshFirst, patient, ...(id === undefined ? {} : { launch: id }) }),
    ).toEqual({ waiting: 'next-launch' });
  });

  test('goes on to the user’s token when the system token cannot be had, and says so when there is none', async () => {
    const site = testSite({
      writeback: { tokens: ['system', 'refresh'], system: { id: 'backend', scopes: 'system/Task.c' } },
    });
    tokenEndpoint({ body: withRefresh }, { status: 401, body: { error: 'invalid_client' } });
    const on = bench({ sites: [site], clock: testClock() });
    const { launch } = await open(on);
    expect(await on.smart.accessFor({ site, patient: 'pat-1', launch: launch.id })).toMatchObject({ by: 'session' });
    expect(await codeOf(on.smart.accessFor({ site, patient: 'pat-1' }))).toBe('client_refused');
  });
});

/** A store whose next writes fail. */
function flakyStore(): LaunchStore & { failNext(count: number): void } {
  const store = createMemoryStore();
  let failures = 0;
  return {
    ...store,
    failNext: (count) => (failures = count),
    put: async (record) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('disk full');
      }
      return store.put(record);
    },
  };
}
