import type { Seals } from './seals.ts';
import type { CaseKeys } from './types.ts';

type Marking = Pick<Seals, 'mark'>;

/** `patient`: `Patient/123`. */
export function patientMark({ mark }: Marking, site: string, patient: string): string {
  return mark(`patient|${site}|${patient}`);
}

export function orderMark({ mark }: Marking, site: string, kind: string, { patient, order }: CaseKeys): string {
  return mark(`order|${site}|${patient}|${order}|${kind}`);
}

export function serviceMark({ mark }: Marking, site: string, serviceId: string): string {
  return mark(`service|${site}|${serviceId}`);
}

/** The mark of a payer's name. Case and spaces are ignored. */
export function payerMark({ mark }: Marking, site: string, payer: string): string {
  return mark(`payer|${site}|${payer.trim().toLowerCase().replaceAll(/\s+/g, ' ')}`);
}
