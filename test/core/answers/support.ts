import type {
  FhirResource,
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from 'fhir/r4.js';
import { answerRoles, answers } from '../../../mappings/index.ts';
import type { AnswersSheet } from '../../../src/core/contract/answers-sheet.ts';
import type { MappingResult } from '../../../src/core/mapping/result.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import type { DeepPartial } from '../../../src/core/mapping/words/rules.ts';
import type { Chart } from '../../../src/core/roles/chart.ts';
import { type ChartRequest, selectChart } from '../../../src/core/roles/select.ts';
import { chartFor, subject } from '../evidence/support.ts';

export { loinc, observed, subject } from '../evidence/support.ts';

const drug = (text: string) => ({ medicationCodeableConcept: { text } });

/** A completed order of Mar 1, 2025. */
export function order(id: string, text: string, more: Partial<MedicationRequest> = {}): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id,
    status: 'completed',
    intent: 'order',
    subject,
    authoredOn: '2025-03-01',
    ...drug(text),
    ...more,
  };
}

/** What somebody told: taken from Mar 3 to Jun 30, 2025. */
export function statement(id: string, text: string, more: Partial<MedicationStatement> = {}): MedicationStatement {
  return {
    resourceType: 'MedicationStatement',
    id,
    status: 'completed',
    subject,
    effectivePeriod: { start: '2025-03-03', end: '2025-06-30' },
    ...drug(text),
    ...more,
  };
}

export function fill(
  id: string,
  text: string,
  whenHandedOver: string,
  days?: number,
  more: Partial<MedicationDispense> = {},
): MedicationDispense {
  return {
    resourceType: 'MedicationDispense',
    id,
    status: 'completed',
    subject,
    whenHandedOver,
    ...(days === undefined ? {} : { daysSupply: { value: days, code: 'd' } }),
    ...drug(text),
    ...more,
  };
}

/** A dose that was given. */
export function given(
  id: string,
  text: string,
  effectiveDateTime: string,
  more: Partial<MedicationAdministration> = {},
): MedicationAdministration {
  return {
    resourceType: 'MedicationAdministration',
    id,
    status: 'completed',
    subject,
    effectiveDateTime,
    ...drug(text),
    ...more,
  };
}

/** The chart of an order for `drug` of Nov 12, 2026, read on Nov 21 in Springfield. */
export function sheetChart(
  drugText: string,
  resources: readonly FhirResource[],
  request: Partial<ChartRequest> & { readonly order?: string; readonly focal?: Partial<MedicationRequest> } = {},
): Chart {
  const { focal, ...more } = request;
  const isOwn = resources.some(({ resourceType }) => resourceType === 'Patient');
  return selectChart([...chartFor(drugText, focal).slice(isOwn ? 1 : 0), ...resources], {
    roles: answerRoles,
    order: 'MedicationRequest/focal',
    now: new Date('2026-11-21T15:00:00Z'),
    site: { timeZone: 'America/Chicago' },
    ...more,
  });
}

export function resultFor(...args: Parameters<typeof sheetChart>): MappingResult<AnswersSheet> {
  return runMapping(answers, sheetChart(...args));
}

/** What the sheet says; of a request that is not complete what is known. */
export function sheetFor(...args: Parameters<typeof sheetChart>): DeepPartial<AnswersSheet> {
  const result = resultFor(...args);
  return result.status === 'complete' ? result.body : result.draft;
}
