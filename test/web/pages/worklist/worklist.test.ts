import { randomUUID } from 'node:crypto';
import type { MedicationRequest } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { knowledge } from '../../../../mappings/drug-roles.ts';
import type { Case, User } from '../../../../src/cases/case.ts';
import { markFollowed } from '../../../../src/cases/followed.ts';
import { createSiteTrends } from '../../../../src/cases/recent-trends.ts';
import { queues } from '../../../../src/cases/work/queues.ts';
import { withOtherNames, worklistRules } from '../../../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../../../src/config/config.ts';
import type { PriorAuthorization } from '../../../../src/core/contract/prior-authorization.ts';
import { otherNames } from '../../../../src/core/drug/other-names.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import type { AuditRow, Store } from '../../../../src/store/types.ts';
import { csvCell } from '../../../../src/web/pages/worklist/worklist-csv.ts';
import { aClinic, aSubmission, type Clinic, body as caseBody } from '../../../cases/clinic.ts';
import { priorAuthBody } from '../../../service/sample.ts';
import { type Backend, pgliteBackend, sqlOf } from '../../../store/backends.ts';
import { formOf, launchId, openScene, postWithFile, type Scene, session, testConfig } from '../../support.ts';

let backend: Backend;
let store: Store;
let clinic: Clinic;
let scene: Scene;

beforeAll(async () => {
  backend = await pgliteBackend();
  const worklist = withOtherNames(worklistRules, (text) => otherNames(text, knowledge));
  store = await backend.open({ worklist, queues });
});
afterAll(async () => {
  await store.close();
  await backend.close();
});

const me: User = { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' };
const colleague: User = { fhirUser: 'Practitioner/prac-2', name: 'Ruth Amari' };

beforeEach(() => begin({}));
afterEach(() => scene.app.close());

/** The pages over a real store. The launch has the chart of a patient who is in no line, unless a test says so. */
async function begin(worklist: Partial<Site['worklist']>, chart = 'story-complete'): Promise<void> {
  await scene?.app.close();
  const [base] = testConfig().sites;
  // Lines of other tests are those of other sites.
  const site = { ...base!, id: `valley-${randomUUID().slice(0, 8)}`, worklist: { ...base!.worklist, ...worklist } };
  clinic = aClinic(store, { sites: [site] });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  const config = makeConfig(
    { BRIDGE_URL: 'http://localhost:8080', BRIDGE_KEYS: Buffer.alloc(32, 7).toString('base64') },
    [site],
    env,
  );
  scene = await openScene(chart, (deps) => ({
    ...deps,
    config,
    cases: clinic.cases,
    worklist: store.worklist,
    audit: store.audit,
    views: store.views,
    trends: createSiteTrends({ store, clock: store.clock }),
  }));
  scene.smart.launch = { ...scene.smart.launch, site, patient: 'nobody-listed', fhirUser: me.fhirUser! };
}

const worklist = () => `${scene.home}/worklist`;
const siteId = () => scene.smart.launch.site.id;

async function aDraft(by: User, name: string, extra: { restricted?: boolean; title?: string; mrn?: string } = {}) {
  const patient = `Patient/${randomUUID()}`;
  const { title = 'Ozempic 1 mg pen', restricted = false, mrn } = extra;
  return clinic.cases.openDraft({
    site: siteId(),
    patient,
    order: `MedicationRequest/${randomUUID()}`,
    kind: 'prior-auth',
    launch: 'launch-of-another-browser-0000001',
    banner: { name, ...(mrn === undefined ? {} : { mrn, birthDate: '1958-03-04' }) },
    title,
    mappedBy: { mapping: 'prior-auth', version: '1' },
    by,
    restricted,
  });
}

async function auditRows(): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of store.audit.rows({ site: siteId() })) rows.push(row);
  return rows;
}

async function token(): Promise<string> {
  return formOf((await scene.get(worklist())).body).token![0]!;
}

async function post(path: string, fields: Record<string, string>) {
  return scene.post(path, { token: await token(), ...fields });
}

test('the list shows one line a case: patient, drug, what it waits for, since, owner', async () => {
  const mine = await aDraft(me, 'Beatriz Lindholm');
  await aDraft(colleague, 'Wendell Okafor-Smith', { title: 'Qsymia 15 mg' });
  const { status, body } = await scene.get(worklist());
  expect(status).toBe(200);
  expect(body).toContain(`href="${worklist()}/${mine.id}">Beatriz Lindholm</a>`);
  expect(body).toMatch(/Qsymia 15 mg[\s\S]*Not sent yet[\s\S]*Ruth Amari/);
  expect(body).toContain('2 need you · 0 waiting on others');
});

test('which lines a person saw is in the audit trail before the page leaves', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  await scene.get(worklist());
  const seen = (await auditRows()).filter(({ action }) => action === 'worklist_viewed');
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ actor: me.fhirUser, facts: { rows: 1, cases: one.id } });
});

