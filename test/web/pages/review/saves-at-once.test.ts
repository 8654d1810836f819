import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Case, Entries } from '../../../../src/cases/case.ts';
import { worklistRules } from '../../../../src/cases/worklist-entry.ts';
import type { Store } from '../../../../src/store/types.ts';
import { entriesFor } from '../../../../src/web/request/other-plans.ts';
import { aClinic, type Clinic } from '../../../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../../../store/backends.ts';
import { type Answer, formOf, openScene, type Scene, testConfig } from '../../support.ts';

// Two windows over one real store: the one save comes to the store while the other is under way.

let backend: Backend;
let store: Store;
let clinic: Clinic;
let scene: Scene;
/** Keeps the next save of a person before it reaches the store, until it is let go. */
let held: { readonly reached: Promise<void>; readonly letGo: () => void } | undefined;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules });
});
afterAll(async () => {
  await store.close();
  await backend.close();
});

beforeEach(async () => {
  held = undefined;
  clinic = aClinic(store, { sites: testConfig().sites });
  const { cases } = clinic;
  const hold: (() => Promise<void>)[] = [];
  scene = await openScene('story-two-coverages', (deps) => ({
    ...deps,
    cases: {
      ...cases,
      saveDraft: async (id, draft) => {
        if (typeof draft === 'function') await hold.shift()?.();
        return await cases.saveDraft(id, draft);
      },
    },
  }));
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  held = { reached: reached.promise, letGo: go.resolve };
  // The first opening of the draft saves as well.
  await scene.get(review());
  hold.push(async () => {
    reached.resolve();
    await go.promise;
  });
});
afterEach(() => scene.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;

async function standing(): Promise<Case & Entries> {
  const { site, patient } = scene.smart.launch;
  const [one] = await clinic.cases.forPatient(site.id, `Patient/${patient}`);
  return one as Case & Entries;
}

function by(fhirUser: string, name: string): void {
  scene.smart.launch = { ...scene.smart.launch, fhirUser, userName: name };
}

/** The first person's save stops on its way to the store; the second one's is done meanwhile. */
async function bothSave(first: Record<string, string>, second: Record<string, string>): Promise<Answer> {
  const form = formOf((await scene.get(review())).body, 'review');
  by('Practitioner/prac-1', 'Riley Okafor, MA');
  const slow = scene.post(review(), { ...form, ...first }, { 'hx-request': 'true' });
  await held?.reached;
  by('Practitioner/prac-2', 'Ruth Amari');
  expect((await scene.post(review(), { ...form, ...second })).status).toBe(303);
  by('Practitioner/prac-1', 'Riley Okafor, MA');
  held?.letGo();
  return await slow;
}

test('two people who save different fields at once both keep what they entered, each by their name', async () => {
  const told = await bothSave({ 'f.provider.fax': '(217) 555-0133' }, { 'f.patient.email': 'canary@example.org' });
  const { edits, enteredBy } = await standing();
  expect(edits).toMatchObject({ 'provider.fax': '(217) 555-0133', 'patient.email': 'canary@example.org' });
  expect(enteredBy?.['provider.fax']?.name).toBe('Riley Okafor, MA');
  expect(enteredBy?.['patient.email']?.name).toBe('Ruth Amari');
  expect(told.body).toContain('Ruth Amari');
  expect(told.body).toContain('canary@example.org');
});

test('a field that both change holds what was saved last, by whom it was', async () => {
  await bothSave({ 'f.provider.fax': '(217) 555-0144' }, { 'f.provider.fax': '(217) 555-0199' });
  const { edits, enteredBy } = await standing();
  expect(edits['provider.fax']).toBe('(217) 555-0144');
  expect(enteredBy?.['provider.fax']?.name).toBe('Riley Okafor, MA');
});

const fax = 'provider.fax';
const [rileys, ruths] = ['(217) 555-0144', '(217) 555-0199'];

test('what was saved over unseen is kept with who entered it, told, and put back by one button', async () => {
  const { body } = await bothSave({ 'f.provider.fax': rileys }, { 'f.provider.fax': ruths });
  expect((await standing()).replaced).toMatchObject({ [fax]: { value: ruths, by: { name: 'Ruth Amari' } } });
  const told = /<div class="notice bad" id="replaced".*?<\/div>/s.exec(body)?.[0].replaceAll(/<[^>]*>/g, '') ?? '';
  expect(told).toContain('Prescriber: Fax: (217) 555-0199 (entered by Ruth Amari, ');
  const here = formOf(body, 'review');
  await scene.post(review(), { ...here, 'replaced-use': fax }, { 'hx-request': 'true' });
  const { edits, replaced } = await standing();
  expect([edits[fax], replaced]).toEqual([ruths, {}]);
});

test('what was saved over unseen stops the way to sending until a person decides', async () => {
  const { body } = await bothSave({ 'f.provider.fax': '(217) 555-0155' }, { 'f.provider.fax': '(217) 555-0166' });
  const here = { ...formOf(body, 'review'), coverage: 'Coverage/twocov-coverage' };
  const checked = await scene.post(review(), { ...here, action: 'check' }, { 'hx-request': 'true' });
  expect(checked.body).toContain('data-go-to="replaced"');
  const settled = { ...formOf(checked.body, 'review'), 'replaced-keep': fax };
  const kept = await scene.post(review(), settled, { 'hx-request': 'true' });
  expect(kept.body).not.toContain('id="replaced"');
  expect((await standing()).edits[fax]).toBe('(217) 555-0155');
});

test('two windows of one person do not overwrite each other in silence', async () => {
  held?.letGo();
  const form = formOf((await scene.get(review())).body, 'review');
  by('Practitioner/prac-1', 'Riley Okafor, MA');
  await scene.post(review(), { ...form, 'f.patient.phone': '(217) 555-0181' });
  const { body } = await scene.post(
    review(),
    { ...form, 'f.patient.phone': '(217) 555-0182' },
    { 'hx-request': 'true' },
  );
  expect(body).toContain('(217) 555-0181</q> (entered by Riley Okafor, MA');
  expect((await standing()).edits['patient.phone']).toBe('(217) 555-0182');
  await scene.post(review(), { ...formOf(body, 'review'), 'replaced-keep': 'patient.phone' });
});

test('a page that saves again while its own save is under way replaces nothing', async () => {
  held?.letGo();
  const form = formOf((await scene.get(review())).body, 'review');
  by('Practitioner/prac-1', 'Riley Okafor, MA');
  await scene.post(review(), { ...form, 'f.provider.fax': '217' });
  await scene.post(review(), { ...form, 'f.provider.fax': '2175550177', following: '1' });
  const { edits, replaced } = await standing();
  expect([edits[fax], replaced]).toEqual(['2175550177', {}]);
});

test('documents that two windows check are all attached', async () => {
  held?.letGo();
  const form = formOf((await scene.get(review())).body, 'review');
  await scene.post(review(), { ...form, evidence: 'Observation/one' });
  await scene.post(review(), { ...form, evidence: 'Observation/two' });
  expect((await standing()).answers.evidence).toEqual(['Observation/one', 'Observation/two']);
});

test('a choice of the one and a field of the other are both kept', async () => {
  const form = formOf((await scene.get(review())).body, 'review');
  await bothSave({ 'f.provider.fax': '(217) 555-0133' }, { 'diagnosis-codes': 'M45.0', 'o.diagnosis': '' });
  const { edits, answers } = await standing();
  expect(edits['provider.fax']).toBe('(217) 555-0133');
  expect(answers.diagnoses).toContain('M45.0');
  expect(form.token).toBeDefined();
});

test('what is set aside for another plan keeps who entered it, and says so when that plan is chosen again', () => {
  const riley = { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA', at: '2026-11-21T15:00:00.000Z' };
  const amari = { fhirUser: 'Practitioner/prac-2', name: 'Ruth Amari', at: '2026-11-21T15:01:00.000Z' };
  const bin = 'insurance_content.rx_bin';
  const entries: Entries = {
    edits: { [bin]: '004999', 'provider.fax': '1' },
    answers: {},
    enteredFor: { [bin]: 'Coverage/1' },
    enteredBy: { [bin]: riley, 'provider.fax': amari },
  };
  const other = entriesFor(entries, 'Coverage/2');
  expect(other.edits).toEqual({ 'provider.fax': '1' });
  expect(other.enteredBy).toEqual({ 'provider.fax': amari });
  expect(other.setAsideBy).toEqual({ 'Coverage/1': { [bin]: riley } });
  const back = entriesFor(other, 'Coverage/1');
  expect(back).toMatchObject({ edits: entries.edits, enteredBy: entries.enteredBy, setAside: {}, setAsideBy: {} });
});
