import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import type { Deps } from '../../../src/web/http/deps.ts';
import { launchId, openScene, otherSession, type Scene, session } from '../support.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

describe('launch and callback', () => {
  test('launch sets a cookie that works in a frame and nowhere else than here [C10]', async () => {
    const reply = await scene.get('/launch?iss=http://127.0.0.1:8081/fhir&launch=x', { cookie: '' });
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toBe('http://127.0.0.1:8081/authorize?state=abc');
    expect(reply.headers['set-cookie']).toMatch(
      new RegExp(
        String.raw`^__Host-bridge-launch-one-of-this-browser-000001=[\w-]{43}; Path=/; ` +
          'HttpOnly; Secure; Partitioned; SameSite=None$',
      ),
    );
  });

  test('each launch gets an id that no other launch has, whatever the browser sends [B22]', async () => {
    const launched = async () => (await scene.get('/launch?iss=http://127.0.0.1:8081/fhir&launch=x')).headers;
    const [one, other] = [String((await launched())['set-cookie']), String((await launched())['set-cookie'])];
    expect(one).not.toContain(session);
    expect(one).not.toBe(other);
  });

  test('callback gives a new session id and a clean address [B22, B23]', async () => {
    const reply = await scene.get('/callback/valley?state=abc&code=SECRET-CODE');
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toBe(`/app/${launchId}`);
    expect(reply.headers['set-cookie']).toContain(`__Host-bridge-${launchId}=${otherSession};`);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect(scene.log.lines.join('\n')).not.toContain('SECRET-CODE');
  });

  test('callback without a cookie explains it on a page that the EHR may frame [C09]', async () => {
    const reply = await scene.get('/callback/valley?state=abc&code=1', { cookie: '' });
    expect(reply.status).toBe(400);
    expect(reply.body).toContain('did not keep this app’s cookie');
    expect(reply.body).toMatch(
      /<a class="button" href="\/launch\?iss=[^"]+&amp;launch=x" target="_blank" rel="noopener">/,
    );
    expect(reply.headers['content-security-policy']).toContain('frame-ancestors https://ehr.valley.example');
  });

  test('what a forged callback sends is not repeated on the page [B05, B06]', async () => {
    const reply = await scene.get(
      '/callback/valley?error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=zzz',
    );
    expect(reply.status).toBe(400);
    expect(reply.body).not.toContain('alert(1)');
  });

  test('the three hundredth and first launch of a minute is refused with Retry-After [A18]', async () => {
    for (let count = 0; count < 300; count += 1) await scene.get('/launch?iss=nobody&launch=x');
    const reply = await scene.get('/launch?iss=nobody&launch=x');
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(reply.body).toContain('Too many requests.');
  });
});

describe('headers', () => {
  test('a page of a launch may be framed by the origins of its site only, without inline code [C11]', async () => {
    const { headers } = await scene.get(`${scene.home}/orders`);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';form-action " +
        "'self';base-uri 'none';frame-ancestors https://ehr.valley.example",
    );
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('a page outside any launch is never framed [C11]', async () => {
    const { headers } = await scene.get('/nowhere');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  });

  test('no page holds an inline script, style or event handler', async () => {
    const { body } = await scene.get(`${scene.home}/orders/${scene.order}`);
    expect(body).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle="|\son\w+="/);
  });

  test('assets may be kept, because their addresses change with their content', async () => {
    const page = await scene.get(`${scene.home}/orders`);
    const address = /href="(\/assets\/bridge\.css\?v=[0-9a-f]{12})"/.exec(page.body)?.[1] ?? '';
    const { status, headers } = await scene.get(address);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });
});