test.each(['Patient/1', 'RelatedPerson/1', 'Person/1', undefined])(
  'a launch by %s gets no worklist, no line, no table and no action',
  async (fhirUser) => {
    const one = await aDraft(colleague, 'Canary Patient');
    const form = { token: await token(), action: 'take' };
    const { fhirUser: _, ...unnamed } = scene.smart.launch;
    scene.smart.launch = fhirUser === undefined ? unnamed : { ...unnamed, fhirUser };
    const answers = [
      await scene.get(worklist()),
      await scene.get(`${worklist()}/${one.id}`),
      await scene.get(`${worklist()}.csv`),
      await scene.post(worklist(), { token: form.token, search: 'canary' }),
      await scene.post(`${worklist()}/${one.id}`, form),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(answers.map(({ body }) => body).join()).not.toContain('Canary');
    expect((await clinic.cases.get(one.id)).owner).toMatchObject(colleague);
  },
);

test('a PractitionerRole of the site is staff', async () => {
  scene.smart.launch = { ...scene.smart.launch, fhirUser: 'PractitionerRole/7' };
  expect((await scene.get(worklist())).status).toBe(200);
});

test('a search goes by POST, so that no name stands in an address, and finds by the first letters', async () => {
  await aDraft(colleague, 'Beatriz Lindholm');
  await aDraft(colleague, 'Wendell Okafor-Smith');
  const page = await scene.get(worklist());
  expect(page.body).toMatch(/<form method="post" action="[^"?]*\/worklist" class="find">/);
  const { status, body } = await post(worklist(), { search: 'lind' });
  expect(status).toBe(200);
  expect(body).toContain('Beatriz Lindholm');
  expect(body).not.toContain('Wendell');
});

test.each(['ZQ-4471', 'zq 447', 'okafor wendell', 'qsy okaf', 'zq4471'])(
  'a search by MRN or by words in any order (%j) finds its one line',
  async (search) => {
    await aDraft(colleague, 'Wendell Okafor', { title: 'Qsymia 15 mg', mrn: 'ZQ-4471' });
    await aDraft(colleague, 'Beatriz Okafor', { mrn: 'ZR-4471' });
    const { body } = await post(worklist(), { search });
    expect(body).toContain('Wendell Okafor');
    expect(body).not.toContain('Beatriz');
  },
);

test.each([
  ['its brand', 'apremilast 30 MG Oral Tablet', 'otezla'],
  ['its ingredient', 'Humira (adalimumab) 40 mg/0.4 mL auto-injector', 'adalimumab'],
  ['the first letters of its brand', 'adalimumab 40 mg pen', 'HUM'],
])('a drug is found by %s, whatever its order calls it', async (_, title, search) => {
  await aDraft(colleague, 'Wendell Okafor', { title });
  await aDraft(colleague, 'Beatriz Lindholm');
  const { body } = await post(worklist(), { search });
  expect(body).toContain('Wendell Okafor');
  expect(body).not.toContain('Beatriz');
});

test.each(['dr', 'DR', 'omep', '20', 'mg', 'riley', 'okafor', 'ma'])(
  'a word of a line (%j) finds it',
  async (search) => {
    await aDraft(me, 'Beatriz Lindholm', { title: 'omeprazole DR 20 mg capsule' });
    await aDraft(colleague, 'Ines Halloway', { title: 'Jardiance' });
    const { body } = await post(worklist(), { search });
    expect(body).toContain('Beatriz Lindholm');
    expect(body).not.toContain('Ines Halloway');
  },
);

test('a drug is found by the name that is sent', async () => {
  await begin({}, 'story-taper');
  scene.smart.launch = { ...scene.smart.launch, patient: 'taper-patient' };
  const { body } = await scene.get(`${scene.home}/orders/${scene.order}`);
  expect(body).toMatch(/name="f.prescription.drug_name"[^>]*value="prednisone DR"/);
  expect((await post(worklist(), { search: 'prednisone dr' })).body).toContain('Lucinda Farrow');
});

test('a drug is found by every name that the chart’s order has for it', async () => {
  const draft = await aDraft(colleague, 'Wendell Okafor', { title: 'Zorblex 5 mg' });
  await clinic.cases.saveDraft(draft.id, { drugNames: ['unheardofium 5 MG Oral Tablet'] });
  expect((await post(worklist(), { search: 'unheard' })).body).toContain('Wendell Okafor');
});

test('a search by the ID of a request at the service finds it', async () => {
  const draft = await aDraft(me, 'Wendell Okafor');
  await aDraft(me, 'Beatriz Lindholm');
  const sent = await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft), by: me });
  const { body } = await post(worklist(), { search: 'serviceId' in sent ? (sent.serviceId ?? '') : '' });
  expect(body).toContain('Wendell Okafor');
  expect(body).not.toContain('Beatriz');
});

test('a draft says how many answers it needs, and is found by its payer once its page was shown', async () => {
  const [patient] = scene.resources.flatMap((one) => (one.resourceType === 'Patient' ? (one.id ?? []) : []));
  scene.smart.launch = { ...scene.smart.launch, patient: patient ?? '' };
  const review = `${scene.home}/orders/${scene.order}`;
  const { body } = await scene.get(review);
  const needed = /(\d+) answers? needed/.exec(body)?.[0];
  expect((await scene.get(worklist())).body).toContain(`Not sent yet: ${needed ?? 'nothing is missing'}`);
  const payer = /name="f.insurance_content.payer_name"[^>]*value="([^"]+)"/.exec(body)?.[1] ?? '';
  expect(payer).not.toBe('');
  expect((await post(worklist(), { search: payer })).body).toContain('Marisol June Tennyson');
  expect((await post(worklist(), { search: 'Bluestem' })).body).not.toContain('Marisol June Tennyson');

  const form = formOf(body, 'review');
  await scene.post(review, { ...form, 'f.insurance_content.payer_name': 'Bluestem Mutual', 'f.provider.npi': '12' });
  await scene.get(review);
  expect((await post(worklist(), { search: 'bluestem mut' })).body).toContain('Not sent yet: 1 answer needed');
});

test('a form without the token of the launch finds nothing and changes nothing', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  expect((await scene.post(worklist(), { search: 'lind' })).status).toBe(403);
  expect((await scene.post(`${worklist()}/${one.id}`, { action: 'note', text: 'x' })).status).toBe(403);
  expect((await clinic.cases.get(one.id)).notes).toBeUndefined();
});

test('the owner assigns to a colleague who has signed in; the colleague sees it as theirs', async () => {
  await store.worklist.signedIn(siteId(), { fhirUser: colleague.fhirUser!, name: colleague.name! });
  const one = await aDraft(me, 'Beatriz Lindholm');
  const page = await scene.get(`${worklist()}/${one.id}`);
  expect(page.body).toContain('<option value="Practitioner/prac-2">Ruth Amari</option>');
  const answer = await post(`${worklist()}/${one.id}`, { action: 'assign', to: colleague.fhirUser! });
  expect(answer.headers.location).toBe(`${worklist()}/${one.id}?saved=1`);
  expect((await clinic.cases.get(one.id)).assigned).toEqual(colleague);
  scene.smart.launch = { ...scene.smart.launch, fhirUser: colleague.fhirUser! };
  expect((await scene.get(`${worklist()}?mine=1`)).body).toContain('Beatriz Lindholm');
});

test('the request says who has it, and what happened names whom it was assigned to', async () => {
  await store.worklist.signedIn(siteId(), { fhirUser: colleague.fhirUser!, name: colleague.name! });
  const one = await aDraft(me, 'Beatriz Lindholm');
  const assign = { token: await token(), case: one.id, assign: colleague.fhirUser! };
  const { headers } = await scene.post(worklist(), assign);
  expect((await scene.get(headers.location as string)).body).toContain('1 request assigned to Ruth Amari.');
  const page = async () => textOf((await scene.get(`${worklist()}/${one.id}`)).body);
  expect(await page()).toContain('Owner Assigned to Ruth Amari. Owner before: you.');
  expect(await page()).toContain('What happened Assigned to Ruth Amari');
  scene.smart.launch = { ...scene.smart.launch, fhirUser: colleague.fhirUser! };
  expect(await page()).toContain('Assigned to you. Owner before: Riley Okafor, MA.');
});

