import { expect, test } from 'vitest';
import { priorAuth, roles } from '../../../mappings/index.ts';
import { mapChart } from '../../../src/core/roles/map-chart.ts';
import { chartNames, readChart } from '../answers/chart-truth.ts';

// The charts of the answers sheet (fixtures/answers): what is dated by a year or a month says it.

test.each([
  ['09', 'MedicationStatement/st-gla', 'Jan 2021'],
  ['19', 'MedicationStatement/st-top', '2019'],
  ['29', 'MedicationStatement/st-aln', '2016'],
  ['36', 'MedicationStatement/st-gla', 'Mar 2024'],
  ['39', 'MedicationStatement/st-ifn', '2009'],
  ['45', 'MedicationStatement/st-mel', '2020'],
])('chart %s shows %s as of %s, and sends it under no other date', (chart, reference, date) => {
  const name = chartNames.find((one) => one.startsWith(chart)) ?? '';
  const { bundle, truth } = readChart(name);
  const now = new Date(`${truth.today}T15:00:00Z`);
  const { orders } = mapChart(bundle, { mapping: priorAuth, roles, now });
  const evidence = orders.find(({ order }) => order === 'MedicationRequest/order')?.chart?.choice('evidence');
  expect(evidence?.candidates.find((one) => one.reference === reference)).toMatchObject({
    label: expect.stringMatching(`, ${date}$`),
    fits: false,
    reason: `the chart says only ${date}; to be sent it needs a full date`,
  });
});
