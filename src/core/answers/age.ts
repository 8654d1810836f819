import type { Patient } from 'fhir/r4.js';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import { nodeAt } from '../roles/node.ts';
import type { Around } from './around.ts';

/**
 * The patient's age on the day of the request, at most that of the day of death, of a whole birth date that is not
 * after it; none of a patient who died on a day that nobody knows. One node.
 */
export function ageAround({ chart }: Around, facts: Facts): Node[] {
  const patient = facts.resource<Patient>('patient');
  const born = wholeDate(patient?.resource.birthDate);
  const day = lastDayOf(patient?.resource, chart.today.day);
  const months = born === undefined || day === undefined ? -1 : wholeMonths(born, day);
  if (patient === undefined || months < 0) return [];
  const value = { years: Math.floor(months / 12), ...(months < 24 ? { months } : {}) };
  return [{ ...nodeAt(patient, value, 'birthDate'), whole: true }];
}

// Nobody grows older than on the day of death.
function lastDayOf({ deceasedBoolean, deceasedDateTime }: Partial<Patient> = {}, today: string): string | undefined {
  if (deceasedDateTime === undefined) return deceasedBoolean === true ? undefined : today;
  const died = wholeDate(deceasedDateTime.slice(0, 10));
  return died !== undefined && died > today ? today : died;
}

function wholeMonths(born: string, day: string): number {
  const [from, to] = [born, day].map((text) => text.split('-').map(Number));
  const [years, months, days] = [0, 1, 2].map((part) => (to?.[part] ?? 0) - (from?.[part] ?? 0));
  return (years ?? 0) * 12 + (months ?? 0) - ((days ?? 0) < 0 ? 1 : 0);
}
