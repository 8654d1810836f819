import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tempFolder } from '../../support/temp.ts';
import { cli, type Ran } from '../run-cli.ts';
import {
  bridge,
  ehr,
  env,
  keys,
  secrets,
  sitesFile,
  statementOf,
  systemToken,
  site as valley,
  type World,
  world,
} from './support.ts';

const folder = tempFolder('doctor');
beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});
afterAll(() => folder.remove());

interface Looked extends Ran {
  readonly asked: readonly string[];
}

async function look(
  given: World = {},
  { site = {}, argv = [], more = {} }: { site?: object; argv?: readonly string[]; more?: Record<string, string> } = {},
): Promise<Looked> {
  const asked = world({ webhook: 400, ...given });
  const BRIDGE_SITES = sitesFile(folder.path, { ...site });
  return { ...(await cli(['doctor', 'valley', ...argv], { env: { ...env, BRIDGE_SITES, ...more } })), asked };
}

/** Lines are broken for the terminal. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

test('a site where everything is in place ends with 0 and says so last', async () => {
  const { code, out } = await look();
  expect(out).toMatch(/\n\d+ ok, \d+ notes?, 0 problems\. Nothing is missing\.\n$/);
  expect(code).toBe(0);
});

test('nothing is said to be complete while something could not be tried', async () => {
  const { code, out } = await look({ webhook: undefined as never });
  expect(out).toMatch(/ 0 problems\. Not everything could be tried: the notes say what, and why\.\n$/);
  expect(out).not.toContain('Nothing is missing');
  expect(code).toBe(0);
});

test('nobody is given up before a busy machine has answered', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout');
  await look();
  expect(Math.min(...limits.mock.calls.map(([ms]) => ms))).toBeGreaterThanOrEqual(15_000);
  limits.mockRestore();
});

test('what the EHR’s administrator registers stands on lines of its own', async () => {
  const { out } = await look({}, { site: { scopes: 'launch openid fhirUser patient/Patient.r' } });
  expect(out).toContain(`
For the EHR’s administrator
  Launch address:
    https://bridge.example/launch
  Redirect address:
    https://bridge.example/callback/valley
  Key set (JWK Set):
    https://bridge.example/.well-known/jwks.json
  Client:
    bridge-client, a confidential client that signs with the keys above (private_key_jwt)
  Scopes:
    launch openid fhirUser patient/Patient.r
  Backend client:
    bridge-system, signs with the keys above (private_key_jwt)
  Backend scopes:
    system/Task.crus system/DocumentReference.crus
`);
});

test('nothing but sign-ins and an empty webhook is sent, and nothing is written', async () => {
  const { asked } = await look();
  const posts = asked.filter((request) => !request.startsWith('GET '));
  const signIn = `POST ${ehr}/oauth/token`;
  expect(posts).toEqual([signIn, signIn, signIn, `POST ${bridge}/webhooks/valley`]);
});

describe('sign-in', () => {
  test('an EHR that does not answer ends with 3', async () => {
    nock(ehr).get('/fhir/.well-known/smart-configuration').replyWithError('connect ECONNREFUSED');
    const { code, out } = await look();
    expect(out).toContain('no answer  The EHR did not describe its sign-in service');
    expect(code).toBe(3);
  });

  test('a token endpoint elsewhere is named with its origin, and where to allow it', async () => {
    const { code, out } = await look({ wellKnown: { token_endpoint: 'https://login.example/token' } });
    expect(flat(out)).toContain('(endpoint: token_endpoint; origin: https://login.example)');
    expect(out).toContain('add the origin to "origins" of the site');
    expect(code).toBe(1);
  });

  test('an EHR without PKCE is a problem', async () => {
    const { out } = await look({ wellKnown: { code_challenge_methods_supported: ['plain'] } });
    expect(out).toContain('problem    PKCE with S256 is not offered');
  });

  test('a client that the EHR does not know says what to check', async () => {
    const { code, out } = await look({ code: { status: 401, body: { error: 'invalid_client' } } });
    expect(out).toContain('The EHR does not accept the bridge as its client');
    expect(out).toContain('Check that client.id is the one that the EHR gave');
    expect(code).toBe(1);
  });

  test('a signature that it does not take is a note as long as no bridge shows the keys', async () => {
    const refused = { status: 401, body: { error: 'invalid_client' } };
    const others = await look({ publishes: { keys: [{ kid: 'another' }] }, code: refused, system: refused });
    expect(flat(others.out)).toContain('shows other keys than those of BRIDGE_JWKS');
    expect(others.out).not.toContain('no bridge shows');
    nock.cleanAll();
    const { code, out } = await look({ webhook: undefined as never, code: refused, system: refused });
    expect(flat(out)).toContain('note The EHR does not take the signature of bridge-client yet');
    expect(flat(out)).toContain('note The EHR does not take the signature of bridge-system yet');
    expect(code).toBe(0);
  });

  test('a scope that a request needs and no launch asks for is a problem', async () => {
    const { out } = await look(
      {},
      { site: { scopes: 'launch openid fhirUser patient/Patient.r patient/Coverage.rs' } },
    );
    expect(flat(out)).toContain(
      'A launch does not ask for patient/MedicationRequest.rs patient/Condition.rs: without them there is no request.',
    );
  });

  test('scopes that the EHR does not list are a note alone', async () => {
    const { code, out } = await look(
      { wellKnown: { scopes_supported: ['launch', 'patient/*.rs'] } },
      { site: { scopes: 'launch openid fhirUser patient/*.rs user/Practitioner.rs' } },
    );
    expect(out).toContain('The EHR does not list user/Practitioner.rs; it may grant them all the same.');
    expect(code).toBe(1); // no launch may write
  });
});

describe('Backend Services', () => {
  test('scopes that were asked for and not granted are named', async () => {
    const { code, out } = await look({
      system: { status: 200, body: { ...systemToken, scope: 'system/DocumentReference.crus' } },
    });
    expect(out).toContain('problem    Not granted to bridge-system: system/Task.crus');
    expect(code).toBe(1);
  });

  test('a refused grant is a problem with its code', async () => {
    const { out } = await look({ system: { status: 400, body: { error: 'invalid_scope' } } });
    expect(out).toContain('(http: 400; error: invalid_scope)');
    expect(out).toContain('a user to run as');
  });

  test('a site without such a client is told when outcomes are written', async () => {
    const { code, out } = await look({}, { site: { writeback: { tokens: ['next-launch'] } } });
    expect(out).toContain('No client for Backend Services: outcomes are written at the patient’s next launch.');
    expect(code).toBe(0);
  });
});

describe('the channel of the write-back', () => {
  const every = ['create', 'read', 'search-type', 'update'];
  const landings = async (given: World, site: object = {}) => {
    const { out } = await look(given, { site, argv: ['--json'] });
    return JSON.parse(out).writeback;
  };

  test('is Task and DocumentReference where both may be made', async () => {
    expect(await landings({})).toEqual([
      { token: 'system', writes: ['Task', 'DocumentReference'], reasons: [] },
      { token: 'launch', writes: ['Task', 'DocumentReference'], reasons: [] },
    ]);
  });

  test('is DocumentReference alone at an EHR without Task.create', async () => {
    const statement = statementOf({ Task: ['read', 'search-type'], DocumentReference: every });
    const [system] = await landings({ statement });
    expect(system).toEqual({
      token: 'system',
      writes: ['DocumentReference'],
      reasons: ['the EHR offers no Task.create'],
    });
  });

  test('is Communication where documents are not taken and the site lists it', async () => {
    const statement = statementOf({ Communication: every });
    const writeback = {
      channels: ['document', 'communication', 'worklist'],
      tokens: ['system'],
      system: { id: 'bridge-system', scopes: 'system/Communication.crus system/DocumentReference.crus' },
    };
    const body = { ...systemToken, scope: 'system/Communication.crus system/DocumentReference.crus' };
    expect(await landings({ statement, system: { status: 200, body } }, { writeback })).toEqual([
      { token: 'system', writes: ['Communication'], reasons: ['the EHR offers no DocumentReference.create'] },
    ]);
  });

  test('is the worklist where nothing may be written, and the report says what staff do', async () => {
    const { code, out } = await look({ statement: statementOf({}) });
    expect(flat(out)).toContain('staff find the outcome in the worklist and file its letter by hand.');
    expect(code).toBe(0);
  });

  test('is told with what it leaves to staff: the letter and the status that no message carries', async () => {
    const statement = statementOf({ Communication: every });
    const writeback = { channels: ['communication', 'worklist'], tokens: ['refresh'] };
    const scopes = 'launch openid fhirUser patient/*.rs patient/Communication.crs';
    const out = flat((await look({ statement }, { site: { writeback, scopes } })).out);
    expect(out).toContain(
      'A message carries no file: staff open the payer’s letter on the request’s page and file it.',
    );
    expect(out).toContain('No Task follows a request: until it is decided, the chart shows nothing of it.');
  });

  test('of a site that lists the worklist alone promises no later writing', async () => {
    const { out } = await look({}, { site: { writeback: { channels: ['worklist'], tokens: ['next-launch'] } } });
    expect(out).not.toContain('outcomes are written');
    expect(flat(out)).toContain('nothing is written to the chart');
  });

  test('a scope that a launch does not ask for is a problem, since it can be granted', async () => {
    const { code, out } = await look({}, { site: { scopes: 'launch openid fhirUser patient/*.rs' } });
    expect(out).toContain('problem    The scope Task.c is not granted or not asked for.');
    expect(code).toBe(1);
  });

  test.each([
    ['a launch', {}, 'patient/Task.crus granted, and named in "scopes" of the site'],
    [
      'Backend Services',
      { scope: 'system/DocumentReference.crus' },
      'system/Task.crus granted, and named in writeback',
    ],
  ])('[E7] the scope that %s lacks is named as it is asked for', async (_, granted, next) => {
    const scopes = { scopes: 'launch openid fhirUser patient/*.rs patient/DocumentReference.crus' };
    const { out } = await look({ system: { status: 200, body: { ...systemToken, ...granted } } }, { site: scopes });
    expect(flat(out)).toContain(`Next: Have ${next}`);
  });

  test('[E7] a Provenance that one kind of token may not write is a note with the scope that lacks', async () => {
    const statement = statementOf({ Task: every, DocumentReference: every, Provenance: every });
    const system = {
      id: 'bridge-system',
      scopes: 'system/Task.crus system/DocumentReference.crus system/Provenance.crs',
    };
    const writeback = { tokens: ['system', 'refresh', 'next-launch'], system };
    const body = { ...systemToken, scope: system.scopes };
    const { code, out } = await look({ statement, system: { status: 200, body } }, { site: { writeback } });
    expect(flat(out)).toContain('With the token of Backend Services, a Provenance is written for each resource.');
    expect(flat(out)).toContain(
      'With a launch’s token, no Provenance is written: no scope Provenance.c. ' +
        'Next: Have user/Provenance.crs granted, and named in "scopes" of the site.',
    );
    expect(code).toBe(0);
  });

  test.each([
    [{}, 'system/Task.crus system/DocumentReference.crus system/Provenance.crs'],
    [{ preset: 'oracle' }, 'system/DocumentReference.crus system/Communication.crs system/Provenance.crs'],
    [{ preset: 'epic' }, 'system/DocumentReference.crus system/Communication.crs'],
  ])('[E7] a site without Backend Services is told the scopes of one: %j', async (preset, scopes) => {
    const { out } = await look({}, { site: { ...preset, writeback: undefined } });
    expect(flat(out)).toContain(`as far as the EHR has them: ${scopes} `);
  });

  test('a Task that cannot be changed is told', async () => {
    const statement = statementOf({ Task: ['create', 'read', 'search-type'], DocumentReference: every });
    expect((await look({ statement })).out).toContain('note       The Task cannot be changed');
  });
});

describe('the service', () => {
  test.each([
    [{}, 'Requests are written in the profile documented.'],
    [{ profile: 'current' }, 'Requests are written in the profile current, the drug by its name.'],
    [
      { profile: 'current', prescription: 'coded' },
      'Requests are written in the profile current, the drug by its NDC.',
    ],
  ])('of %j is told with its profile', async (spoken, told) => {
    const { out } = await look({}, { site: { service: { ...valley.service, ...spoken } } });
    expect(flat(out)).toContain(told);
  });

  test('a refused token names the variable that holds it', async () => {
    const { code, out } = await look({ service: () => 401 });
    expect(out).toContain('Correct the token in SERVICE_TOKEN');
    expect(code).toBe(1);
  });

  test('an address that answers every token alike may not be the service', async () => {
    const { out } = await look({ service: () => 404 });
    expect(out).toContain('https://service.example answers a wrong token as it answers the one in SERVICE_TOKEN');
  });

  test('one that is down ends with 3', async () => {
    nock('https://service.example').persist().get(/./).replyWithError('connect ECONNREFUSED');
    const { code } = await look();
    expect(code).toBe(3);
  });
});

describe('the running bridge', () => {
  test('that does not believe the webhook secret is a problem', async () => {
    const { code, out } = await look({ webhook: 401 });
    expect(out).toContain('/webhooks/valley does not believe a webhook signed with WEBHOOK_SECRET (HTTP 401)');
    expect(code).toBe(1);
  });

  test('that publishes other keys is a problem', async () => {
    const { out } = await look({ publishes: { keys: [{ kid: 'another' }] } });
    expect(out).toContain('/.well-known/jwks.json does not show the keys of BRIDGE_JWKS');
  });

  test('that is not there is a note', async () => {
    const { code, out } = await look({ webhook: undefined as never });
    expect(out).toContain('No bridge answers at https://bridge.example');
    expect(code).toBe(0);
  });

  test('a short webhook secret is noted with its bits', async () => {
    const { out } = await look({}, { more: { WEBHOOK_SECRET: 'short' } });
    expect(out).toContain('The secret in WEBHOOK_SECRET has 40 bits; Standard Webhooks ask for 192.');
  });
});

test('a clock of the EHR that is two minutes ahead is a problem', async () => {
  const ahead = new Date(new Date('2026-11-21T12:00:00').getTime() + 120_000).toUTCString();
  const { code, out } = await look({ date: ahead });
  expect(out).toMatch(/ehr\.valley\.example is 12\d s ahead of this machine/);
  expect(code).toBe(1);
});

test('a variable that is not set is named, and the rest is looked at', async () => {
  const { code, out } = await look({}, { more: { SERVICE_TOKEN: '' } });
  expect(out).toContain('problem    SERVICE_TOKEN is not set');
  expect(out).toContain('PKCE with S256 is offered.');
  expect(code).toBe(1);
});

test('an overlay with a mistake is named', async () => {
  const { out } = await look({}, { site: { overlay: 'gone.json' } });
  expect(flat(out)).toContain(`site valley: ${join(folder.path, 'gone.json')}`);
});

test('a test patient’s orders are read and counted, and no value is told', async () => {
  nock(ehr)
    .get('/fhir/Patient/test-1')
    .reply(200, { resourceType: 'Patient', id: 'test-1', name: [{ family: 'Canary' }] });
  nock(ehr)
    .get('/fhir/MedicationRequest')
    .query(true)
    .reply(200, { resourceType: 'Bundle', type: 'searchset', entry: [order] });
  const scopes = 'system/Patient.r system/MedicationRequest.rs';
  const { out } = await look(
    { system: { status: 200, body: { ...systemToken, scope: scopes } } },
    { argv: ['--patient', 'Patient/test-1'] },
  );
  expect(out).toContain('The orders of test-1 were read: 1 MedicationRequest, 1 Patient. It took 1 of 3 rounds.');
  expect(out).not.toContain('Canary');
});

describe('[E6] a test patient whose orders cannot be read from the command line is a note, and no problem', () => {
  const patient = { argv: ['--patient', 'Patient/test-1'] };
  const reads =
    'system/Patient.r system/Coverage.rs system/MedicationRequest.rs system/Condition.rs system/Encounter.r ' +
    'system/DocumentReference.rs system/DiagnosticReport.rs system/AllergyIntolerance.rs system/Observation.rs ' +
    'system/MedicationStatement.rs system/MedicationDispense.rs system/Practitioner.rs system/PractitionerRole.rs ' +
    'system/Medication.rs system/Organization.r system/Location.r system/Binary.r';

  test('with scopes that write alone: all that lack are named at once', async () => {
    const { code, out } = await look({}, patient);
    const lacking = reads.replace('system/DocumentReference.rs ', '');
    expect(flat(out)).toContain('note The orders of test-1 were not read');
    expect(flat(out)).toContain(`add what the EHR grants of these to writeback.system.scopes: ${lacking} `);
    expect(out).not.toContain('does not allow this access');
    expect(code).toBe(0);
  });

  test('without Backend Services: in the words of the EHR', async () => {
    const site = { preset: 'meditech', scopes: undefined, writeback: undefined };
    const { code, out } = await look({}, { ...patient, site });
    expect(flat(out)).toContain('and this site has no client for it.');
    expect(flat(out)).toContain('system/Patient.read system/Coverage.read system/MedicationRequest.read');
    expect(out).not.toContain('writeback.system is missing');
    expect(code).toBe(0);
  });

  test('without a token of Backend Services, whose refusal is told once', async () => {
    const { out } = await look({ system: { status: 400, body: { error: 'invalid_scope' } } }, patient);
    expect(out.match(/invalid_scope/g)).toHaveLength(1);
    expect(flat(out)).toContain('and the EHR gave no token for it.');
  });
});

const order = {
  resource: {
    resourceType: 'MedicationRequest',
    id: 'm1',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/test-1' },
    medicationCodeableConcept: { text: 'Canary drug' },
  },
};

test('no token, secret or key is printed, whatever the others answer', async () => {
  const canaries = [...Object.values(secrets), ...keys.keys.flatMap(({ d }) => d ?? []), 'canary-from-the-service'];
  const leaky = { error: 'invalid_client', access_token: secrets.accessToken };
  const worlds: World[] = [
    {},
    { code: { status: 401, body: leaky }, system: { status: 400, body: leaky }, service: () => 500 },
    { code: { status: 200, body: systemToken }, system: { status: 200, body: { ...leaky, token_type: 'mac' } } },
    { wellKnown: { token_endpoint: `https://login.example/canary-from-the-ehr?token=${secrets.accessToken}` } },
  ];
  for (const given of worlds)
    for (const argv of [[], ['--json']]) {
      nock.cleanAll();
      const { out, err } = await look(given, { argv });
      for (const canary of canaries) expect(`${out}${err}`).not.toContain(canary);
    }
});

describe('[E6] what the EHR says of a refused client is printed', () => {
  const secretSite = { client: { auth: 'client_secret', id: 'bridge-client', secretEnv: 'CLIENT_SECRET' } };
  const saying = (error_description: unknown, more: object = {}) => ({
    code: { status: 401, body: { error: 'invalid_client', error_description, ...more } },
  });

  test('for launches and for Backend Services', async () => {
    const body = { error: 'invalid_client', error_description: 'The app is retired.' };
    const refused = { status: 401, body };
    const out = flat((await look({ code: refused, system: refused })).out);
    expect(out.match(/The EHR says: “The app is retired\.”/g)).toHaveLength(2);
  });

  test('with the page that it names', async () => {
    const { out } = await look(saying('Retired.', { error_uri: 'https://ehr.valley.example/why?id=1' }));
    expect(flat(out)).toContain('The EHR says: “Retired. https://ehr.valley.example/why?id=1”.');
  });

  test.each([
    ['the secret', secrets.clientSecret],
    ['the header', Buffer.from(`bridge-client:${secrets.clientSecret}`).toString('base64')],
    ['a token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.c2ln'],
  ])('without %s, where it quotes that', async (_, quoted) => {
    const { out } = await look(saying(`You sent ${quoted} to us.`), { site: secretSite });
    expect(flat(out)).toContain('The EHR says: “You sent … to us.”.');
    expect(out).not.toContain(quoted);
  });

  test('without the part of a secret that would be left where a long text is cut', async () => {
    const { out } = await look(saying(`${'x'.repeat(290)} ${secrets.clientSecret}`), { site: secretSite });
    expect(out).not.toContain('canary');
  });

  test.each([[7], [['a']], [{}], ['\u001b[31m'.repeat(3)]])('and nothing of what is no text: %j', async (said) => {
    const { out } = await look(saying(said));
    expect(out).toContain('The EHR does not accept the bridge as its client');
    expect(out).not.toContain('\u001b');
  });
});

test('a site that the file does not have ends with 3 and names those that it has', async () => {
  const { code, err } = await cli(['doctor', 'vally'], { env: { ...env, BRIDGE_SITES: sitesFile(folder.path) } });
  expect(err).toContain('Next: Name one of: valley.');
  expect(code).toBe(3);
});

test('an environment without BRIDGE_URL ends with 3 and names it', async () => {
  const { BRIDGE_URL: _, ...rest } = env;
  const { code, err } = await cli(['doctor', 'valley'], { env: { ...rest, BRIDGE_SITES: sitesFile(folder.path) } });
  expect(err).toContain('BRIDGE_URL: not set');
  expect(code).toBe(3);
});
