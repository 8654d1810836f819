import { randomUUID } from 'node:crypto';
import type { MedicationRequest } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Case, roundsOf } from '../../../../src/cases/case.ts';
import { roundSeen } from '../../../../src/cases/rounds/round.ts';
import { queues } from '../../../../src/cases/work/queues.ts';
import { worklistRules } from '../../../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../../../src/config/config.ts';
import type { AuditRow, Store } from '../../../../src/store/types.ts';
import { aClinic, type Clinic } from '../../../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../../../store/backends.ts';
import { type Answer, bridgeUrl, formOf, openScene, postWithFile, type Scene, testConfig } from '../../support.ts';

let backend: Backend;
let store: Store;
let clinic: Clinic;
let scene: Scene;

const nurse = { fhirUser: 'Practitioner/nurse', userName: 'Noor Haddad, RN' };
const prescriber = { fhirUser: 'Practitioner/prac-osei', userName: 'Dr. Adwoa Osei-Brandt' };
const partner = { fhirUser: 'Practitioner/partner', userName: 'Dr. Sam Ito' };

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
});
afterAll(async () => {
  await store.close();
  await backend.close();
});
beforeEach(() => begin({ signature: { required: true, signers: [partner.fhirUser] } }));
afterEach(() => scene.app.close());

/** The pages over a real store, at a site of its own. */
async function begin(changes: Partial<Site>): Promise<void> {
  await scene?.app.close();
  const [base] = testConfig().sites;
  const site = { ...base!, id: `valley-${randomUUID().slice(0, 8)}`, ...changes };
  clinic = aClinic(store, { sites: [site] });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  const config = makeConfig(
    { BRIDGE_URL: bridgeUrl, BRIDGE_KEYS: Buffer.alloc(32, 7).toString('base64') },
    [site],
    env,
  );
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    config,
    cases: clinic.cases,
    worklist: store.worklist,
    audit: store.audit,
  }));
  scene.smart.launch = { ...scene.smart.launch, site };
  as(nurse);
}

/** From now on this person is signed in; `chart` false: without the patient's chart. */
function as(who: { readonly fhirUser: string; readonly userName: string }, { chart = true } = {}): void {
  const { patient } = scene.smart.launch;
  const open = patient === 'none-open' ? 'complete-patient' : patient;
  scene.smart.launch = { ...scene.smart.launch, ...who, patient: chart ? open : 'none-open' };
}

const review = () => `${scene.home}/orders/${scene.order}`;
const confirmPage = async () => (await scene.get(`${review()}/confirm`)).body;

async function post(action: string, page?: string): Promise<Answer> {
  return scene.post(`${review()}/confirm`, { ...formOf(page ?? (await confirmPage())), action });
}

async function edit(fields: Record<string, string>): Promise<void> {
  const form = formOf((await scene.get(review())).body, 'review');
  await scene.post(review(), { ...form, ...fields, action: 'save' });
}

async function theCase(): Promise<Case> {
  const cases = await clinic.cases.list({ site: scene.smart.launch.site.id });
  return clinic.cases.get(cases[0]!.id);
}

const signPage = async () => `${scene.home}/sign/${(await theCase()).id}`;

async function signs(who = prescriber, fields: Record<string, string> = { action: 'sign' }): Promise<Answer> {
  as(who, { chart: false });
  const page = await signPage();
  const answer = await scene.post(page, { ...formOf((await scene.get(page)).body), ...fields });
  as(nurse);
  return answer;
}

const waitingOnOthers = async () => (await scene.get(`${scene.home}/worklist?part=payer`)).body;

async function audited(): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of store.audit.rows({ site: scene.smart.launch.site.id })) rows.push(row);
  return rows;
}

