import type { Patient } from 'fhir/r4.js';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import { nodeAt } from '../roles/node.ts';
import type { Around } from './around.ts';

/**
 * The patient's age on the day of the request, at most that of the day of death, of a whole birth date that is not
 * after it. One node.
 */
export function ageAround({ chart }: Around, facts: Facts): Node[] {
  const patient = facts.resource<Patient>('patient');
  const born = wholeDate(patient?.resource.birthDate);
  const died = wholeDate(patient?.resource.deceasedDateTime?.slice(0, 10));
  // Nobody grows older than on the day of death.
  const day = died !== undefined && died < chart.today.day ? died : chart.today.day;
  const months = born === undefined ? -1 : wholeMonths(born, day);
  if (patient === undefined || months < 0) return [];
  const value = { years: Math.floor(months / 12), ...(months < 24 ? { months } : {}) };
  return [{ ...nodeAt(patient, value, 'birthDate'), whole: true }];
}

function wholeMonths(born: string, day: string): number {
  const [from, to] = [born, day].map((text) => text.split('-').map(Number));
  const [years, months, days] = [0, 1, 2].map((part) => (to?.[part] ?? 0) - (from?.[part] ?? 0));
  return (years ?? 0) * 12 + (months ?? 0) - ((days ?? 0) < 0 ? 1 : 0);
}
