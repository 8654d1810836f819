import nock from 'nock';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowedFacts, type Log } from '../../../src/base/log.ts';
import { BridgeError, type ErrorFacts } from '../../../src/core/errors.ts';
import { saidBy } from '../../../src/core/fhir/ehr-says.ts';
import { exchangeRefused } from '../../../src/ehr/smart/sign-in-refused.ts';
import { begin, bench, discoverable, launched, testSite, tokenEndpoint } from './support.ts';

beforeEach(() => discoverable());

const words = 'Canary Testperson: the scope patient/Task.crus is not enabled';

/** A sign-in that the EHR sends back with these parameters; what is logged of it. */
async function sentBack(query: Record<string, unknown>) {
  const { log, logged } = recorded();
  const on = bench({ log });
  const { state } = await begin(on, 's');
  return { state, logged, error: await thrown(on.smart.completeLaunch('valley', { state, ...query }, ['s'])) };
}

async function thrown(work: Promise<unknown>): Promise<BridgeError> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof BridgeError) return error;
  throw new TypeError('it was not refused');
}

/** What the log writes, as it writes it. */
function recorded() {
  const logged: unknown[] = [];
  const note = (facts: ErrorFacts, message: string) => void logged.push([allowedFacts(facts), message]);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { log, logged };
}

describe('[E7] an error that the operator must mend says so, with what to check', () => {
  test.each([
    ['invalid_scope', /every scope of this site/],
    ['invalid_target', /https:\/\/ehr\.valley\.example\/fhir.*aud/],
    ['unsupported_response_type', /authorization code/],
    ['redirect_uri_mismatch', /https:\/\/bridge\.example\/callback\/valley/],
    ['invalid_redirect_uri', /https:\/\/bridge\.example\/callback\/valley/],
  ])('in the answer of the authorization: %s', async (error, check) => {
    const refused = await sentBack({ error, error_description: words });
    expect(refused.error).toMatchObject({
      code: 'registration_refused',
      facts: { site: 'valley', error, check: expect.arrayContaining([expect.stringMatching(check)]) },
      next: expect.stringContaining('Launching again does not help'),
    });
    expect(JSON.stringify(refused.logged)).toMatch(/"event":"registration_refused"/);
    expect(JSON.stringify(refused.logged)).toMatch(check);
  });

  test.each(['invalid_scope', 'invalid_target', 'unsupported_grant_type'])(
    'in the answer of the token endpoint: %s',
    async (error) => {
      tokenEndpoint({ status: 400, body: { error, error_description: words } });
      const { log, logged } = recorded();
      const refused = await thrown(launched(bench({ log })));
      expect(refused).toMatchObject({ code: 'registration_refused', facts: { http: 400, error } });
      expect(saidBy(refused)).toBe(words);
      expect(JSON.stringify(logged)).toContain('registration_refused');
    },
  );

  test('and invalid_request, which may also be a launch that took too long, says both', async () => {
    const { error, logged } = await sentBack({ error: 'invalid_request', error_description: words });
    expect(error).toMatchObject({
      code: 'ehr_denied',
      next: expect.stringMatching(/^Start again.*the operator of the bridge must compare/),
      facts: { error: 'invalid_request', check: [expect.stringContaining('/callback/valley'), expect.anything()] },
    });
    expect(JSON.stringify(logged)).toContain('sign_in_refused');
  });
});