test('nobody is assigned who could not send: a manager', async () => {
  await begin({ managers: [colleague.fhirUser!] });
  await store.worklist.signedIn(siteId(), { fhirUser: colleague.fhirUser!, name: colleague.name! });
  const one = await aDraft(me, 'Beatriz Lindholm');
  expect((await scene.get(worklist())).body).not.toContain('value="Practitioner/prac-2"');
  expect((await scene.get(`${worklist()}/${one.id}`)).body).not.toContain('value="Practitioner/prac-2"');
  const { status } = await post(`${worklist()}/${one.id}`, { action: 'assign', to: colleague.fhirUser! });
  expect(status).toBe(400);
});

test('a line says its payer, and is found by the member ID and by who prescribed', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  await aDraft(me, 'Wendell Okafor');
  await clinic.cases.saveDraft(one.id, {
    payer: 'Bluestem Mutual',
    prescriberName: 'Adwoa Osei-Brandt',
    memberId: 'HL-7742019',
  });
  for (const search of ['HL7742019', '7742019', 'osei'])
    expect((await post(worklist(), { search })).body).toMatch(/Beatriz Lindholm<[\s\S]*"payer">Bluestem Mutual</);
  expect((await post(worklist(), { search: 'osei' })).body).not.toContain('Wendell');
});

test('nobody is assigned who has not signed in at this site', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  const answer = await post(`${worklist()}/${one.id}`, { action: 'assign', to: 'Practitioner/stranger' });
  expect(answer.status).toBe(400);
  expect((await clinic.cases.get(one.id)).assigned).toBeUndefined();
});

test('who is not involved takes nothing over, and the attempt is in the audit trail', async () => {
  const one = await aDraft(colleague, 'Beatriz Lindholm');
  expect((await scene.get(`${worklist()}/${one.id}`)).body).not.toContain('value="take"');
  for (const action of ['take', 'assign', 'done'])
    expect((await post(`${worklist()}/${one.id}`, { action })).status).toBe(403);
  expect((await clinic.cases.get(one.id)).owner).toEqual(colleague);
  const refused = (await auditRows()).filter(({ outcome }) => outcome === 'failure');
  expect(refused.map(({ facts }) => facts?.refused)).toEqual(['take', 'assign', 'done']);
});

test('who has the chart open elsewhere takes it over, and the owner before is told until they say OK', async () => {
  const one = await aDraft(colleague, 'Beatriz Lindholm');
  scene.smart.hasOpenChart = async (site, patient, user) =>
    site === siteId() && patient === one.patient && user === me.fhirUser;
  expect((await post(`${worklist()}/${one.id}`, { action: 'take' })).status).toBe(303);
  expect((await clinic.cases.get(one.id)).owner).toMatchObject(me);
  expect((await scene.get(worklist())).body).not.toContain('took over');
  scene.smart.launch = { ...scene.smart.launch, fhirUser: colleague.fhirUser!, userName: colleague.name! };
  expect((await scene.get(worklist())).body).toContain('Riley Okafor, MA took over Ozempic 1 mg pen from you.');
  await post(`${worklist()}/${one.id}`, { action: 'seen' });
  expect((await scene.get(worklist())).body).not.toContain('took over');
});

test('the site’s file lets all staff act, or shows each person their own lines only, or switches it off', async () => {
  await begin({ acts: 'staff' });
  const one = await aDraft(colleague, 'Beatriz Lindholm');
  expect((await post(`${worklist()}/${one.id}`, { action: 'take' })).status).toBe(303);
  await begin({ sees: 'own' });
  const other = await aDraft(colleague, 'Wendell Okafor-Smith');
  const own = await aDraft(me, 'Tobias Renner');
  const { body } = await scene.get(worklist());
  expect(body).toContain('Tobias Renner');
  expect(body).not.toContain('Wendell');
  expect(body).toContain('1 need you');
  expect((await scene.get(`${worklist()}/${other.id}`)).status).toBe(404);
  expect((await scene.get(`${worklist()}/${own.id}`)).status).toBe(200);
  await begin({ sees: 'nobody' });
  expect((await scene.get(worklist())).status).toBe(404);
});

test('a restricted chart shows no name to others, not by search and not on its page', async () => {
  const one = await aDraft(colleague, 'Canary Restricted', { restricted: true });
  const answers = [
    await scene.get(worklist()),
    await scene.get(`${worklist()}/${one.id}`),
    await post(worklist(), { search: 'canary' }),
  ];
  for (const { body } of answers) expect(body).not.toMatch(/Canary Restricted/);
  expect(answers[0]!.body).toContain('Restricted chart');
  expect((await post(`${worklist()}/${one.id}`, { action: 'note', text: 'x' })).status).toBe(403);
  scene.smart.launch = { ...scene.smart.launch, fhirUser: colleague.fhirUser! };
  expect((await scene.get(worklist())).body).toContain('Canary Restricted');
});

test('a label that comes to a chart later is remembered when its draft is opened again', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  await clinic.cases.openDraft({
    site: siteId(),
    patient: one.patient,
    order: one.order,
    kind: 'prior-auth',
    launch: one.launch,
    banner: one.banner,
    title: one.title,
    mappedBy: { mapping: 'prior-auth', version: '1' },
    restricted: true,
  });
  expect((await store.worklist.find(one.id))?.restricted).toBe(true);
});

test('a note is for colleagues: kept sealed, shown with who and when, not in the audit trail', async () => {
  const one = await aDraft(colleague, 'Beatriz Lindholm');
  await post(`${worklist()}/${one.id}`, { action: 'note', text: 'Canary note: called the plan <b>' });
  const { body } = await scene.get(`${worklist()}/${one.id}`);
  expect(body).toMatch(/Canary note: called the plan &lt;b(>|&gt;)[\s\S]*Riley Okafor, MA/);
  expect(JSON.stringify(await auditRows())).not.toContain('Canary note');
});

