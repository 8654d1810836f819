import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxEhr } from '../../../../src/dev/sandbox/ehr/index.ts';
import { stories } from '../../../../src/dev/sandbox/ehr/stories.ts';
import { fhir, launchToken, startEhr } from './support.ts';

let ehr: SandboxEhr;
beforeAll(async () => {
  ehr = await startEhr();
});
afterAll(() => ehr.close());

const get = (path: string) => fetch(`${ehr.url}${path}`);
const text = async (path: string) => (await get(path)).text();

test('the first page lists every story with its sentence and says that all people are invented', async () => {
  const html = await text('/');
  for (const story of stories) {
    expect(html).toContain(`href="/patients/${story.patient}"`);
    expect(html).toContain(story.sentence);
  }
  expect(html).toContain('every person in this EHR is invented');
});

test.each(stories)(
  'the chart of $folder has a button for each order that can be started',
  async ({ patient, title }) => {
    const html = await text(`/patients/${patient}`);
    expect(html).toContain(title.split(' ').at(-1));
    const form = new RegExp(`action="(/patients/${patient}/launch\\?order=[^"]+)"`).exec(html)?.[1];
    expect(form).toBeDefined();
  },
);

test('a self-reported medication has no button', async () => {
  const html = await text('/patients/selfrep-patient');
  expect(html).toContain('berberine');
  expect(html).not.toContain('/launch?order=selfrep-reported');
  expect(html).toContain('/launch?order=selfrep-order');
});

describe('launching', () => {
  test('the button goes to the bridge with iss and a launch id that signs in as the prescriber', async () => {
    const response = await fetch(`${ehr.url}/patients/complete-patient/launch?order=complete-order`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    });
    expect(response.status).toBe(303);
    const address = new URL(response.headers.get('location') ?? '');
    expect([address.origin + address.pathname, address.searchParams.get('iss')]).toEqual([
      'http://localhost:9/launch',
      ehr.fhirBase,
    ]);
    const token = await launchToken(ehr, { launch: address.searchParams.get('launch') ?? '' });
    expect(token).toMatchObject({
      patient: 'complete-patient',
      encounter: 'complete-encounter',
      fhirContext: [{ reference: 'MedicationRequest/complete-order' }],
      need_patient_banner: true,
    });
  });

  test('the frame page shows the bridge in an iframe and needs no second banner', async () => {
    const html = await text('/patients/complete-patient/frame/complete-order');
    const address = new URL((/<iframe src="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&'));
    expect(address.origin).toBe('http://localhost:9');
    expect((await launchToken(ehr, { launch: address.searchParams.get('launch') ?? '' })).need_patient_banner).toBe(
      false,
    );
  });

  test('an order of another patient cannot be launched', async () => {
    const response = await fetch(`${ehr.url}/patients/complete-patient/launch?order=taper-order`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect(response.status).toBe(404);
  });

  test.each([
    ['nurse', 'Practitioner/sandbox-nurse'],
    ['manager', 'Practitioner/sandbox-manager'],
  ])('the %s signs in with one click, and the app is opened for that person', async (id, fhirUser) => {
    expect(await text('/users')).toContain(`action="/users/${id}"`);
    const signIn = await fetch(`${ehr.url}/users/${id}`, { method: 'POST', redirect: 'manual' });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(`${ehr.url}/`, { headers: { cookie } });
    expect(await page.text()).toMatch(/Signed in: (Dana Whitfield, RN|Marcus Ellery)/);
    const launched = await fetch(`${ehr.url}/patients/complete-patient/launch?order=complete-order`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
    });
    const launch = new URL(launched.headers.get('location') ?? '').searchParams.get('launch') ?? '';
    const { id_token } = await launchToken(ehr, { launch });
    const [, claims = ''] = String(id_token).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      fhirUser: `${ehr.fhirBase}/${fhirUser}`,
    });
    expect(ehr.peek(fhirUser)).toBeDefined();
  });

  test('a form from another site is refused', async () => {
    const response = await fetch(`${ehr.url}/patients/complete-patient/launch?order=complete-order`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
  });
});

describe('outcomes', () => {
  test('a Task and its document appear with status, reason and a link to the file', async () => {
    const token = (await launchToken(ehr, { launch: ehr.launch({ patient: 'taper-patient' }).launch })).access_token;
    const before =
      /\/patients\/taper-patient\/outcomes\?seen=[\w-]+/.exec(await text('/patients/taper-patient'))?.[0] ?? '';
    expect((await get(before)).status).toBe(204);

    const document = await fhir(ehr, token, 'POST', 'DocumentReference', {
      resourceType: 'DocumentReference',
      status: 'current',
      subject: { reference: 'Patient/taper-patient' },
      content: [
        {
          attachment: {
            contentType: 'application/pdf',
            title: 'Letter of the payer',
            data: Buffer.from('%PDF-1.7 letter').toString('base64'),
          },
        },
      ],
    });
    await fhir(ehr, token, 'POST', 'Task', {
      resourceType: 'Task',
      status: 'completed',
      intent: 'order',
      description: 'Prior authorization for <prednisone>',
      businessStatus: { text: 'Denied' },
      statusReason: { text: 'Step therapy' },
      for: { reference: 'Patient/taper-patient' },
      output: [
        { type: { text: 'Letter' }, valueReference: { reference: `DocumentReference/${document.body.id}` } },
        { type: { text: 'Reference number' }, valueString: 'R-17' },
      ],
    });

    const fragment = await get(before);
    expect(fragment.status).toBe(200);
    const html = await fragment.text();
    for (const expected of [
      'completed',
      'Denied',
      'Step therapy',
      'Reference number: R-17',
      'Letter of the payer',
      '&lt;prednisone>',
    ])
      expect(html).toContain(expected);
    const file = await get(/href="(\/documents\/[^"]+\/attachment)"/.exec(html)?.[1] ?? '');
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(await file.text()).toBe('%PDF-1.7 letter');
  });

  test('a file of another kind is downloaded, never shown', async () => {
    const token = (await launchToken(ehr, { launch: ehr.launch({ patient: 'taper-patient' }).launch })).access_token;
    const document = await fhir(ehr, token, 'POST', 'DocumentReference', {
      resourceType: 'DocumentReference',
      status: 'current',
      subject: { reference: 'Patient/taper-patient' },
      content: [{ attachment: { contentType: 'text/html', data: Buffer.from('<script>').toString('base64') } }],
    });
    const file = await get(`/documents/${document.body.id}/attachment`);
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment',
    ]);
  });

  test('the image of an insurance card is shown from its Binary', async () => {
    expect((await get('/documents/card-document/attachment')).headers.get('content-type')).toBe('image/png');
  });
});

test('pages hold no inline script or style, and say so in their policy', async () => {
  const response = await get('/patients/complete-patient');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("form-action 'self' http://localhost:9");
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
});

test.each(['/patients/none', '/documents/none/attachment', '/assets/none.js', '/nothing'])(
  '%s answers 404 with a way back',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('All patients');
  },
);

test.each(['pico.min.css', 'htmx.min.js', 'ehr.css'])('/assets/%s is served', async (name) => {
  expect((await get(`/assets/${name}`)).status).toBe(200);
});