describe('a nurse', () => {
  test('hands over with one click instead of sending, and everyone sees whom it waits for', async () => {
    const page = await confirmPage();
    expect(page).toContain('Hand over to Adwoa Osei-Brandt to sign');
    expect(page).not.toContain('value="send"');
    expect((await post('ask')).headers.location).toBe(`${review()}/confirm#signature`);
    const after = await confirmPage();
    expect(after).toMatch(
      /<strong>Waiting: signature of Adwoa Osei-Brandt<\/strong> since .*, handed over by Noor Haddad, RN/,
    );
    expect(after).not.toMatch(/value="(ask|send)"|Ready/);
    expect(await waitingOnOthers()).toContain('badge tone-calm">Waiting: signature of Adwoa Osei-Brandt<');
    expect((await scene.get(review())).body).toContain('Waiting: signature');
    expect((await scene.get(`${scene.home}/orders`)).body).toContain('Waiting: signature');
  });

  test('has it under what waits on others until it comes back; the signer has it first', async () => {
    const groups = async () => {
      const { body } = await scene.get(`${scene.home}/worklist`);
      return {
        summary: /(\d+ need you · \d+ waiting on others)/.exec(body)?.[1],
        lines: [...body.matchAll(/<span class="badge tone-(\w+)">([^<]*)/g)].map(([, tone, text]) => [tone, text]),
      };
    };
    await post('ask');
    expect(await groups()).toEqual({ summary: '0 need you · 1 waiting on others', lines: [] });
    as(prescriber, { chart: false });
    expect(await groups()).toEqual({
      summary: '1 need you · 0 waiting on others',
      lines: [['act', 'Waiting: signature of Adwoa Osei-Brandt']],
    });
    await signs(prescriber, { action: 'return', note: 'Quantity is 4.' });
    expect(await groups()).toEqual({
      summary: '1 need you · 0 waiting on others',
      lines: [['act', 'Returned by the signer']],
    });
  });

  test('who sends all the same is refused with words, and nothing leaves', async () => {
    await post('ask');
    expect((await post('send')).headers.location).toBe(`${review()}/confirm?notice=unsigned#signature`);
    expect((await scene.get(`${review()}/confirm?notice=unsigned`)).body).toContain(
      'Nothing was sent: it is not signed',
    );
    expect(clinic.service.creates).toHaveLength(0);
  });

  test('is told on the review what is next: to hand over, to wait, to correct, and to send', async () => {
    const says = async () => {
      const { body } = await scene.get(review());
      const title = /<h2 id="verdict-title">([^<]*)/.exec(body)?.[1];
      return [title, /id="go-on"[^>]*>([^<]*)/.exec(body)?.[1]?.trim(), /class="verdict (\w+)"/.exec(body)?.[1]];
    };
    const documents = 'No documents attached';
    expect(await says()).toEqual([`Ready to be signed. ${documents}`, 'Review and hand over', expect.anything()]);
    await post('ask');
    expect(await says()).toEqual(['Waiting for the signature', 'Review', 'open']);
    await signs(prescriber, { action: 'return', note: 'Add the last DAS28.' });
    expect(await says()).toEqual(['Returned: correct it and hand it over again', 'Review and hand over', 'open']);
    await post('ask');
    await signs();
    expect(await says()).toEqual([`Ready to send. ${documents}`, 'Review and send', expect.anything()]);
    as(prescriber);
    await edit({ 'f.prescription.directions': 'Once a month' });
    expect((await says())[1]).toBe('Review, sign and send');
  });

  test('comes from the line of what is signed to where it is sent', async () => {
    await post('ask');
    const line = `${scene.home}/worklist/${(await theCase()).id}`;
    expect((await scene.get(line)).headers.location).toBe(review());
    await signs();
    expect((await scene.get(line)).headers.location).toBe(`${review()}/confirm`);
    expect((await scene.get(`${scene.home}/orders`)).body).toContain(`href="${review()}/confirm"`);
  });

  test('is told at the line, without the chart, what is next: to wait, to send, to hand over again', async () => {
    const lead = async () => {
      as(nurse, { chart: false });
      const { body } = await scene.get(`${scene.home}/worklist/${(await theCase()).id}`);
      as(nurse);
      return /class="button go"[^>]*>([^<]*)</.exec(body)?.[1];
    };
    await post('ask');
    expect(await lead()).toBeUndefined();
    await signs(prescriber, { action: 'return', note: 'Add the last DAS28.' });
    expect(await lead()).toBe('Open the chart to hand it over again');
    await post('ask');
    await signs();
    expect(await lead()).toBe('Open the chart to send it');
  });

  test('is asked about suggested documents when handing over, and not again for what was handed over', async () => {
    expect(await confirmPage()).toContain('suggested documents?');
    await post('ask');
    expect(await confirmPage()).not.toContain('suggested documents?');
    await signs();
    expect(await confirmPage()).not.toContain('suggested documents?');
  });

  test('sends what is signed; the page of the request and its timeline say by whom', async () => {
    await post('ask');
    await signs();
    expect((await scene.get(`${scene.home}/worklist`)).body).toContain('Signed: send it');
    const sent = await post('send');
    expect(clinic.service.creates).toHaveLength(1);
    const { body } = await scene.get(sent.headers.location as string);
    expect(body).toMatch(/, sent .* by Noor Haddad, RN, signed by Dr\. Adwoa Osei-Brandt /);
    expect(body).toMatch(/Handed over for signature[\s\S]*Noor Haddad/);
  });

  test('cannot sign by calling it so', async () => {
    await post('sign').then(({ status }) => expect(status).toBe(403));
    await post('ask');
    const page = await signPage();
    expect((await scene.get(page)).body).toMatch(/not sign it: only Adwoa Osei-Brandt, or whom your practice named,/);
    const form = { token: formOf(await confirmPage()).token!, digest: (await theCase()).signature!.digest };
    expect((await scene.post(page, { ...form, action: 'sign' })).status).toBe(403);
    expect((await theCase()).signature?.state).toBe('asked');
    const refused = (await audited()).filter(({ action }) => action === 'act_refused');
    expect(refused).toMatchObject([{ actor: nurse.fhirUser, outcome: 'failure', facts: { reason: 'no-signer' } }]);
  });

  test('who changes it after the signature needs it again, and gets it back by undoing the change', async () => {
    await post('ask');
    await signs();
    const before = await confirmPage();
    await edit({ 'f.prescription.directions': 'Once a month' });
    expect((await scene.get(review())).body).toContain('Changed since it was signed');
    expect((await post('send', before)).headers.location).toBe(`${review()}?notice=changed`);
    expect((await post('send')).headers.location).toContain('notice=unsigned');
    expect(clinic.service.creates).toHaveLength(0);
    await edit({ reset: 'prescription.directions' });
    expect((await scene.get(review())).body).toContain('Signed by Dr. Adwoa Osei-Brandt');
    await post('send');
    expect(clinic.service.creates).toHaveLength(1);
  });

  test('who changes what was handed over reads once since when, and hands it over again', async () => {
    await post('ask');
    await edit({ 'f.prescription.directions': 'Once a month' });
    const page = await confirmPage();
    expect(page).toMatch(
      /<strong>Changed since it was handed over<\/strong> <time[^>]*>[^<]*<\/time>, by Noor Haddad, RN</,
    );
    expect(page).toContain('Ready to be signed');
  });

  test('a chart that changed after the signature needs it again as well', async () => {
    await post('ask');
    await signs();
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'MedicationRequest' && resource.id === scene.order
        ? ({ ...resource, dosageInstruction: [{ text: 'Inject one pen every week.' }] } as MedicationRequest)
        : resource,
    );
    const form = formOf((await scene.get(review())).body, 'review');
    await scene.post(review(), { ...form, action: 'pull' });
    expect((await scene.get(review())).body).toContain('Changed since it was signed');
    await post('send');
    expect(clinic.service.creates).toHaveLength(0);
  });
});

