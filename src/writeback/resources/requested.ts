import { z } from 'zod';
import { BenefitVerification } from '../../core/contract/benefit-verification.ts';
import type { ServiceRecord } from '../../core/contract/kinds.ts';
import { PriorAuthorization } from '../../core/contract/prior-authorization.ts';

/** The requested drug, provider and plan as text; undefined if neither record nor body states them. */
export interface Requested {
  readonly prescriber: string | undefined;
  readonly payer: string | undefined;
  readonly plan: string | undefined;
  /** Example: `adalimumab 40 mg, 2 each, 28 days supply`. */
  readonly prescription: string | undefined;
}

const text = z.string().optional().catch(undefined);
const Plan = z.looseObject({ payer_name: text, plan_name: text }).optional().catch(undefined);
type Plan = z.infer<typeof Plan>;
const Words = z.looseObject({ drug_name: text, strength: text }).catch({ drug_name: undefined, strength: undefined });

// Order and provider have the same form in the body and in the record; insurance has different forms.
const Body = z.looseObject({
  provider: PriorAuthorization.shape.provider,
  prescription: PriorAuthorization.shape.prescription,
  drugs: BenefitVerification.shape.drugs,
  insurance_content: Plan,
});
type Body = z.infer<typeof Body>;

/** Reads the service's record, and the sent body for values that the record lacks. */
export function requestedOf({ record, body }: { readonly record?: ServiceRecord; readonly body?: unknown }): Requested {
  const [sent, read] = [Body.safeParse(body).data, Body.safeParse(record).data];
  const plan = planOf(record, sent);
  return {
    prescriber: nameOf(read?.provider) ?? nameOf(sent?.provider),
    payer: plan?.payer_name,
    plan: plan?.plan_name,
    prescription: orderedIn(read) ?? orderedIn(sent),
  };
}

// Payer and plan must come from one insurance. As at the service, the practice's own values take precedence over values
// read from a card.
function planOf(record: ServiceRecord | undefined, sent: Body | undefined): Plan {
  const insurance = record?.insurance ?? [];
  const stated = [
    ...insurance.map((one) => one.discrete_content),
    sent?.insurance_content,
    ...insurance.map((one) => one.scanned_content),
  ];
  return stated
    .map((one) => Plan.parse(one))
    .find((plan) => plan?.payer_name !== undefined || plan?.plan_name !== undefined);
}

function nameOf(provider: PriorAuthorization['provider']): string | undefined {
  return joined([provider?.first_name, provider?.last_name], ' ');
}

function orderedIn(body: Body | undefined): string | undefined {
  const drugs = (body?.drugs ?? []).flatMap(({ name, dosage, quantity }) => {
    const drug = joined([name, dosage], ' ');
    return drug === undefined ? [] : [joined([drug, quantity?.toString()], ', ') ?? drug];
  });
  return prescriptionOf(body?.prescription) ?? joined(drugs, '; ');
}

function prescriptionOf(prescription: PriorAuthorization['prescription']): string | undefined {
  if (prescription === undefined) return undefined;
  const { quantity, dispense_unit, days_supply, ndc } = prescription;
  // If an NDC replaces the name, `extra` has the drug's name.
  const { drug_name, strength } = prescription.drug_name === undefined ? Words.parse(prescription.extra) : prescription;
  const drug = joined([drug_name, strength], ' ') ?? (ndc === undefined ? undefined : `NDC ${ndc}`);
  if (drug === undefined) return undefined;
  const amount =
    quantity === undefined ? undefined : joined([String(quantity), dispense_unit?.replaceAll('_', ' ')], ' ');
  return joined([drug, amount, days_supply === undefined ? undefined : `${days_supply} days supply`], ', ');
}

function joined(parts: readonly (string | undefined)[], by: string): string | undefined {
  const said = parts.filter((part) => part !== undefined && part.trim() !== '');
  return said.length === 0 ? undefined : said.join(by);
}
