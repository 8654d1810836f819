import type { MedicationRequest, Patient } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { candidateOrders, selectChart } from '../../../src/core/roles/select.ts';

const patient: Patient = { resourceType: 'Patient', id: 'p1' };
const order = (id: string, status: MedicationRequest['status'], more: object = {}): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id,
  status,
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  medicationCodeableConcept: { text: 'examplumab' },
  ...more,
});
const named = new Set(['MedicationRequest/d1', 'MedicationRequest/a1']);
const choosing = { roles: mappings.roles, now: new Date('2026-11-21T15:00:00Z'), site: {} };
const request = { ...choosing, order: 'MedicationRequest/d1' };
const unsigned = 'This order is not signed. Sign it in the EHR; it can be sent after that.';

describe('S33: a draft order', () => {
  test('is a candidate only where a CDS Hooks request names it, and is shown as not signed', () => {
    const orders = [order('d1', 'draft'), order('d2', 'draft'), order('a1', 'active')];
    expect(candidateOrders([patient, ...orders], { ...choosing, drafts: named })).toMatchObject([
      { order: 'MedicationRequest/a1', fits: true, reason: 'an active order' },
      { order: 'MedicationRequest/d1', fits: true, reason: 'a draft that is not signed', isDraft: true },
      { order: 'MedicationRequest/d2', fits: false, reason: 'it is draft' },
    ]);
    expect(candidateOrders([patient, ...orders], choosing).filter(({ fits }) => fits)).toHaveLength(1);
  });

  test('is not sent: the question that it is not signed blocks every mapping of it', () => {
    const chart = selectChart([patient, order('d1', 'draft')], { ...request, drafts: named });
    expect(chart.questions(['order'])).toContainEqual(
      expect.objectContaining({ severity: 'blocks', message: unsigned }),
    );
    const result = runMapping(priorAuth, chart);
    expect(result.status).toBe('incomplete');
    expect(result.gaps).toContainEqual(expect.objectContaining({ severity: 'blocks', message: unsigned }));
  });

  test('once it is signed there is no such question', () => {
    const chart = selectChart([patient, order('d1', 'active')], { ...request, drafts: named });
    expect(chart.questions(['order']).map(({ message }) => message)).not.toContain(unsigned);
  });

  test.each([
    ['doNotPerform', { doNotPerform: true }, 'it says not to give the drug'],
    ['a plan', { intent: 'plan' }, 'its intent is plan, not an order'],
  ])('that must not be followed is refused like any other: %s', (_, more, reason) => {
    expect(candidateOrders([patient, order('d1', 'draft', more)], { ...choosing, drafts: named })[0]).toMatchObject({
      fits: false,
      reason,
    });
  });
});
