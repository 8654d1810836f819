import type { FhirResource, MedicationRequest, Observation, Resource } from 'fhir/r4.js';
import { mappings } from '../../mappings/index.ts';
import { type ChartRequest, selectChart } from '../../src/chart/select.ts';
import type { Readings } from '../../src/documents/readings.ts';
import type { Candidate, Chart } from '../../src/roles/chart.ts';

export const subject = { reference: 'Patient/p1' };
export const loinc = 'http://loinc.org';

/** A patient and an order for `drug` (an RxNorm name or a text). */
export function chartFor(drug: string, more: Partial<MedicationRequest> = {}): Resource[] {
  const order: MedicationRequest = {
    resourceType: 'MedicationRequest',
    id: 'focal',
    status: 'active',
    intent: 'order',
    subject,
    authoredOn: '2026-11-12',
    medicationCodeableConcept: { text: drug },
    ...more,
  };
  return [{ resourceType: 'Patient', id: 'p1' }, order];
}

/** A final result of one LOINC code. */
export function observed(id: string, code: string, more: Partial<Observation>): Observation {
  return {
    resourceType: 'Observation',
    id,
    status: 'final',
    subject,
    code: { coding: [{ system: loinc, code }] },
    effectiveDateTime: '2026-10-01',
    ...more,
  };
}

export function select(resources: readonly Resource[], request: Partial<ChartRequest> = {}): Chart {
  return selectChart(resources, {
    roles: mappings.roles,
    order: 'MedicationRequest/focal',
    now: new Date('2026-11-21T15:00:00Z'),
    site: {},
    ...request,
  });
}

/** The evidence candidates of a chart for `drug` with these resources besides. */
export function offered(
  drug: string,
  resources: readonly FhirResource[],
  request: Partial<ChartRequest> = {},
): readonly Candidate[] {
  return (
    select([...chartFor(drug), ...resources], request).choices.find(({ role }) => role === 'evidence')?.candidates ?? []
  );
}

/** The contents that go with the request when these references are ticked. */
export function sent(
  drug: string,
  resources: readonly FhirResource[],
  ticked: readonly string[],
  readings?: Readings,
): unknown[] {
  const chart = select([...chartFor(drug), ...resources], {
    answers: { evidence: ticked },
    ...(readings === undefined ? {} : { readings }),
  });
  return chart.root('evidence').nodes.map(({ value }) => value);
}
