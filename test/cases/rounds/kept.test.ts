import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Open } from '../../../src/cases/case.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { worklistRules } from '../../../src/cases/worklist-entry.ts';
import type { Store } from '../../../src/store/types.ts';
import { currentBody } from '../../service/sample.ts';
import { type Backend, pgliteBackend, sqlOf } from '../../store/backends.ts';
import { testSite } from '../../support/site.ts';
import { aClinic, aDraft, aSubmission, busy, type Clinic } from '../clinic.ts';

// A question that a person released, on the store: found again, sealed, and gone with its case.

const by = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const site = testSite({ service: { ...busy, profile: 'current' } });

let backend: Backend;
let store: Store;
beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ queues, worklist: worklistRules });
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

const body = currentBody();

/** An open case of the payer Harborlight with one round. */
async function anAskedCase(clinic: Clinic, payer = 'Harborlight'): Promise<Open> {
  const draft = await aDraft(clinic);
  await clinic.cases.saveDraft(draft.id, { payer });
  const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft, { body }));
  if (sent.state !== 'open') throw new Error(`not sent: ${sent.state}`);
  await clinic.cases.openRound(sent.id, { by, text: 'What is asked.' });
  return sent;
}

const release = { round: 1, text: 'CANARY: which drugs were tried?', cells: ['trials'], by } as const;

test('a question that was released is found for its drug and payer, and says who kept it', async () => {
  const clinic = aClinic(store, { sites: [site] });
  const one = await anAskedCase(clinic, 'Harborlight One');
  await clinic.cases.keepQuestion(one.id, release);
  const found = await clinic.cases.keptQuestions({ site: site.id, payer: 'harborlight  one', body });
  expect(found).toMatchObject([{ text: release.text, cells: ['trials'], by: 'Dr. Deva Loper' }]);
  expect(await clinic.cases.keptRounds(one.id)).toEqual([1]);
});

test('it is not found for another payer, another drug or another site', async () => {
  const clinic = aClinic(store, { sites: [site] });
  const one = await anAskedCase(clinic, 'Harborlight Two');
  await clinic.cases.keepQuestion(one.id, release);
  const payer = 'Harborlight Two';
  const other = { prescription: { drug_name: 'Another drug' } };
  expect(await clinic.cases.keptQuestions({ site: site.id, payer: 'Evergreen', body })).toEqual([]);
  expect(await clinic.cases.keptQuestions({ site: site.id, payer, body: other })).toEqual([]);
  expect(await clinic.cases.keptQuestions({ site: 'elsewhere', payer, body })).toEqual([]);
});

test('kept again it takes the place of what was kept, and a person removes it', async () => {
  const clinic = aClinic(store, { sites: [site] });
  const one = await anAskedCase(clinic, 'Harborlight Three');
  await clinic.cases.keepQuestion(one.id, release);
  await clinic.cases.keepQuestion(one.id, { ...release, text: 'Which drugs?' });
  const find = () => clinic.cases.keptQuestions({ site: site.id, payer: 'Harborlight Three', body });
  expect((await find()).map(({ text }) => text)).toEqual(['Which drugs?']);
  await clinic.cases.forgetQuestion(one.id, 1);
  expect(await find()).toEqual([]);
});

test('nothing of it is in clear in the store, and it goes when its case goes', async () => {
  const clinic = aClinic(store, { sites: [site] });
  const one = await anAskedCase(clinic, 'Harborlight Four');
  await clinic.cases.keepQuestion(one.id, release);
  const sql = sqlOf(store);
  const rows = await sql(`select * from "${backend.schema}".kept_questions where case_id = '${one.id}'`);
  expect(JSON.stringify(rows)).not.toMatch(/CANARY|Harborlight|tried/);
  await sql(`delete from "${backend.schema}".cases where id = '${one.id}'`);
  expect(await clinic.cases.keptQuestions({ site: site.id, payer: 'Harborlight Four', body })).toEqual([]);
});
