import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Launch } from '../../../src/ehr/smart/types.ts';
import type { AuditEntry } from '../../../src/store/types.ts';
import { type AnyCase, formOf, openScene, type Scene } from '../support.ts';

let scene: Scene;
let audited: AuditEntry[];

beforeEach(async () => {
  audited = [];
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    audit: { record: async (entry) => void audited.push(entry) },
  }));
});
afterEach(() => scene.app.close());

const strangers = ['Patient/complete-patient', 'RelatedPerson/r1', 'Person/p1'];
const wholeScope = ['open', 'unknown', 'ended'] as const;

/** The launch of this user; `undefined` is one whom the EHR does not name. */
function launchedBy(fhirUser: string | undefined, acts: Launch['site']['worklist']['acts'] = 'involved'): void {
  const { fhirUser: _, ...launch } = scene.smart.launch;
  const site = { ...launch.site, worklist: { ...launch.site.worklist, acts } };
  scene.smart.launch = { ...launch, site, ...(fhirUser === undefined ? {} : { fhirUser }) };
}

function put(changes: Partial<AnyCase> = {}): AnyCase {
  return scene.cases.put({
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    record: { id: 'pa_1', status: 'processing' },
    ...changes,
  });
}

async function tokenOf(page: string): Promise<string> {
  return formOf((await scene.get(page)).body).token?.[0] ?? '';
}

const review = () => `${scene.home}/orders/${scene.order}`;

/** The form of the last page as it stands, ready to be sent. */
async function confirmation(): Promise<{ form: Record<string, string[]>; body: string }> {
  const page = await scene.get(review());
  const form = formOf(page.body, 'review');
  await scene.post(review(), { ...form, 'f.provider.fax': '(217) 555-0133', action: 'check' });
  const { body } = await scene.get(`${review()}/confirm`);
  const inner = /<form[^>]*class="confirm"[^>]*>[\s\S]*?<\/form>/.exec(body)?.[0] ?? '';
  return { form: formOf(inner), body };
}

test.each(strangers)('%s sends nothing: no button, the reason, and a refusal that is audited', async (fhirUser) => {
  launchedBy(fhirUser);
  const { form, body } = await confirmation();
  expect(form.digest).toBeDefined();
  expect(body).not.toContain('value="send"');
  expect(body).toContain('Only the staff of the practice can send, cancel or change requests.');
  const reply = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
  expect(reply.status).toBe(403);
  expect(reply.body).toContain('Only the staff of the practice can do this.');
  expect(scene.cases.sent).toEqual([]);
  const [one] = scene.cases.all.values();
  expect(audited).toContainEqual(
    expect.objectContaining({
      action: 'act_refused',
      actor: fhirUser,
      outcome: 'failure',
      caseId: one?.id,
      facts: { refused: 'send', reason: 'not-staff' },
    }),
  );
});

test.each(['Practitioner/p1', 'PractitionerRole/r1', undefined])('%s sends with the chart open', async (fhirUser) => {
  launchedBy(fhirUser);
  const { form, body } = await confirmation();
  expect(body).toContain('value="send"');
  expect((await scene.post(`${review()}/confirm`, { ...form, action: 'send' })).status).toBe(303);
  expect(scene.cases.sent).toHaveLength(1);
  expect(audited).not.toContainEqual(expect.objectContaining({ action: 'act_refused' }));
});

test('a site may want a name: then whom the EHR does not name sends nothing, and named staff does', async () => {
  launchedBy(undefined, 'named');
  const { form, body } = await confirmation();
  expect(body).toContain('Your EHR does not say who you are');
  expect((await scene.post(`${review()}/confirm`, { ...form, action: 'send' })).status).toBe(403);
  expect(scene.cases.sent).toEqual([]);
  launchedBy('Practitioner/p1', 'named');
  expect((await scene.post(`${review()}/confirm`, { ...form, action: 'send' })).status).toBe(303);
});

test.each(['cancel', 'again', 'write', 'retract', 'fetch-letter', 'appeal', 'not-arrived', 'arrived', 'anything'])(
  'a patient is refused to %s, in every state, before anything else is looked at',
  async (action) => {
    launchedBy('Patient/complete-patient');
    for (const state of wholeScope) {
      const one = put({ state });
      const before = JSON.stringify(scene.cases.all.get(one.id));
      const token = await tokenOf(`${scene.home}/cases/${one.id}`);
      const reply = await scene.post(`${scene.home}/cases/${one.id}`, { token, action, reason: 'Not needed' });
      expect(reply.status).toBe(403);
      expect(JSON.stringify(scene.cases.all.get(one.id))).toBe(before);
      expect(audited).toContainEqual(expect.objectContaining({ action: 'act_refused', caseId: one.id }));
    }
  },
);