test('a case of another site is not known', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  await begin({});
  expect((await scene.get(`${worklist()}/${one.id}`)).status).toBe(404);
  expect((await post(`${worklist()}/${one.id}`, { action: 'take' })).status).toBe(404);
});

test('a case of the open chart leads into the chart; another one says how its chart is opened', async () => {
  const one = await aDraft(me, 'Beatriz Lindholm');
  expect((await scene.get(`${worklist()}/${one.id}`)).body).toContain(
    `href="/sign-in?site=${siteId()}&amp;to=chart&amp;case=${one.id}"`,
  );
  scene.smart.launch = { ...scene.smart.launch, patient: one.patient.replace('Patient/', '') };
  expect((await scene.get(`${worklist()}/${one.id}`)).headers.location).toBe(
    `${scene.home}/orders/${one.order.replace('MedicationRequest/', '')}`,
  );
});

test('a note is read and written where the chart is open: on the review, and after it was written', async () => {
  const patient = scene.resources.find(({ resourceType }) => resourceType === 'Patient')?.id ?? '';
  scene.smart.launch = { ...scene.smart.launch, patient };
  const review = `${scene.home}/orders/${scene.order}`;
  await scene.get(review);
  const [one] = await clinic.cases.forPatient(siteId(), `Patient/${patient}`);
  await clinic.cases.addNote(one!.id, { text: 'The plan wants the A1c.', by: colleague });
  const { body } = await scene.get(review);
  expect(body).toContain('href="#notes"');
  expect(body).toMatch(/id="notes"[\s\S]*The plan wants the A1c\.[\s\S]*Ruth Amari/);
  const noted = await post(`${worklist()}/${one!.id}`, { action: 'note', text: 'Done.' });
  expect((await scene.get(String(noted.headers.location))).headers.location).toBe(`${review}#notes`);
  expect((await scene.get(review)).body).toContain('2 notes for colleagues');
});

describe('a line whose payer asks', () => {
  /** A request of this person that went with answers, about which the payer asks. */
  async function anAsked(by: User) {
    const draft = await aDraft(by, 'Beatriz Lindholm');
    const content = {
      trials: [{ ingredient: 'methotrexate', strengths: ['2.5 MG'], relation: 'indication', proof: 'stated' }],
      sources: { trials: ['MedicationRequest/1'] },
    };
    const evidence = [{ title: 'Answers', date_created: '2026-11-21T00:00:00.000000', content }];
    const sample = aSubmission(clinic, draft);
    const body = { ...(sample.body as object), evidence };
    const sent = await clinic.cases.send(draft.id, { ...sample, by, body });
    const text = 'Has the patient tried methotrexate? The access code: QX-4711';
    await clinic.cases.openRound(sent.id, { by, text });
    return sent;
  }

  test('shows the question without its credentials, and what the request said about it', async () => {
    const one = await anAsked(me);
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    expect(body).toContain('Has the patient tried methotrexate?');
    expect(body).not.toContain('QX-4711');
    expect(body).toMatch(/What the request said about it, sent [\s\S]*methotrexate 2\.5 MG/);
    expect(body).toContain('Open the chart to reply');
  });

  test('shows a question that only the notes of calls tell, on top', async () => {
    const draft = await aDraft(me, 'Beatriz Lindholm');
    const one = await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft), by: me });
    const id = 'serviceId' in one ? (one.serviceId ?? '') : '';
    const details = { notes: 'The payer asks: which drugs were tried before?' };
    const call = { id: 'c1', type: 'follow_up_call' as const, created_at: '2026-11-20T15:00:00', details };
    clinic.service.records.set(id, { id, status: 'awaiting_provider_response', activity_log: [call] });
    await clinic.cases.refresh(one.id);
    const shown = async () => textOf((await scene.get(`${worklist()}/${one.id}`)).body);
    expect(await shown()).toContain('What the payer asks The payer asks: which drugs were tried before?');
    scene.smart.launch = { ...scene.smart.launch, fhirUser: colleague.fhirUser! };
    const others = await shown();
    expect(others).not.toContain('which drugs were tried');
    expect(others).toContain('What the payer asks Open the patient’s chart to see it.');
  });

  test('tells a manager what a manager may do, and offers no reply', async () => {
    await begin({ managers: [me.fhirUser!] });
    const one = await anAsked(colleague);
    const id = 'serviceId' in one ? (one.serviceId ?? '') : '';
    clinic.service.records.set(id, { id, status: 'awaiting_outcome' });
    await clinic.cases.refresh(one.id);
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    expect(body).toContain('Has the patient tried methotrexate?');
    expect(body).toContain('You are a manager here');
    expect(body).toContain('Open the patient’s chart');
    expect(body).toContain('It waits for a colleague who sends requests.');
    expect(body).not.toMatch(/Open the chart to reply|To reply, open|reply to it/);
    expect(body).not.toMatch(/class="button go"/);
  });

  test('shows neither to who may not act on it', async () => {
    const one = await anAsked(colleague);
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    expect(body).toContain('Beatriz Lindholm');
    expect(body).not.toContain('methotrexate');
  });

  test('leads to the chart where the same person has it open in this browser', async () => {
    const one = await anAsked(me);
    const staff = await scene.smart.staff(launchId, session);
    const chart = 'launch-of-the-chart-of-beatriz-01';
    Object.assign(scene.smart, {
      own: async () => [launchId, chart],
      staff: async (id: string) => ({ ...staff, id, ...(id === chart ? { patient: one.patient.slice(8) } : {}) }),
    });
    expect((await scene.get(`${worklist()}/${one.id}`)).headers.location).toBe(`/app/${chart}/cases/${one.id}`);
  });
});