describe('who may see a launch', () => {
  test.each([
    ['another browser', { cookie: `__Host-bridge-${launchId}=${otherSession}` }],
    ['a browser without a session', { cookie: '' }],
    ['a cookie that is no session id', { cookie: `__Host-bridge-${launchId}=../../etc` }],
  ])('%s is told that the launch is not known [C03]', async (_who, headers) => {
    const reply = await scene.get(`${scene.home}/orders`, headers);
    expect(reply.status).toBe(404);
    expect(reply.body).toContain('Your session has ended.');
    expect(reply.body).not.toContain('Orders and requests');
  });

  test.each(['/app/', '/app/latest', '/app/..%2f..%2fx/orders'])('%s opens no launch [C04]', async (path) => {
    expect((await scene.get(path)).status).toBe(404);
  });

  test('after the end of the session the Back button finds nothing [C14]', async () => {
    const page = await scene.get(`${scene.home}/orders`);
    const token = /name="token" value="([\w-]+)"/.exec(page.body)?.[1] ?? '';
    const reply = await scene.post(`${scene.home}/logout`, { token });
    expect(reply.body).toContain('You are signed out.');
    expect((await scene.get(`${scene.home}/orders`)).status).toBe(401);
  });
});

describe('forged forms', () => {
  const form = async () => ({
    token:
      /name="token" value="([\w-]+)"/.exec((await scene.get(`${scene.home}/orders/${scene.order}`)).body)?.[1] ?? '',
    'f.provider.fax': '1',
    'o.provider.fax': '2',
  });

  test.each([
    ['no token', { token: '' }, {}],
    ['another token', { token: 'A'.repeat(43) }, {}],
    ['a foreign origin', {}, { origin: 'https://evil.example' }],
    ['a foreign site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of our host', {}, { 'sec-fetch-site': 'same-site' }],
  ])('a form with %s changes nothing [C12]', async (_what, fields, headers) => {
    const reply = await scene.post(`${scene.home}/orders/${scene.order}`, { ...(await form()), ...fields }, headers);
    expect(reply.status).toBe(403);
    expect([...scene.cases.all.values()][0]?.edits).toEqual({});
  });

  test('a form of our own page passes, also with the Origin: null that no-referrer brings', async () => {
    const mark = scene.cases.patientMark('valley', `Patient/${scene.smart.launch.patient}`);
    const reply = await scene.post(
      `${scene.home}/orders/${scene.order}`,
      { ...(await form()), patient: mark },
      { origin: 'null' },
    );
    expect(reply.status).toBe(303);
  });
});

