import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerRoles, answers } from '../../../mappings/index.ts';
import { answersSheet, type Sheet } from '../../../src/core/answers/sheet.ts';
import { mapChart } from '../../../src/core/roles/map-chart.ts';

// Charts with their truth by somebody who had not seen the code; see fixtures/answers/README.md.

const root = join(import.meta.dirname, '../../../fixtures/answers/charts');

interface Truth {
  readonly today: string;
  readonly cells: {
    readonly diagnosis: { readonly icd10: string | null } | null;
    readonly patient: { readonly age: number; readonly sex: string };
    readonly trials: readonly { readonly sources: readonly string[] }[] | null;
  };
}

function readChart(name: string): { readonly bundle: Bundle; readonly truth: Truth } {
  const read = (file: string) => JSON.parse(readFileSync(join(root, name, file), 'utf8'));
  return { bundle: read('chart.json'), truth: read('truth.json') };
}

function sheetOf(bundle: Bundle, today: string): Sheet {
  const { orders } = mapChart(bundle, { mapping: answers, roles: answerRoles, now: new Date(`${today}T15:00:00Z`) });
  const chart = orders.find(({ order }) => order === 'MedicationRequest/order')?.chart;
  if (chart === undefined) throw new Error('the order was not mapped');
  return answersSheet(answers, chart);
}

describe.each(readdirSync(root))('%s', (name) => {
  const { bundle, truth } = readChart(name);
  const sheet = sheetOf(bundle, truth.today);

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
