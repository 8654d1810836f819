import { expect, test } from 'vitest';
import type { Case } from '../../../src/cases/case.ts';
import type { Launch } from '../../../src/ehr/smart/types.ts';
import { kindPages } from '../../../src/web/request/kind-pages.ts';
import { keepTyped } from '../../../src/web/request/typed/keep-typed.ts';
import { type AnyCase, type FakeCases, fakeCases, now } from '../support.ts';

const launch = { patient: 'p1', site: { id: 'valley' } } as Launch; // it reads no more of it
const fax = 'provider.fax';

function draftOf(cases: FakeCases, changes: Partial<AnyCase> = {}): AnyCase {
  const ids = { site: 'valley', patient: 'Patient/p1', order: 'MedicationRequest/m1' };
  return cases.put({ id: 'c1', kind: 'prior-auth', state: 'draft', ...ids, ...changes });
}

async function typed(cases: FakeCases, form: Record<string, string>, kind: Case['kind'] = 'prior-auth') {
  const patient = cases.patientMark('valley', 'Patient/p1');
  const { sections } = kindPages[kind];
  const kept = await keepTyped(
    { cases, clock: () => now },
    { launch, kind, order: 'm1', sections, form: { patient, ...form } },
  );
  return { kept, draft: cases.all.get('c1')! };
}

test('what was changed is kept beside what was entered before; what stands as shown is no entry [S23]', async () => {
  const cases = fakeCases();
  draftOf(cases, { edits: { 'insurance_content.rx_bin': '004999' } });
  const form = { [`f.${fax}`]: '6085550143', [`o.${fax}`]: '', 'f.patient.phone': '1', 'o.patient.phone': '1' };
  const { kept, draft } = await typed(cases, form);
  expect(kept).toBe(true);
  expect(draft.edits).toEqual({ 'insurance_content.rx_bin': '004999', [fax]: '6085550143' });
});

test('a consent is kept as it was typed, and recorded by nobody', async () => {
  const cases = fakeCases();
  draftOf(cases, { kind: 'enrollment' });
  const consent = { 'consent.by': 'the patient', 'consent.on': '2026-11-20', 'consent.how': 'Signed form' };
  const { kept, draft } = await typed(cases, consent, 'enrollment');
  expect(kept).toBe(true);
  expect(draft.consent).toBeUndefined();
  expect(draft.consentEntry).toEqual({ by: 'the patient', on: '2026-11-20', how: 'Signed form' });
});

test.each([
  ['was sent already', { state: 'open' as const }],
  ['is another kind of request', { kind: 'enrollment' as const }],
  ['is for another order', { order: 'MedicationRequest/m2' }],
  ['is another patient’s', { patient: 'Patient/p2' }],
])('nothing is changed in a request that %s', async (_what, changes) => {
  const cases = fakeCases();
  draftOf(cases, changes);
  const { kept, draft } = await typed(cases, { [`f.${fax}`]: '6085550143', [`o.${fax}`]: '' });
  expect({ kept, edits: draft.edits }).toEqual({ kept: false, edits: {} });
});

test('nothing of a form of another patient is kept', async () => {
  const cases = fakeCases();
  draftOf(cases);
  const { kept, draft } = await typed(cases, { patient: 'another', [`f.${fax}`]: '6085550143', [`o.${fax}`]: '' });
  expect({ kept, edits: draft.edits }).toEqual({ kept: false, edits: {} });
});