describe('a line opens the case itself', () => {
  async function aDenied(by: User) {
    const draft = await aDraft(by, 'Beatriz Lindholm', { mrn: 'ZQ-4471' });
    const sent = await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft), by });
    const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
    const outcome = { result: 'Denied', detail: 'No trial of methotrexate.', detail_code: 'unknown' } as const;
    clinic.service.records.set(id, { id, status: 'completed', outcome });
    return clinic.cases.refresh(sent.id);
  }

  test('with its reason, deadline, documents, next act, and the patient to compare', async () => {
    const one = await aDenied(me);
    await clinic.cases.noteAppealDeadline(one.id, { on: '2027-01-20', by: me });
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    const text = textOf(body);
    expect(text).toMatch(/ Denied .*Payer’s reason No trial of methotrexate\./);
    expect(text).not.toContain('no reason');
    expect(text).toContain('Appeal deadline Jan 20, 2027 entered from the letter by Riley Okafor, MA');
    expect(text).toMatch(/Open the chart to send it again .*Name Beatriz Lindholm Born Mar 4, 1958 MRN ZQ-4471/);
    expect(text).toContain('Summary of the decision (PDF)');
    expect(textOf((await scene.get(worklist())).body)).toContain('Appeal by Jan 20, 2027');
    const letter = await scene.get(`${worklist()}/${one.id}/letter.pdf`);
    expect(letter).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } });
    expect(await auditRows()).toContainEqual(expect.objectContaining({ action: 'letter_downloaded', caseId: one.id }));
  });

  test('without its documents for who may not act on it', async () => {
    const one = await aDenied(colleague);
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    expect(body).not.toMatch(/letter\.pdf|See the (payer’s )?letter/);
    expect(body).toContain('Open the patient’s chart to see the letter with the deadline.');
    expect(textOf(body)).toContain('Documents Open the patient’s chart to see them.');
    expect((await scene.get(`${worklist()}/${one.id}/letter.pdf`)).status).toBe(403);
  });

  test('and a denied one leads to its next request where its chart is open', async () => {
    const one = await aDenied(me);
    expect((await scene.get(worklist())).body).toContain(`href="${worklist()}/${one.id}/again"`);
    expect((await scene.get(`${worklist()}/${one.id}/again`)).headers.location).toBe(`${worklist()}/${one.id}`);
    scene.smart.launch = { ...scene.smart.launch, patient: one.patient.slice(8) };
    expect((await scene.get(`${worklist()}/${one.id}/again`)).headers.location).toBe(
      `${scene.home}/cases/${one.id}/again`,
    );
  });
});

describe('a request that a newer one follows', () => {
  const denied = { result: 'Denied', detail: 'No trial of methotrexate.', detail_code: 'unknown' } as const;

  async function decided(one: Case, outcome: NonNullable<PriorAuthorization['outcome']>) {
    const sent = await clinic.cases.send(one.id, { ...aSubmission(clinic, one), by: me });
    const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
    clinic.service.records.set(id, { id, status: 'completed', outcome });
    return clinic.cases.refresh(sent.id);
  }

  const another = ({ patient, order, kind, banner, title }: Case, changes: object = {}) =>
    clinic.cases.openDraft({
      ...{ site: siteId(), patient, order, kind, banner, title, ...changes },
      ...{ launch: 'launch-of-another-browser-0000001', mappedBy: { mapping: 'prior-auth', version: '1' } },
      ...{ by: me, anew: true },
    });
  const resent = async (one: Case, changes: object = {}) => {
    const draft = await another(one, changes);
    const newer = await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft), by: me });
    await markFollowed(clinic.context, { case: newer.id });
    return newer;
  };
  const needs = async () => textOf((await scene.get(worklist())).body);

  test.each([
    ['the same order', {}],
    ['a new order for the same drug and prescriber', { order: 'MedicationRequest/renewed' }],
  ])('leaves what needs somebody once it is sent, for %s, and both pages lead to each other', async (_, changes) => {
    const old = await decided(await aDraft(me, 'Beatriz Lindholm'), denied);
    expect(await needs()).toContain('Send again');
    const newer = await resent(old, changes);
    expect(await needs()).toContain('Nothing waits for your practice.');
    const all = textOf((await scene.get(`${worklist()}?part=decided`)).body);
    expect(all).toMatch(/New request sent \w+ \d+, 2026 .*Denied/);
    expect(all).not.toContain('Send again');
    const { body } = await scene.get(`${worklist()}/${old.id}`);
    expect(body).toContain(`<a href="${worklist()}/${newer.id}">Followed by a new request</a>`);
    expect(body).not.toContain('send it again');
    expect((await scene.get(`${worklist()}/${newer.id}`)).body).toContain(
      `<a href="${worklist()}/${old.id}">Follows an earlier request</a>`,
    );
  });

  test('is not followed by one for another drug, nor by one that did not leave', async () => {
    const old = await decided(await aDraft(me, 'Beatriz Lindholm'), denied);
    const draft = await another(old, { order: 'MedicationRequest/other' });
    const body = { ...priorAuthBody('Skyrizi'), provider: caseBody.provider };
    await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft, { body }), by: me });
    await markFollowed(clinic.context, { case: draft.id });
    clinic.service.next.create.push(new BridgeError('service_refused'));
    await resent(old);
    expect(await needs()).toContain('Denied');
  });

  test('is work again when the newer one is canceled', async () => {
    const old = await decided(await aDraft(me, 'Beatriz Lindholm'), denied);
    const newer = await resent(old);
    const id = 'serviceId' in newer ? (newer.serviceId ?? '') : '';
    clinic.service.records.set(id, { id, status: 'cancelled' });
    await clinic.cases.refresh(newer.id);
    await markFollowed(clinic.context, { case: newer.id });
    expect(await needs()).toContain('Denied');
    expect((await scene.get(`${worklist()}/${old.id}`)).body).toContain(
      `<a href="${worklist()}/${newer.id}">The new request was canceled</a>`,
    );
    expect((await scene.get(`${worklist()}/${newer.id}`)).body).toContain(
      `<a href="${worklist()}/${old.id}">Sent after an earlier request, which counts again</a>`,
    );
  });

  test('leads to its next request while that is a draft, and offers no second one', async () => {
    const old = await decided(await aDraft(me, 'Beatriz Lindholm'), denied);
    const draft = await another(old);
    const { body } = await scene.get(worklist());
    expect(body).not.toContain('Send again');
    expect(body).toMatch(new RegExp(`href="${worklist()}/${draft.id}">Open the new request<`));
    const line = (await scene.get(`${worklist()}/${old.id}`)).body;
    expect(line).toMatch(new RegExp(`class="button go" href="${worklist()}/${draft.id}">Open the new request<`));
    expect(line).not.toContain('send it again');
    expect((await scene.get(`${worklist()}/${old.id}/again`)).headers.location).toBe(`${worklist()}/${draft.id}`);
  });

  test('is followed by the one with the smallest ID of those that were sent in the same millisecond', async () => {
    const old = await decided(await aDraft(me, 'Beatriz Lindholm'), denied);
    const ids: string[] = [];
    for (const order of ['MedicationRequest/one', 'MedicationRequest/two', 'MedicationRequest/three']) {
      const draft = await another(old, { order });
      const sends = { ...aSubmission(clinic, draft), by: me, duplicatesSeen: [...ids] };
      ids.push((await clinic.cases.send(draft.id, sends)).id);
    }
    const at = new Date(Date.parse(clinic.context.now()) + 1000).toISOString();
    const among = ids.map((id) => `'${id}'`).join(', ');
    await sqlOf(store)(`update "${backend.schema}".cases set sent_at = '${at}' where id in (${among})`);
    const [first, , last] = ids.toSorted();
    await markFollowed(clinic.context, { case: last! });
    expect((await clinic.cases.get(old.id)).followed?.case).toBe(first);
  });

  const approvedUntil = (authorization_expiration: string) => ({
    ...({ result: 'Approved', detail_code: 'approval', authorization_expiration } as const),
  });

  test('an approval is work from 30 days before its end, and no more once its renewal was sent', async () => {
    const one = await decided(await aDraft(me, 'Beatriz Lindholm'), approvedUntil('2026-12-21'));
    await decided(await aDraft(me, 'Calvin Ostrowe'), approvedUntil('2026-12-22'));
    const text = await needs();
    expect(text).toContain('1 need you');
    expect(text).toMatch(/Beatriz Lindholm .*Dec 21, 2026 .*Renew by Dec 21, 2026/);
    expect(text).not.toContain('Calvin');
    const line = textOf((await scene.get(`${worklist()}/${one.id}`)).body);
    expect(line).toContain('Open the chart to renew it');
    expect(line).toContain('Mark as done');
    await resent(one);
    expect(await needs()).toContain('0 need you');
    expect(textOf((await scene.get(`${worklist()}?part=decided`)).body)).toMatch(
      /Renewal sent \w+ \d+, 2026 .*Approved/,
    );
  });

  test('once decided waits for nobody: its line says when it was decided', async () => {
    await decided(await aDraft(me, 'Beatriz Lindholm'), approvedUntil('2028-12-21'));
    const { body } = await scene.get(`${worklist()}?part=decided`);
    expect(body).toContain('<th scope="col">Decided</th>');
    expect(body).toMatch(/<td data-label="Decided">\w+ \d+, 2026<\/td>/);
    expect(body).not.toContain('Waiting<');
    const found = (await post(worklist(), { search: 'Lindholm' })).body;
    expect(found).toMatch(/Beatriz Lindholm[\s\S]*<td><\/td><td data-label="Owner"/);
  });

  test('an approval that nobody renews is not work once somebody says so; an earlier letter does not', async () => {
    const one = await decided(await aDraft(me, 'Beatriz Lindholm'), approvedUntil('2026-11-20'));
    expect(await needs()).toMatch(/Ended Nov 20, 2026 .*Renew by Nov 20, 2026/);
    await post(`${worklist()}/${one.id}`, { action: 'done' });
    expect(await needs()).toContain('0 need you');
    await decided(await aDraft(me, 'Calvin Ostrowe'), approvedUntil('2026-12-20'));
    const [row] = (await store.worklist.page({ site: siteId(), viewer: { user: '' }, search: 'Calvin', limit: 1 }))
      .rows;
    await clinic.cases.markDone(row!.case, me);
    const later = { site: siteId(), today: '2026-12-19', days: 2, payers: [], after: 30 };
    expect((await store.worklist.find(row!.case, later))?.waits).toBe('renew');
  });
});

