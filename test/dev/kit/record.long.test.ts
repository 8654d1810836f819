import { expect, test } from 'vitest';
import { refusalsOfCharts } from './recorded-charts.ts';

test('every chart we have is recorded with the same answers and without its names', async () => {
  expect(await refusalsOfCharts({ every: 1 })).toEqual([]);
});