describe('the prescriber', () => {
  test('finds it in the worklist without a chart, and sees drug, diagnosis, changes and what goes along', async () => {
    await edit({ 'f.prescription.directions': 'Once a month', evidence: 'Condition/complete-ra', answers: 'send' });
    await post('ask');
    as(prescriber, { chart: false });
    const list = (await scene.get(`${scene.home}/worklist?sign=1`)).body;
    expect(list).toContain('Waiting for your signature (1)');
    expect(list).toContain(`href="${await signPage()}"`);
    await clinic.cases.addNote((await theCase()).id, { text: 'The plan asked twice.', by: { name: 'Nurse Noor' } });
    const { body } = await scene.get(await signPage());
    expect(body).toMatch(/Notes for colleagues[\s\S]*The plan asked twice\.[\s\S]*Nurse Noor/);
    expect(body).toContain('Humira 40 mg/0.4 mL');
    expect(body).toContain('M05.79 Rheumatoid arthritis');
    expect(body).toMatch(/Directions<\/strong>: from “Inject[^”]*” to “Once a month”<small> Noor Haddad, RN, /);
    expect(body).toContain('This is not a legal signature.');
    const viewed = (await audited()).filter(({ action }) => action === 'signature_viewed');
    expect(viewed).toMatchObject([{ actor: prescriber.fhirUser, caseId: (await theCase()).id }]);
  });

  test('signs with one click, and a second one changes nothing', async () => {
    await post('ask');
    as(prescriber, { chart: false });
    expect((await scene.get(await signPage())).body).toContain('href="#note" class="button quiet-button">Return it');
    as(nurse);
    expect((await signs()).headers.location).toBe(`${await signPage()}?notice=signed`);
    as(prescriber, { chart: false });
    const page = await signPage();
    const { token } = formOf((await scene.get(`${scene.home}/worklist`)).body);
    const { digest } = (await theCase()).signature!;
    await scene.post(page, { token: token!, digest, action: 'sign' });
    expect((await theCase()).events.filter(({ type }) => type === 'signed')).toHaveLength(1);
    expect((await scene.get(`${page}?notice=signed`)).body).toContain('Signed. Thank you.');
  });

  test('returns it with a note, which the nurse reads on the review and in the worklist', async () => {
    await post('ask');
    await signs(prescriber, { action: 'return', note: 'Add the last DAS28.' });
    expect((await scene.get(review())).body).toMatch(/Returned by Dr\. Adwoa[\s\S]*Add the last DAS28\./);
    expect((await scene.get(`${scene.home}/worklist`)).body).toContain('Returned by the signer');
    const page = await confirmPage();
    expect(page).toContain('Hand over to Adwoa Osei-Brandt to sign');
    expect(page).not.toContain('Ready');
  });

  test('who has an old tab open signs nothing, and is told', async () => {
    await post('ask');
    as(prescriber, { chart: false });
    const page = await signPage();
    const old = formOf((await scene.get(page)).body);
    as(nurse);
    await edit({ 'f.prescription.directions': 'Once a month' });
    as(prescriber, { chart: false });
    expect((await scene.post(page, { ...old, action: 'sign' })).headers.location).toBe(`${page}?notice=stale`);
    const { body } = await scene.get(`${page}?notice=stale`);
    expect(body).toContain('This is not what you saw');
    expect(body).not.toContain('value="sign"');
    expect((await theCase()).signature?.state).toBe('asked');
  });

  test('comes from the chart straight to what waits, and can go on to the request', async () => {
    await post('ask');
    as(prescriber);
    scene.smart.launch = { ...scene.smart.launch, orders: [`MedicationRequest/${scene.order}`] };
    expect((await scene.get(scene.home)).headers.location).toBe(await signPage());
    expect((await scene.get(await signPage())).body).toContain(`href="${review()}"`);
    for (const page of [`${scene.home}/orders`, review()])
      expect((await scene.get(page)).body).toMatch(new RegExp(`href="${await signPage()}"[^>]*>Sign`));
  });

  test('signs and sends what is theirs with one click', async () => {
    as(prescriber);
    const page = await confirmPage();
    expect(page).toContain('Sign and send for Marisol June Tennyson');
    expect(page).not.toMatch(/value="(ask|send)"/);
    await post('sign', page);
    expect(clinic.service.creates).toHaveLength(1);
    expect((await theCase()).signature).toMatchObject({ state: 'signed', settledBy: { name: prescriber.userName } });
  });
});

