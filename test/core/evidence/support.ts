import type { FhirResource, MedicationRequest, Observation, Resource } from 'fhir/r4.js';
import { z } from 'zod';
import { evidence } from '../../../mappings/evidence.ts';
import { mappings } from '../../../mappings/index.ts';
import type { Readings } from '../../../src/core/fhir/documents/readings.ts';
import type { Provenance } from '../../../src/core/mapping/result.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { defineMapping } from '../../../src/core/mapping/words/define.ts';
import { from } from '../../../src/core/mapping/words/rules.ts';
import type { Candidate, Chart } from '../../../src/core/roles/chart.ts';
import { type ChartRequest, selectChart } from '../../../src/core/roles/select.ts';

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
  focal: Partial<MedicationRequest> = {},
): readonly Candidate[] {
  const { choices } = select([...chartFor(drug, focal), ...resources], request);
  return choices.find(({ role }) => role === 'evidence')?.candidates ?? [];
}

/** An item of evidence with every heading that a request gives it; dates as the chart has them. */
const Item = z.object({
  title: z.string(),
  type: z.string(),
  date_created: z.string(),
  content: z.record(z.string(), z.unknown()),
});
export type Item = z.infer<typeof Item>;

const mapping = defineMapping('evidence', z.object({ evidence: z.array(Item).optional() }), {
  evidence: evidence<Item>((content) => ({
    title: from('title'),
    type: from('type'),
    date_created: from('date'),
    content,
  })),
});

/** The items that go with a chart's request, and where each of their leaves was read. */
export function mapped(chart: Chart): { readonly items: readonly Item[]; readonly provenance: readonly Provenance[] } {
  const result = runMapping(mapping, chart);
  if (result.status === 'incomplete') throw new Error('evidence is never incomplete');
  return { items: result.body.evidence ?? [], provenance: result.provenance };
}

/** The items that go with the request when these references are ticked. */
export function sent(
  drug: string,
  resources: readonly FhirResource[],
  ticked: readonly string[],
  readings?: Readings,
): readonly Item[] {
  const chart = select([...chartFor(drug), ...resources], {
    answers: { evidence: ticked },
    ...(readings === undefined ? {} : { readings }),
  });
  return mapped(chart).items;
}
