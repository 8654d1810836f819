import type { Bundle, Condition } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EhrOrder } from '../../src/dev/sandbox/ehr/index.ts';
import { productIds } from '../../src/dev/sandbox/ehr/products.ts';
import { readChart } from '../../src/ehr/chart/read-chart.ts';
import { type World, worldOf } from './lives.ts';

// A chart read over HTTP from each EHR that the sandbox can be: its words for pages, its links between them, what it
// does not have.

/** More than one page holds anywhere. */
const problems: Bundle = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: Array.from({ length: 130 }, (_, nth): { resource: Condition } => ({
    resource: {
      resourceType: 'Condition',
      id: `problem-${nth}`,
      subject: { reference: 'Patient/p1' },
      code: { text: `problem ${nth}` },
    },
  })),
};

describe.each(productIds)('%s', (product) => {
  let world: World;
  /** Orders that stand besides those of the product. */
  let besides: number[] = [];

  beforeAll(async () => {
    world = await worldOf(product, { reads: 'system/*.read', charts: [problems] });
  });
  beforeEach(() => {
    for (const id of besides.splice(0)) world.ehr.switches.clear(id);
  });
  afterAll(() => world.close());

  const order = (one: EhrOrder) => {
    besides = [...besides, world.ehr.switches.set(one)];
  };
  const read = async () => readChart(await world.api(), { patient: 'p1', order: 'm1', encounter: 'e1' });

  test('everything is read, over all pages, and nothing is told but what the EHR itself notes', async () => {
    const { entries, warnings, forbidden } = await read();
    const types = Map.groupBy(entries, ({ resource }) => resource.resourceType);
    expect([...types].map(([type, { length }]) => `${length} ${type}`).sort()).toEqual([
      '1 Coverage',
      '1 Encounter',
      '1 MedicationRequest',
      '1 Patient',
      '1 Practitioner',
      '130 Condition',
    ]);
    expect(forbidden).toEqual([]);
    const told = expect.stringMatching(
      /^The EHR says that this may not be the whole record: .*Condition.* \(note 4119\)\.$/,
    );
    expect(warnings).toEqual(product === 'epic' ? [told] : []);
  });

  test('a chart behind Break-the-Glass is told as closed, and the rest is read [D11]', async () => {
    order({ switch: 'break-the-glass', value: 'Condition' });
    const { entries, forbidden } = await read();
    expect(forbidden).toEqual(['Condition']);
    expect(entries.some(({ resource }) => resource.resourceType === 'MedicationRequest')).toBe(true);
  });

  test.each([404, 405, 501])(
    '[E4] where a search is answered with %i, the rest is read and it is told',
    async (status) => {
      for (const type of ['Coverage', 'Condition'])
        order({ switch: 'status', value: { status }, path: `/fhir/${type}` });
      const { entries, unread, warnings } = await read();
      expect(entries.some(({ resource }) => resource.resourceType === 'MedicationRequest')).toBe(true);
      expect(unread).toEqual(expect.arrayContaining(['Condition', 'Coverage']));
      for (const type of ['Condition', 'Coverage'])
        expect(warnings.join()).toContain(`${type} could not be read (ehr_error ${status}).`);
    },
  );

  test('a record that was merged into another one stops the work [C07]', async () => {
    order({ switch: 'merged-patient', value: { from: 'p1', to: 'p2' } });
    await expect(read()).rejects.toMatchObject({ code: 'patient_mismatch' });
  });
});