describe('several lines at once', () => {
  const bulk = async (fields: Record<string, string | readonly string[]>) =>
    scene.post(worklist(), { token: await token(), part: 'needs', ...fields });

  test('are assigned to a colleague by one form; all are checked without script', async () => {
    await store.worklist.signedIn(siteId(), { fhirUser: colleague.fhirUser!, name: colleague.name! });
    const cases = [await aDraft(me, 'Beatriz Lindholm'), await aDraft(me, 'Tobias Renner')].map(({ id }) => id);
    const other = await aDraft(colleague, 'Wendell Okafor');
    const { body } = await scene.get(`${worklist()}?all=1`);
    expect(body.match(/<input[^>]*name="case"[^>]*checked/g)).toHaveLength(2);
    const answer = await bulk({ case: [...cases, other.id], assign: colleague.fhirUser! });
    expect(answer.headers.location).toBe(`${worklist()}?part=needs&did=assign&done=2&left=1&to=Practitioner%2Fprac-2`);
    for (const id of cases) expect((await clinic.cases.get(id)).assigned).toEqual(colleague);
    expect((await clinic.cases.get(other.id)).assigned).toBeUndefined();
    const said = textOf((await scene.get(String(answer.headers.location))).body);
    expect(said).toContain('2 requests assigned to Ruth Amari. 1 not assigned: you may not act on it.');
    expect(said).toMatch(/Needs you, by person Ruth Amari 3/);
  });

  test('are found again by person', async () => {
    await aDraft(me, 'Beatriz Lindholm');
    await aDraft(colleague, 'Wendell Okafor');
    const { body } = await scene.get(`${worklist()}?holder=${colleague.fhirUser}`);
    expect(body).toContain('Wendell Okafor');
    expect(body).not.toContain('Beatriz');
  });

  test('are closed only when they have ended', async () => {
    const one = await aDraft(me, 'Beatriz Lindholm');
    expect((await bulk({ case: one.id, close: '1' })).headers.location).toContain('did=close&done=0&left=1');
    expect((await bulk({ close: '1' })).headers.location).toContain('done=0&left=0');
  });

  test('no stranger and no case of another site', async () => {
    const one = await aDraft(me, 'Beatriz Lindholm');
    expect((await bulk({ case: one.id, assign: 'Practitioner/stranger' })).status).toBe(400);
    await begin({});
    expect((await bulk({ case: one.id, assign: '' })).status).toBe(404);
  });

  test('of a search are shown at once: what was searched for is in no address', async () => {
    const one = await aDraft(me, 'Beatriz Lindholm');
    const { status, body } = await bulk({ case: one.id, assign: '', search: 'lind' });
    expect(status).toBe(200);
    expect(body).toContain('Beatriz Lindholm');
    expect(body).toContain('1 request assigned to nobody.');
  });
});