test('a patient may look how the request stands', async () => {
  launchedBy('Patient/complete-patient');
  const one = put();
  const here = `${scene.home}/cases/${one.id}`;
  expect((await scene.post(here, { token: await tokenOf(here), action: 'refresh' })).status).toBe(303);
});

test('staff cancels, in a chart that a colleague sent from', async () => {
  const one = put({ sentBy: { fhirUser: 'Practitioner/other' } });
  const here = `${scene.home}/cases/${one.id}`;
  const token = await tokenOf(here);
  expect((await scene.post(here, { token, action: 'cancel', reason: 'Not needed' })).status).toBe(303);
  expect(scene.cases.all.get(one.id)?.state).toBe('ended');
});

const failed = { what: 'task', version: '1', state: 'failed', attempts: 1, at: '2026-11-20T10:00:00.000Z' } as const;

test.each<[AnyCase['state'], string, Partial<AnyCase>]>([
  ['open', 'value="cancel"', {}],
  ['unknown', 'value="arrived"', {}],
  ['ended', 'anew=1"', { record: { id: 'pa_1', status: 'cancelled' } }],
  ['ended', 'value="write"', { record: { id: 'pa_1', status: 'cancelled' }, writes: [failed] }],
  [
    'ended',
    'value="appeal"',
    {
      record: {
        id: 'pa_1',
        status: 'completed',
        outcome: { result: 'Denied', detail_code: 'step_therapy_criteria_not_met' },
      },
    },
  ],
])('the page of a request (%s) shows staff %s, and a patient no button that would be refused', async (...row) => {
  const [state, shown, changes] = row;
  const here = `${scene.home}/cases/${put({ state, ...changes }).id}`;
  expect((await scene.get(here)).body).toContain(shown);
  launchedBy('Patient/complete-patient');
  const { body } = await scene.get(here);
  const offered = [...body.matchAll(/name="action" value="([\w-]+)"/g)].map(([, action]) => action);
  expect(offered.filter((action) => action !== 'refresh')).toEqual([]);
  expect(body).not.toContain('anew=1');
  expect(body).not.toContain('/again"');
  expect(body).toContain('Only the staff of the practice can send, cancel or change requests.');
});

test('outcomes that wait are written in nobody’s name but staff’s', async () => {
  put({
    state: 'ended',
    writes: [{ what: 'task', version: '1', state: 'waiting', attempts: 1, at: '2026-11-20T10:00:00.000Z' }],
  });
  const token = await tokenOf(scene.home);
  launchedBy('RelatedPerson/r1');
  expect((await scene.get(scene.home)).body).not.toContain('Write to the chart now');
  expect((await scene.post(`${scene.home}/deliver`, { token })).status).toBe(403);
});

test('the way to the worklist is shown to whom it opens', async () => {
  const link = `href="${scene.home}/worklist"`;
  const pages = async () => {
    const one = put();
    const paths = [scene.home, `${scene.home}/cases/${one.id}`];
    return (await Promise.all(paths.map((path) => scene.get(path)))).map(({ body }) => body.includes(link));
  };
  expect(await pages()).toEqual([true, true]);
  for (const fhirUser of [...strangers, undefined]) {
    launchedBy(fhirUser);
    expect(await pages()).toEqual([false, false]);
  }
  launchedBy('Practitioner/p1');
  const { site } = scene.smart.launch;
  const without = { ...site, worklist: { ...site.worklist, sees: 'nobody' as const } };
  scene.smart.launch = { ...scene.smart.launch, site: without };
  expect(await pages()).toEqual([false, false]);
});

test('the orders and the page of a request warn before the session ends, and promise to save nothing', async () => {
  const one = put();
  for (const path of [scene.home, `${scene.home}/cases/${one.id}`]) {
    const { body } = await scene.get(path);
    expect(body).toMatch(/id="session-end"[^>]*data-ends-at="2026-11-21T16:00:00.000Z"[^>]*hidden/);
    expect(body).not.toContain('Everything on this page is saved.');
  }
});
