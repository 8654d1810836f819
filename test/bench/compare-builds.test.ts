import { expect, test } from 'vitest';
import { thisBuild, thisBuildAlone } from './builds.ts';
import { benchCharts } from './charts.ts';
import { compareBuilds } from './compare-builds.ts';

test('the bench measures builds in turns over every kind of chart and prints the ratio of the two', async () => {
  const told: string[] = [];
  const again = { ...thisBuild, name: 'the same again' };
  const measured = await compareBuilds([thisBuild, again], benchCharts(2), { rounds: 1, warmup: 0 }, (text) =>
    told.push(text),
  );
  expect(measured.map(({ kind, timings }) => [kind, timings.map(({ name }) => name)])).toEqual([
    ['one chart of 20 KiB', ['floor: JSON.parse', 'this build', 'the same again']],
    ['Synthea-shaped, 20 KiB', ['floor: JSON.parse', 'this build', 'the same again']],
    ['one chart of 4 KiB', ['floor: JSON.parse', 'this build', 'the same again']],
  ]);
  expect(measured.every(({ toOther = 0 }) => toOther > 0)).toBe(true);
  expect(told.join('\n')).toContain('this build to the same again: ');
});

test('every chart of the bench is one order that fits, and is mapped', () => {
  const bundles = Object.values(benchCharts(8)).flat();
  const parsed = bundles.map(({ bytes }) => JSON.parse(bytes.toString()));
  expect(parsed.map((one) => thisBuildAlone.map([one]).length)).toEqual(bundles.map(() => 1));
  expect(JSON.stringify(thisBuild.map(parsed))).toBe(
    JSON.stringify(parsed.flatMap((one) => thisBuildAlone.map([one]))),
  );
});