describe('a draft whose order was stopped in the chart', () => {
  const order = (status: MedicationRequest['status']) => {
    scene.resources = scene.resources.map((one) => (one.id === scene.order ? ({ ...one, status } as typeof one) : one));
  };
  const review = () => `${scene.home}/orders/${scene.order}`;
  const readAgain = async () => {
    await scene.get(`${scene.home}/orders?again=1`);
    await scene.get(`${scene.home}/orders`);
  };
  const cases = () => clinic.cases.forPatient(siteId(), `Patient/${scene.smart.launch.patient}`);

  beforeEach(() => {
    const patient = scene.resources.find(({ resourceType }) => resourceType === 'Patient')?.id ?? '';
    scene.smart.launch = { ...scene.smart.launch, patient };
  });

  async function aStopped(): Promise<Case> {
    await scene.get(review());
    order('stopped');
    await readAgain();
    const [one] = await cases();
    return clinic.cases.get(one!.id);
  }

  test('says so in its line, which leads to where a person closes it', async () => {
    const one = await aStopped();
    const line = `${worklist()}/${one.id}`;
    expect((await scene.get(worklist())).body).toMatch(
      new RegExp(`Order no longer active</span><a class="act" href="${line}">Mark as done`),
    );
    const { status, body } = await scene.get(line);
    expect(status).toBe(200);
    expect(body).toMatch(/<button[^>]*value="done"[^>]*class="go"[^>]*>Mark as done/);
    expect(await store.worklist.find(one.id)).toMatchObject({ part: 'needs' });
    await post(line, { action: 'done' });
    expect(await store.worklist.find(one.id)).toMatchObject({ part: 'decided' });
    const closed = (await scene.get(line)).body;
    expect(closed).toContain('This draft is marked as done.');
    expect(closed).not.toContain('value="done"');
  });

  test('is closed together with others', async () => {
    const one = await aStopped();
    const closed = await scene.post(worklist(), { token: await token(), part: 'needs', case: one.id, close: '1' });
    expect(closed.headers.location).toContain('did=close&done=1&left=0');
  });

  test('is open work again once the chart uses the order again', async () => {
    const one = await aStopped();
    await post(`${worklist()}/${one.id}`, { action: 'done' });
    order('active');
    await readAgain();
    expect(await store.worklist.find(one.id)).toMatchObject({ part: 'needs', waits: 'draft' });
  });

  test('says what to do where it is opened', async () => {
    await aStopped();
    const { status, body } = await scene.get(review());
    expect(status).toBe(409);
    expect(body).toContain('This order cannot be used: it is stopped. In the worklist, mark the draft for it as done.');
  });

  test('is not made for an order that was stopped before', async () => {
    order('stopped');
    expect((await scene.get(review())).status).toBe(409);
    expect(await cases()).toEqual([]);
  });

  test('stays a draft while its order is only on hold', async () => {
    await scene.get(review());
    order('on-hold');
    await readAgain();
    const [one] = await cases();
    expect(await store.worklist.find(one!.id)).toMatchObject({ part: 'needs', waits: 'draft' });
  });
});

test('an approval of something else than was ordered is amber, in its line and opened', async () => {
  const draft = await aDraft(me, 'Beatriz Lindholm');
  const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
  const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
  const outcome = { result: 'Approved', detail_code: 'approval' } as const;
  clinic.service.records.set(id, { id, status: 'completed', outcome });
  await clinic.cases.refresh(sent.id);
  const decided = `${worklist()}?part=decided`;
  expect((await scene.get(decided)).body).toContain('badge tone-good">Approved<');
  await clinic.cases.noteApproved(sent.id, { terms: { quantity: '15', days: '', strength: '' }, by: me });
  expect((await scene.get(decided)).body).toMatch(/badge tone-act">Approved, not as ordered: quantity 15/);
  const { body } = await scene.get(`${worklist()}/${sent.id}`);
  expect(body).toMatch(/headline tone-act"[\s\S]{0,500}<h2 id="standing">Approved, not as ordered</);
  expect(body).not.toContain('headline tone-good');
});

describe('trends', () => {
  test('are of what this practice sent and payers decided; nobody is named', async () => {
    for (const [nth, result] of ['Approved', 'Approved', 'Approved', 'Denied', 'Denied'].entries()) {
      const draft = await aDraft(me, `Beatriz Lindholm ${nth}`);
      const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
      const code = result === 'Approved' ? 'approval' : 'unknown';
      clinic.service.records.set(id, { id, status: 'completed', outcome: { result, detail: 'x', detail_code: code } });
      await clinic.cases.refresh(sent.id);
    }
    const { body } = await scene.get(`${worklist()}/trends`);
    expect(textOf(body)).toMatch(/Sent 5|5 5 60%/);
    expect(body).not.toContain('Lindholm');
    expect((await scene.get(worklist())).body).toContain(`${worklist()}/trends`);
  });

  test('are not for who sees only their own lines', async () => {
    await begin({ sees: 'own' });
    expect((await scene.get(`${worklist()}/trends`)).status).toBe(404);
    expect((await scene.get(worklist())).body).not.toContain('/trends');
  });
});

describe('a saved view', () => {
  const views = () => `${worklist()}/views`;
  const saved = async (fields: Record<string, string>) => {
    const { headers } = await scene.post(views(), { token: await token(), ...fields });
    return String(headers.location);
  };
  const link = /<a href="([^"]*)"[^>]*>Denials of mine<\/a>/;

  test('opens with one click, and is removed where it is shown', async () => {
    const first = await scene.get(worklist());
    expect(first.body).not.toContain('Save this view');
    expect((await scene.get(`${worklist()}?part=decided&mine=1`)).body).toContain('Save this view');
    const to = await saved({ part: 'decided', mine: '1', name: '  Denials  of mine ' });
    expect(to).toBe(`${worklist()}?part=decided&mine=1&view=saved`);
    const shown = (await scene.get(to)).body;
    expect(shown).toContain('View saved.');
    expect(shown).toMatch(/aria-current="true">Denials of mine/);
    expect(shown).not.toContain('Save this view');
    const address = (await scene.get(worklist())).body.match(link)?.[1]?.replaceAll('&amp;', '&');
    expect(address).toBe(`${worklist()}?part=decided&mine=1`);
    const id = shown.match(/name="remove" value="([^"]+)"/)?.[1] ?? '';
    expect(await saved({ part: 'decided', mine: '1', remove: id })).toContain('view=removed');
    expect((await scene.get(worklist())).body).not.toMatch(link);
  });

  test('of the same name takes the place of the one before', async () => {
    await saved({ part: 'payer', name: 'Denials of mine' });
    await saved({ part: 'decided', unwritten: '1', name: 'denials of mine' });
    const [view, ...others] = await store.views.of(siteId(), me.fhirUser!);
    expect(view).toMatchObject({ name: 'denials of mine', filter: { part: 'decided', unwritten: '1' } });
    expect(others).toEqual([]);
  });

  test('is of one person at one site, and its name is in no column, address or audit row', async () => {
    const to = await saved({ part: 'payer', name: 'Lindholm, B' });
    expect(to).not.toContain('Lindholm');
    expect(await store.views.of(siteId(), colleague.fhirUser!)).toEqual([]);
    expect(await store.views.of('elsewhere', me.fhirUser!)).toEqual([]);
    const rows = await sqlOf(store)(`select * from "${backend.schema}".saved_views`);
    expect(JSON.stringify(rows)).not.toContain('Lindholm');
    expect(JSON.stringify(await auditRows())).not.toContain('Lindholm');
  });

  test('needs a name and the token of the page; twelve are kept, and what is no filter is left out', async () => {
    expect(await saved({ part: 'payer', name: '  ' })).toContain('view=unnamed');
    expect((await scene.post(views(), { part: 'payer', name: 'x' })).status).toBe(403);
    for (let nth = 1; nth <= 12; nth += 1) await saved({ part: 'payer', name: `View ${nth}`, holder: '<script>' });
    const full = await saved({ part: 'payer', name: 'View 13' });
    expect(textOf((await scene.get(full)).body)).toContain('You have 12 saved views. Remove one first.');
    expect(await saved({ part: 'decided', name: 'View 12' })).toContain('view=saved');
    const kept = await store.views.of(siteId(), me.fhirUser!);
    expect(kept).toHaveLength(12);
    expect(kept[0]?.filter).toEqual({ part: 'payer' });
  });

  test('is not offered for a search: what was searched for is in no address', async () => {
    const { body } = await scene.post(worklist(), { token: await token(), part: 'decided', search: 'lind' });
    expect(body).not.toContain('Save this view');
  });
});

