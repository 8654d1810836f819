import type { CurrentCreateBody } from './requests/current.ts';
import type { DocumentedCreateBody } from './requests/documented.ts';

export type CreateBody = DocumentedCreateBody | CurrentCreateBody;

/** A request's drug, for pages, rules and letters. */
export interface RequestedDrug {
  /** For a drug by NDC: the name in `extra`, else the NDC. */
  readonly name: string;
  readonly strength?: string;
  readonly form?: string;
  /** Example: `60 tablet`. */
  readonly amount: string;
}

export function requestedDrug({ prescription }: CreateBody): RequestedDrug {
  if ('ndc' in prescription) {
    const { ndc, quantity, quantity_unit_of_measure: unit, extra = {} } = prescription;
    const { drug_name: name, strength } = extra;
    return {
      name: typeof name === 'string' ? name : `NDC ${ndc}`,
      ...(typeof strength === 'string' ? { strength } : {}),
      amount: unit === undefined ? String(quantity) : `${quantity} ${unit}`,
    };
  }
  const { drug_name: name, strength, dose_form: form, quantity } = prescription;
  const unit = 'dispense_unit' in prescription ? prescription.dispense_unit : undefined;
  return { name, strength, form, amount: unit === undefined ? String(quantity) : `${quantity} ${unit}` };
}

/** Whether the request is only for training, which only the profile `documented` has. */
export function isTraining(request: CreateBody): boolean {
  return 'is_training_data' in request && request.is_training_data === true;
}
