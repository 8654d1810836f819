import type { Patient } from 'fhir/r4.js';
import type { Located } from '../fhir/references/graph.ts';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import { nodeAt } from '../roles/node.ts';
import type { Around } from './around.ts';
import { isAfter } from './resource-date.ts';

/**
 * The patient's age on the day of the request, or on the day of death if earlier. There is no age without a complete
 * past birth date, or when the day of death is unknown. A second node has the date of death, unless it is in the
 * future.
 */
export function ageAround({ chart }: Around, facts: Facts): Node[] {
  const patient = facts.resource<Patient>('patient');
  const died = patient?.resource.deceasedDateTime;
  if (patient === undefined) return [];
  const death = { ...nodeAt(patient, { died }, 'deceasedDateTime'), whole: true } as const;
  const isKnown = died !== undefined && !isAfter(died, chart.today);
  return [...agesOf(patient, chart.today.day), ...(isKnown ? [death] : [])];
}

function agesOf(patient: Located<Patient>, today: string): Node[] {
  const born = wholeDate(patient.resource.birthDate);
  const day = lastDayOf(patient.resource, today);
  const months = born === undefined || day === undefined ? -1 : wholeMonths(born, day);
  if (months < 0) return [];
  const value = { years: Math.floor(months / 12), ...(months < 24 ? { months } : {}) };
  return [{ ...nodeAt(patient, value, 'birthDate'), whole: true }];
}

function lastDayOf({ deceasedBoolean, deceasedDateTime }: Patient, today: string): string | undefined {
  if (deceasedDateTime === undefined) return deceasedBoolean === true ? undefined : today;
  const died = wholeDate(deceasedDateTime.slice(0, 10));
  return died !== undefined && died > today ? today : died;
}

function wholeMonths(born: string, day: string): number {
  const [from, to] = [born, day].map((text) => text.split('-').map(Number));
  const [years, months, days] = [0, 1, 2].map((part) => (to?.[part] ?? 0) - (from?.[part] ?? 0));
  return (years ?? 0) * 12 + (months ?? 0) - ((days ?? 0) < 0 ? 1 : 0);
}