describe('a manager', () => {
  const begins = () => begin({ managers: [me.fhirUser!], sees: 'own' });

  test('sees and assigns the lines of others, and takes none over', async () => {
    await begins();
    await store.worklist.signedIn(siteId(), { fhirUser: colleague.fhirUser!, name: colleague.name! });
    const one = await aDraft(colleague, 'Beatriz Lindholm');
    expect((await scene.get(worklist())).body).toContain('Beatriz Lindholm');
    const { body } = await scene.get(`${worklist()}/${one.id}`);
    expect(body).not.toContain('value="take"');
    expect((await post(`${worklist()}/${one.id}`, { action: 'take' })).status).toBe(403);
    expect((await post(`${worklist()}/${one.id}`, { action: 'assign', to: colleague.fhirUser! })).status).toBe(303);
  });

  test('gets no name of a restricted chart', async () => {
    await begins();
    const one = await aDraft(colleague, 'Canary Restricted', { restricted: true });
    expect((await scene.get(worklist())).body).not.toContain('Canary');
    expect((await post(`${worklist()}/${one.id}`, { action: 'assign', to: '' })).status).toBe(403);
  });

  test.each(['send', 'cancel', 'write', 'again', 'reply', 'deliver', 'keep'])(
    'is refused to %s in a chart',
    async (action) => {
      await begins();
      const [patient] = scene.resources.flatMap((one) => (one.resourceType === 'Patient' ? (one.id ?? []) : []));
      scene.smart.launch = { ...scene.smart.launch, patient: patient ?? '' };
      const review = `${scene.home}/orders/${scene.order}`;
      const page = await scene.get(review);
      const form = { token: formOf(page.body, 'review').token![0]!, action };
      const [row] = (await store.worklist.page({ site: siteId(), viewer: { user: '' }, limit: 1 })).rows;
      const own = `${scene.home}/cases/${row?.case}`;
      const to = {
        send: `${review}/confirm`,
        deliver: `${scene.home}/deliver`,
        keep: `${own}/questions/1/keep`,
      }[action];
      // A reply may carry files.
      const answer =
        action === 'reply'
          ? await postWithFile(scene, `${own}/replies`, { fields: form, headers: { accept: 'text/html' } })
          : await scene.post(to ?? own, form);
      const status = 'status' in answer ? answer.status : answer.statusCode;
      expect([status, answer.body.includes('You are a manager here')]).toEqual([403, true]);
    },
  );
});

/** The text of a page's main part. */
function textOf(page: string): string {
  return page
    .slice(page.indexOf('<main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('CSV is off by default; where it is on, downloads are audited disclosures and no cell is a formula', async () => {
  expect((await scene.get(`${worklist()}.csv`)).status).toBe(404);
  await begin({ csv: true });
  const one = await aDraft(me, '=HYPERLINK("x") Lindholm', { title: '+Ozempic' });
  const { status, body, headers } = await scene.get(`${worklist()}.csv`);
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/csv');
  expect(body).toContain(`"'=HYPERLINK(""x"") Lindholm","'+Ozempic"`);
  const told = (await auditRows()).filter(({ action }) => action === 'worklist_exported');
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ actor: me.fhirUser, facts: { rows: 1, cases: one.id } });
});

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  =1', `"'  =1"`],
  ['\t=1', `"'\t=1"`],
  ['＝1', `"'＝1"`],
  ['Say "x", y', `"Say ""x"", y"`],
  ['O-negative', `"O-negative"`],
])('the cell %j is harmless', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('of 26 lines the first page has 25 and leads to the last', async () => {
  for (let count = 0; count < 26; count += 1) await aDraft(me, `Number ${count} Paged`);
  const first = (await scene.get(worklist())).body;
  expect(first.match(/<th scope="row">/g)).toHaveLength(25);
  const next = /href="([^"]*after=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
  const second = (await scene.get(next)).body;
  expect(second.match(/<th scope="row">/g)).toHaveLength(1);
  expect(second).toContain('Number 25 Paged');
});

test('without a session the start page leads to the sign-in; with one, to the worklist', async () => {
  const anonymous = await scene.app.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } });
  expect(anonymous.statusCode).toBe(200);
  expect(anonymous.body).toContain(`href="/sign-in?site=${siteId()}"`);
  expect((await scene.get('/')).headers.location).toBe(worklist());
});
