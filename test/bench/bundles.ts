import { join } from 'node:path';
import type { Observation } from 'fhir/r4.js';
import { mappings } from '../../mappings/index.ts';
import type { Entry } from '../../src/core/fhir/bundle.ts';
import { candidateOrders } from '../../src/core/roles/select.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

/** A chart as an EHR would export it, in the bytes of a file. */
export interface BenchBundle {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * One bundle for every fixture that has one patient and one order to map, padded with Observations that no rule of a
 * request body reads
 * up to `size` bytes. The same on every machine: nothing here is random.
 */
export function benchBundles({ size, count }: { readonly size: number; readonly count: number }): BenchBundle[] {
  const charts = listFixtures(root)
    .map(loadFixture)
    .filter(
      ({ entries, expected }) =>
        candidateOrders(entries, { roles: mappings.roles, now: new Date('2026-11-21'), site: {} }).filter(
          ({ fits }) => fits,
        ).length === 1 &&
        patientsOf(entries).length === 1 &&
        expected['prior-auth']?.body !== undefined,
    );
  return Array.from({ length: count }, (_, at) => {
    const { name, entries } = charts[at % charts.length]!;
    return { name, bytes: padded(entries, size, at) };
  });
}

function patientsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ resource }) =>
    resource.resourceType === 'Patient' && resource.id !== undefined ? [resource.id] : [],
  );
}

function padded(entries: readonly Entry[], size: number, seed: number): Buffer {
  const [patient = ''] = patientsOf(entries);
  const entry: Entry[] = [...entries];
  let length = bytesOf(entry).length;
  for (let at = 0; length < size; at += 1) {
    const observation = {
      fullUrl: `https://ehr.example/fhir/Observation/pad-${at}`,
      resource: observationOf(patient, seed + at, at),
    };
    length += JSON.stringify(observation).length + 1;
    // Everything else of a chart stands between, before and after what a request needs.
    entry.splice((at * 7) % (entry.length + 1), 0, observation);
  }
  return bytesOf(entry);
}

function bytesOf(entry: readonly Entry[]): Buffer {
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
}

const tests = [
  ['718-7', 'Hemoglobin [Mass/volume] in Blood', 'g/dL', 13.4, 12, 16],
  ['2345-7', 'Glucose [Mass/volume] in Serum or Plasma', 'mg/dL', 98, 70, 110],
  ['2160-0', 'Creatinine [Mass/volume] in Serum or Plasma', 'mg/dL', 0.9, 0.5, 1.2],
  ['777-3', 'Platelets [#/volume] in Blood by Automated count', '10*3/uL', 240, 150, 400],
  ['8867-4', 'Heart rate', '/min', 71, 50, 100],
  ['29463-7', 'Body weight', 'kg', 77.2, 45, 120],
  ['2951-2', 'Sodium [Moles/volume] in Serum or Plasma', 'mmol/L', 139, 135, 145],
  ['6690-2', 'Leukocytes [#/volume] in Blood by Automated count', '10*3/uL', 6.8, 4, 11],
] as const;

function observationOf(patient: string, seed: number, at: number): Observation {
  const [code, display, unit, value, low, high] = tests[seed % tests.length]!;
  const isVital = code === '8867-4' || code === '29463-7';
  const [month, date] = [1 + (seed % 12), 1 + (seed % 28)].map((number) => String(number).padStart(2, '0'));
  const day = `${2020 + (seed % 6)}-${month}-${date}`;
  const quantity = (number: number) => ({ value: number, unit, system: 'http://unitsofmeasure.org', code: unit });
  return {
    resourceType: 'Observation',
    id: `pad-${at}`,
    meta: { versionId: '1', lastUpdated: `${day}T09:30:00Z` },
    status: 'final',
    category: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/observation-category',
            code: isVital ? 'vital-signs' : 'laboratory',
          },
        ],
      },
    ],
    code: { coding: [{ system: 'http://loinc.org', code, display }], text: display.replace(/ \[.*/, '') },
    subject: { reference: `Patient/${patient}` },
    effectiveDateTime: `${day}T08:15:00-05:00`,
    issued: `${day}T09:30:00Z`,
    performer: [{ display: 'Étude Laboratory' }],
    valueQuantity: quantity(Math.round((value + (seed % 5) / 10) * 10) / 10),
    referenceRange: [{ low: quantity(low), high: quantity(high), text: `${low} to ${high} ${unit}` }],
  };
}