describe('failures', () => {
  test('an unexpected failure shows and logs nothing of the chart, and gives a reference [H01, H06]', async () => {
    await scene.app.close();
    scene = await openScene('story-complete', (deps) => ({
      ...deps,
      readChart: async () => {
        throw new Error('CANARY-NAME and CANARY-TOKEN');
      },
    }));
    const reply = await scene.get(`${scene.home}/orders`);
    expect(reply.status).toBe(500);
    expect(reply.body).toMatch(/Error reference: <code>[0-9a-f-]{36}<\/code>/);
    expect(reply.body + scene.log.lines.join('\n')).not.toContain('CANARY');
    const reference = /<code>([0-9a-f-]{36})</.exec(reply.body)?.[1] ?? 'none';
    expect(scene.log.lines.some((line) => line.includes(reference) && line.includes('"code":"internal"'))).toBe(true);
  });

  test('facts are for IT support and folded away; what to do next is not', async () => {
    await scene.app.close();
    scene = await openScene('story-complete', (deps) => ({
      ...deps,
      readChart: async () => {
        throw new BridgeError('ehr_error', { http: 503, codes: ['transient', 'busy'] });
      },
    }));
    const { body } = await scene.get(`${scene.home}/orders`);
    expect(body).toContain('<p class="next">Try again. If it keeps happening, contact your IT support.</p>');
    expect(body).toContain('<summary>For IT support<span class="hidden">: Problem</span></summary>');
    expect(body).toMatch(/<\/summary><p><code>ehr_error, http 503, codes transient busy, request [\w-]{36}</);
    expect(body.replace(/<details>.*?<\/details>/s, '')).not.toMatch(/http 503|transient/);
  });

  describe('a page that failed on the other side', () => {
    const failing = async (audit?: Deps['audit']) => {
      await scene.app.close();
      scene = await openScene('story-complete', (deps) => ({
        ...deps,
        ...(audit === undefined ? {} : { audit }),
        readChart: async () => {
          throw new BridgeError('ehr_unreachable');
        },
      }));
      const patient = `Patient/${scene.smart.launch.patient}`;
      scene.cases.put({ site: 'valley', patient, banner: { name: 'Canary Testperson', mrn: 'MRN-77' } });
    };

    test('can be tried again, and says whose chart is open as far as its requests know', async () => {
      await failing();
      const { body } = await scene.get(`${scene.home}/orders`);
      expect(body).toContain(`<a class="button go" href="${scene.home}/orders">Try again</a>`);
      expect(body).toContain('<p class="patient-name">Canary Testperson</p>');
    });

    test('names no patient where the EHR shows its own banner, or when that cannot be recorded', async () => {
      await failing({
        record: async () => {
          throw new BridgeError('store_unavailable');
        },
      } as unknown as NonNullable<Deps['audit']>);
      expect((await scene.get(`${scene.home}/orders`)).body).not.toContain('Canary');
      await failing();
      scene.smart.launch = { ...scene.smart.launch, needPatientBanner: false };
      expect((await scene.get(`${scene.home}/orders`)).body).not.toContain('Canary');
    });

    test('is recorded once as seen, like every page that names a patient', async () => {
      const seen: unknown[] = [];
      await failing({ record: async (entry: unknown) => void seen.push(entry) } as unknown as NonNullable<
        Deps['audit']
      >);
      await scene.get(`${scene.home}/orders`);
      expect(seen).toMatchObject([{ action: 'page_viewed', facts: { page: '/app/:launch/orders' } }]);
    });

    test('offers no second sending of a form', async () => {
      const { body } = await scene.get(`${scene.home}/orders`);
      const token = /name="token" value="([\w-]+)"/.exec(body)?.[1] ?? '';
      await failing();
      const reply = await scene.post(`${scene.home}/orders/${scene.order}`, { token });
      expect(reply.body).not.toContain('Try again</a>');
    });
  });

  test('a session that has ended says so, and shows nothing of the chart any more', async () => {
    const patient = `Patient/${scene.smart.launch.patient}`;
    scene.cases.put({ site: 'valley', patient, banner: { name: 'Canary Testperson' } });
    scene.smart.loggedOut = true;
    const { status, body } = await scene.get(`${scene.home}/orders`);
    expect(status).toBe(401);
    expect(body).toContain('<h1 id="problem">Your session has ended.</h1>');
    expect(body).toContain('Open this app again from the patient’s chart.');
    expect(body).not.toMatch(/Canary|Try again</);
  });

  test('a program gets JSON with the code and what to do next', async () => {
    const reply = await scene.get('/nowhere', { accept: 'application/json' });
    expect(JSON.parse(reply.body)).toMatchObject({ error: 'not_found', title: 'There is no such page.' });
  });

  test('log lines hold the pattern of a route, never the address', async () => {
    await scene.get(`${scene.home}/orders/${scene.order}?notice=saved`);
    expect(scene.log.lines.at(-1)).toContain('"route":"/app/:launch/orders/:order"');
    expect(scene.log.lines.join('\n')).not.toContain(scene.order);
  });

  test('a body that is no form is refused', async () => {
    const reply = await scene.post(`${scene.home}/logout`, {}, { 'content-type': 'application/xml' });
    expect(reply.status).toBe(415);
  });
});

test('liveness, readiness and keys are open to anybody', async () => {
  expect((await scene.get('/healthz')).body).toBe('{"status":"ok"}');
  expect((await scene.get('/readyz')).status).toBe(200);
  const keys = await scene.get('/.well-known/jwks.json');
  expect([keys.body, keys.headers['cache-control']]).toEqual(['{"keys":[]}', 'public, max-age=300']);
});

test('readiness is refused while the store is away', async () => {
  await scene.app.close();
  scene = await openScene('story-complete', (deps) => ({ ...deps, ready: async () => false }));
  expect((await scene.get('/readyz')).status).toBe(503);
});
