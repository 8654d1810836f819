import type { CaseContext } from './context.ts';

/** A keyed hash of the patient for forms: it reveals nothing, and differs between patients and sites. */
export function patientFormMark({ store }: Pick<CaseContext, 'store'>, site: string, patient: string): string {
  return store.mark(`patient|${site}|${patient}`);
}
