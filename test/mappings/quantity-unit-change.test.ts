import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { priorAuthCoded } from '../../mappings/prior-auth-coded.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../src/core/roles/select.ts';

const base = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');

/** The quantity that is sent once a person chose a unit, or what is asked for it. */
function quantityFor(
  quantity: object,
  edits: Readonly<Record<string, unknown>>,
  mapping: typeof priorAuth = priorAuth,
) {
  const bundle = JSON.parse(readFileSync(base, 'utf8'));
  for (const { resource } of bundle.entry)
    if (resource.resourceType === 'MedicationRequest') resource.dispenseRequest.quantity = quantity;
  const now = new Date('2026-11-20T12:00:00Z');
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const [order] = ordersIn(indexChart(readBundle(bundle).entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  const result = runMapping(mapping, order.chart, { edits });
  const body = result.status === 'complete' ? result.body : result.draft;
  return body.prescription?.quantity ?? result.gaps.find(({ target }) => target === 'prescription.quantity')?.message;
}

const asked = 'Prescription: quantity: the order counts it in another unit. Enter how many of the chosen unit.';

describe('[K18] two pens are not two milliliters', () => {
  test.each<[string, object, string]>([
    ['2 pens', { value: 2, unit: 'pen' }, 'milliliter'],
    ['4 syringes', { value: 4, unit: 'syringe' }, 'milliliter'],
    ['1 kit', { value: 1, unit: 'kit' }, 'vial'],
    ['3 bottles', { value: 3, unit: 'Bottle' }, 'tablet'],
    ['a unit known by its code alone', { value: 2, unit: 'mL', code: 'mL' }, 'vial'],
    ['grams', { value: 60, unit: 'g' }, 'pack'],
    ['liters', { value: 1, unit: 'L' }, 'milliliter'],
  ])('%s are asked again in the chosen unit', (_, quantity, unit) => {
    expect(quantityFor(quantity, { 'prescription.dispense_unit': unit })).toBe(asked);
    expect(quantityFor(quantity, { 'prescription.dispense_unit': unit, 'prescription.quantity': 7 })).toBe(7);
  });

  test.each<[string, object, string]>([
    ['60 of a number alone', { value: 60 }, 'tablet'],
    ['60 each', { value: 60, unit: 'each', code: '{each}' }, 'tablet'],
    ['60 ea.', { value: 60, unit: 'ea.' }, 'milliliter'],
    ['the unit of the order', { value: 60, unit: 'tablet' }, 'tablet'],
    ['tablets as capsules', { value: 60, unit: 'tablet' }, 'capsule'],
    ['milliliters by another word', { value: 60, unit: 'milliliters' }, 'milliliter'],
  ])('%s stay as many', (_, quantity, unit) => {
    expect(quantityFor(quantity, { 'prescription.dispense_unit': unit })).toBe(60);
  });

  test('nothing is asked before a unit is chosen', () => {
    expect(quantityFor({ value: 2, unit: 'pen' }, {})).toBe(2);
  });

  test('the request by NDC has its own unit', () => {
    const coded = priorAuthCoded as unknown as typeof priorAuth; // both have a quantity under prescription
    expect(quantityFor({ value: 2, unit: 'pen' }, { 'prescription.quantity_unit_of_measure': 'C28254' }, coded)).toBe(
      asked,
    );
    expect(
      quantityFor({ value: 60, unit: 'tablet' }, { 'prescription.quantity_unit_of_measure': 'C48480' }, coded),
    ).toBe(60);
  });
});