describe('[E7] a client that the EHR does not take is named with what to check, in the log too', () => {
  const signing = testSite({ client: { auth: 'private_key_jwt', id: 'signing' } });
  const said = async (body: object, site = signing, status = 400) => {
    tokenEndpoint({ status, body });
    const { log, logged } = recorded();
    return { error: await thrown(launched(bench({ sites: [site], log }))), logged };
  };

  test.each([
    ['invalid_client', 'Canary Testperson'],
    // Medplum looks at the signature before the code, and calls a wrong one an invalid request.
    ['invalid_request', 'Invalid client assertion signature'],
  ])('by %s', async (error, error_description) => {
    const refused = await said({ error, error_description });
    const check = [
      'client.id is the one that the EHR gave',
      'the EHR reads the keys at https://bridge.example/.well-known/jwks.json, or has the present ES384 key',
    ];
    expect(refused.error).toMatchObject({ code: 'client_refused', facts: { error, http: 400, check } });
    expect(refused.logged).toContainEqual([
      { event: 'client_refused', site: 'valley', auth: 'private_key_jwt', http: 400, error, check },
      'the EHR does not accept the client of this site',
    ]);
    expect(JSON.stringify(refused.logged)).not.toMatch(/Canary|signature"/);
  });

  test('an invalid request that says nothing of the client is one of the request', async () => {
    const { error } = await said({ error: 'invalid_request', error_description: 'Invalid code' });
    expect(error.code).toBe('token_failed');
  });
});

describe('[E7] a code of the EHR that stands in no RFC', () => {
  test('of the authorization is told to IT support before its words, and stands in no log', async () => {
    const { error, logged } = await sentBack({ error: 'CANARY_4711', error_description: 'Locked' });
    expect(error.code).toBe('ehr_denied');
    expect(saidBy(error)).toBe('CANARY_4711: Locked');
    expect(JSON.stringify([logged, error.message, error.facts])).not.toContain('CANARY');
  });

  test('of the token endpoint too', async () => {
    tokenEndpoint({ status: 400, body: { error: 'https://ehr.valley.example/errors#4711' } });
    const error = await thrown(launched(bench()));
    expect(error).toMatchObject({ code: 'token_failed', facts: { http: 400 } });
    expect(saidBy(error)).toBe('https://ehr.valley.example/errors#4711');
    expect(error.message).not.toContain('4711');
  });

  test('is bounded and of one line, and one that is known is not told twice', async () => {
    const long = await sentBack({ error: `E\u0000\n${'4'.repeat(900)}` });
    expect(saidBy(long.error)).toMatch(/^E ?4{90,100}$/);
    expect(saidBy((await sentBack({ error: 'access_denied' })).error)).toBe('');
    expect(saidBy((await sentBack({ error: ['a', 'b'] })).error)).toBe('');
  });
});

describe('[E7] the reason that the EHR gives', () => {
  test.each(['access_denied', 'invalid_scope', 'unauthorized_client', 'login_required', 'server_error', '<b>'])(
    'of %s is kept for the page, and stands in no message and no log',
    async (error) => {
      const refused = await sentBack({ error, error_description: words });
      expect(saidBy(refused.error)).toBe(error === '<b>' ? `<b>: ${words}` : words);
      expect(JSON.stringify([refused.logged, refused.error.message, refused.error.facts])).not.toContain('Canary');
    },
  );

  test('is bounded, of one line, and without the state that it may quote', async () => {
    const { error, state } = await sentBack({
      error: 'access_denied',
      error_description: `a\u0000\n${'b'.repeat(900)}`,
    });
    expect(saidBy(error).length).toBeLessThanOrEqual(300);
    expect(saidBy(error)).toMatch(/^a ?b+$/);
    const quoting = await sentBack({ error: 'access_denied', error_description: 'no' });
    expect(saidBy(quoting.error)).not.toContain(state);
  });

  test.each([[undefined], [['a', 'b']], [{}], [7]])('is nothing where it is no text: %j', async (error_description) => {
    expect(saidBy((await sentBack({ error: 'access_denied', error_description })).error)).toBe('');
  });

  test('is told while the discovery document of an EHR that promises its issuer cannot be read', async () => {
    nock.cleanAll();
    discoverable({ authorization_response_iss_parameter_supported: true, issuer: 'https://ehr.valley.example/oauth' });
    const on = bench();
    const { state } = await begin(on, 's');
    nock.cleanAll();
    on.clock.forward(9 * 60_000);
    const query = { state, iss: 'https://ehr.valley.example/oauth', error: 'access_denied', error_description: words };
    const refused = await thrown(on.smart.completeLaunch('valley', query, ['s']));
    expect(refused.code).toBe('ehr_denied');
    expect(saidBy(refused)).toBe(words);
  });

  test('of a page for it is told where that is https', async () => {
    const said = async (error_uri: string) => saidBy((await sentBack({ error: 'access_denied', error_uri })).error);
    expect(await said('https://ehr.valley.example/why')).toBe('https://ehr.valley.example/why');
    expect(await said('javascript:alert(1)')).toBe('');
  });

  test('of a token request is without the secret and the code that it quotes', async () => {
    const site = testSite({ client: { auth: 'client_secret', id: 'conf', secretEnv: 'CLIENT_SECRET' } });
    tokenEndpoint({ status: 401, body: { error: 'invalid_client', error_description: 'not s%+:&é, code the-code' } });
    const { log } = recorded();
    const on = bench({ sites: [site], log });
    const { state } = await begin(on, 's');
    const refused = await thrown(on.smart.completeLaunch('valley', { state, code: 'the-code' }, ['s']));
    expect(refused.code).toBe('client_refused');
    expect(saidBy(refused)).toBe('not …, code …');
    expect(saidBy(refused)).not.toContain('the-code');
  });
});

describe('the failure of a code exchange', () => {
  const parts = { config: bench().config, log: recorded().log } as unknown as Parameters<typeof exchangeRefused>[0];
  const refused = (thrown: unknown) => exchangeRefused(parts, testSite(), thrown);

  test.each<[string, unknown]>([
    ['that is none of ours', new TypeError('of ours')],
    ['that is another one of ours', new BridgeError('ehr_unreachable', { error: 'invalid_scope' })],
    ['with no error of OAuth', new BridgeError('token_failed', { http: 500 })],
    ['that another try may mend', new BridgeError('token_failed', { error: 'invalid_grant' })],
  ])('%s stays as it is', (_, thrown) => {
    expect(refused(thrown)).toBe(thrown);
  });

  test('that only the operator can mend says so, and keeps what was known', () => {
    expect(refused(new BridgeError('token_failed', { error: 'invalid_scope', http: 400 }))).toMatchObject({
      code: 'registration_refused',
      facts: { error: 'invalid_scope', http: 400, site: 'valley' },
    });
  });
});