test('whom the site names signs too, and finds it; a stranger gets words and no patient', async () => {
  await begin({
    signature: { required: true, signers: [partner.fhirUser] },
    worklist: { ...testConfig().sites[0]!.worklist, sees: 'own' },
  });
  await post('ask');
  as(partner, { chart: false });
  expect((await scene.get(`${scene.home}/worklist?sign=1`)).body).toContain('Marisol');
  as({ fhirUser: 'Practitioner/other', userName: 'Somebody Else' }, { chart: false });
  const stranger = await scene.get(await signPage());
  expect(stranger.status).toBe(404);
  expect(stranger.body).not.toContain('Marisol');
  await signs(partner);
  expect((await theCase()).signature?.settledBy).toMatchObject({ fhirUser: partner.fhirUser });
});

test('a colleague who may see the list but not the request is told who signs, and sees nothing of it', async () => {
  await post('ask');
  as({ fhirUser: 'Practitioner/other', userName: 'Somebody Else' }, { chart: false });
  const { status, body } = await scene.get(await signPage());
  expect(status).toBe(403);
  expect(body).toContain('You may not sign for this order.');
  expect(body).not.toContain('Marisol');
});

test('a site that only offers signatures sends with and without one', async () => {
  await begin({ signature: { required: false, signers: [] } });
  const page = await confirmPage();
  expect(page).toMatch(/value="ask"[\s\S]*value="send"/);
  await post('send', page);
  expect(clinic.service.creates).toHaveLength(1);
});

test('a site without signatures shows nothing of them', async () => {
  await begin({});
  const page = await confirmPage();
  expect(page).not.toMatch(/[Ss]ignature|to sign/);
  expect((await post('ask', page)).status).toBe(404);
  expect((await scene.get(`${scene.home}/worklist`)).body).not.toContain('signature');
});

