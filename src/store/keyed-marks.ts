import type { Seals } from './seals.ts';
import type { CaseKeys } from './types.ts';

type Marking = Pick<Seals, 'mark'>;

/** `patient` is `Patient/123`. */
export function patientMark({ mark }: Marking, site: string, patient: string): string {
  return mark(`patient|${site}|${patient}`);
}

export function orderMark({ mark }: Marking, site: string, kind: string, { patient, order }: CaseKeys): string {
  return mark(`order|${site}|${patient}|${order}|${kind}`);
}

/** The mark of a request by its id at the service. */
export function serviceMark({ mark }: Marking, site: string, serviceId: string): string {
  return mark(`service|${site}|${serviceId}`);
}

/** The mark of a payer's name, ignoring case and spaces. */
export function payerMark({ mark }: Marking, site: string, payer: string): string {
  return mark(`payer|${site}|${payer.trim().toLowerCase().replaceAll(/\s+/g, ' ')}`);
}
