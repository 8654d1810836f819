import { describe, expect, test } from 'vitest';
import { chartNames, type Held, heldAgainst, readChart } from './chart-truth.ts';

describe.each(chartNames)('%s', (name) => {
  const { bundle, truth, sheet } = readChart(name);

  test('age, sex and the code of the diagnosis are those that were worked out by hand', () => {
    const { patient, diagnosis } = truth.cells;
    expect(sheet.cell('patient').value).toMatchObject({ age_years: patient.age, sex: patient.sex });
    if (typeof diagnosis?.icd10 === 'string')
      expect(JSON.stringify(sheet.cell('diagnosis').value)).toContain(diagnosis.icd10);
  });

  test('no cell reads what is entered in error, refuted or of another patient', () => {
    const places = sheet.cells.flatMap((cell) => cell.places.flatMap(({ source }) => source?.resource ?? []));
    const isOut = (text: string) => /entered-in-error|refuted/.test(text);
    const out = (bundle.entry ?? []).flatMap(({ resource }) => {
      const named = `${resource?.resourceType}/${resource?.id}`;
      return isOut(JSON.stringify(resource)) ? [named] : [];
    });
    expect(places.filter((place) => out.includes(place))).toEqual([]);
  });

  test('what only a person can say is never filled', () => {
    for (const cell of ['rationale', 'on-label', 'attestation', 'signature'] as const)
      expect(sheet.cell(cell)).toMatchObject({ state: 'for a person', places: [] });
  });
});

describe('over the charts, the sheet says what the truth says', () => {
  const all = chartNames.flatMap((name) => {
    const { truth, sheet } = readChart(name);
    return heldAgainst(truth, sheet).map((one) => ({ chart: name.slice(0, 2), ...one }));
  });

  // What differs is another reading of the chart. Two forms of one ingredient are one row (26). A drug before in
  // another form is the ordered one (53). A canceled order is no trial (08). A preliminary result is none (58).
  test.each<[Held['of'], readonly string[]]>([
    ['therapy', ['53 status']],
    [
      'trials',
      [
        '08 amitriptyline 2026-06-10',
        '26 methotrexate injection 2026-05-11 from',
        '53 testosterone cypionate injection 2024-07-01',
      ],
    ],
    ['days', ['26 methotrexate tablet 2026-04-20', '26 methotrexate injection 2026-05-11']],
    ['outcome', ['26', '26']],
    ['intolerance', []],
    ['response', []],
    ['measures', ['58 ALT']],
    ['place', []],
    ['more', []],
  ])('%s, but for %j', (of, but) => {
    const missed = all.filter((one) => one.of === of && !one.holds);
    const names = missed.map(({ chart, what }) => (of === 'outcome' ? chart : `${chart} ${what}`));
    expect(names).toEqual(but);
  });

  test.each<[Held['of'], number]>([
    ['trials', 300],
    ['days', 110],
    ['outcome', 100],
    ['measures', 230],
  ])('of %s at least %i facts', (of, least) => {
    expect(all.filter((one) => one.of === of).length).toBeGreaterThanOrEqual(least);
  });
});