describe('a reply to the payer', () => {
  async function asked(): Promise<string> {
    as(prescriber);
    await post('sign');
    const { id } = await theCase();
    as(nurse);
    await clinic.cases.openRound(id, { by: { fhirUser: nurse.fhirUser }, text: 'What is the DAS28?' });
    return `${scene.home}/cases/${id}`;
  }

  async function reply(page: string, action: string): Promise<void> {
    const [round] = roundsOf(await theCase());
    const { token } = formOf((await scene.get(page)).body);
    const fields = { token: token![0]!, round: '1', seen: roundSeen(round!), text: 'It is 5.2.', action };
    await postWithFile(scene, `${page}/replies`, { fields });
  }

  test('is handed over, read with its question, signed, and then to be sent', async () => {
    const page = await asked();
    expect((await scene.get(page)).body).toContain('Hand the reply over to be signed');
    await reply(page, 'reply');
    const waits = (await scene.get(page)).body;
    expect(waits).toContain('waits for a signature');
    expect(waits).toMatch(/class="waits-for">[^<]*<strong>Adwoa Osei-Brandt</);
    expect(await waitingOnOthers()).toContain('Waiting: signature of Adwoa Osei-Brandt on the reply');
    const key = roundsOf(await theCase())[0]!.replies[0]!.key;
    expect((await scene.get(`${page}/replies/${key}.pdf`)).status).toBe(409);
    as(prescriber, { chart: false });
    const { body } = await scene.get(await signPage());
    expect(body).toMatch(/What is the DAS28\?[\s\S]*It is 5\.2\./);
    await signs();
    const signed = (await scene.get(page)).body;
    expect(signed).toMatch(/Signed by Dr\. Adwoa[\s\S]*Open the reply to print/);
    expect(signed).toMatch(/id="standing">The reply is ready to send<[\s\S]*<strong>Noor Haddad, RN<\/strong>/);
    expect(signed).not.toContain('Read the question and reply');
    expect((await scene.get(`${scene.home}/worklist`)).body).toContain('badge tone-act">Print and send the reply<');
    expect((await scene.get(`${page}/replies/${key}.pdf`)).status).toBe(200);
  });

  test('says who has the next act where no chart is open: the signer, then who prints and sends it', async () => {
    const page = await asked();
    const line = async () => {
      const { body } = await scene.get(`${scene.home}/worklist/${(await theCase()).id}`);
      return { body, lead: /class="button go"[^>]*>([^<]*)</.exec(body)?.[1] };
    };
    as(nurse, { chart: false });
    expect((await line()).lead).toBe('Open the chart to reply');
    as(prescriber, { chart: false });
    expect((await line()).body).toContain('To reply, open the patient’s chart.');
    as(nurse);
    await reply(page, 'reply');
    expect((await scene.get(page)).body).toContain('Once it is signed, it has to be printed and sent.');
    as(nurse, { chart: false });
    const waits = await line();
    expect(waits.lead).toBeUndefined();
    expect(waits.body).toContain('Open the patient’s chart');
    expect(waits.body).not.toMatch(/to reply|To reply|leaves once/);
    as(prescriber, { chart: false });
    expect(await line()).toMatchObject({ lead: 'Sign', body: expect.not.stringContaining('To reply') });
    await signs();
    as(nurse, { chart: false });
    expect((await line()).lead).toBe('Open the chart to print and send the reply');
  });

  test('to a question that only the notes of calls tell is signed under that question', async () => {
    as(prescriber);
    await post('sign');
    const sent = await theCase();
    as(nurse);
    const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
    const details = { notes: 'The payer asks: which drugs were tried before?' };
    const call = { id: 'c1', type: 'follow_up_call' as const, created_at: '2026-11-20T15:00:00', details };
    clinic.service.records.set(id, { id, status: 'awaiting_provider_response', activity_log: [call] });
    await clinic.cases.refresh(sent.id);
    await reply(`${scene.home}/cases/${sent.id}`, 'reply');
    as(prescriber, { chart: false });
    const { body } = await scene.get(await signPage());
    expect(body).toMatch(/The payer asks<\/h2><p class="said">The payer asks: which drugs were tried before\?/);
  });

  test('comes back with a note, and is written anew', async () => {
    const page = await asked();
    await reply(page, 'reply');
    await signs(prescriber, { action: 'return', note: 'It was 5.4.' });
    expect((await scene.get(page)).body).toMatch(/was returned by the signer[\s\S]*It was 5\.4\./);
  });

  test('of the prescriber is signed as it is sent', async () => {
    const page = await asked();
    as(prescriber);
    expect((await scene.get(page)).body).toContain('Sign the reply, and make it to print');
    await reply(page, 'sign-reply');
    expect(roundsOf(await theCase())[0]?.replies).toMatchObject([
      { state: 'printed', signedBy: { name: prescriber.userName } },
    ]);
  });
});
