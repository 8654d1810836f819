import { z } from 'zod';
import { PriorAuthorization } from '../../service/contract.ts';

/** What was asked for, in words; undefined where neither record nor body says it. */
export interface Requested {
  readonly prescriber: string | undefined;
  readonly payer: string | undefined;
  readonly plan: string | undefined;
  /** `adalimumab 40 mg, 2 each, 28 days supply` */
  readonly prescription: string | undefined;
}

const text = z.string().optional().catch(undefined);
const Plan = z.looseObject({ payer_name: text, plan_name: text }).optional().catch(undefined);
type Plan = z.infer<typeof Plan>;

// The prescription and the provider stand in the body as in the record; insurance does not.
const Body = z.looseObject({
  provider: PriorAuthorization.shape.provider,
  prescription: PriorAuthorization.shape.prescription,
  insurance_content: Plan,
});
type Body = z.infer<typeof Body>;

/** From the service's record, and from what was sent where the record is silent. */
export function requestOf({
  record,
  body,
}: {
  readonly record?: PriorAuthorization;
  readonly body?: unknown;
}): Requested {
  const sent = Body.safeParse(body).data;
  const plan = planOf(record, sent);
  return {
    prescriber: nameOf(record?.provider) ?? nameOf(sent?.provider),
    payer: plan?.payer_name,
    plan: plan?.plan_name,
    prescription: prescriptionOf(record?.prescription) ?? prescriptionOf(sent?.prescription),
  };
}

// Payer and plan of one insurance belong together. What the practice stated goes before what was read from a card, as
// at the service.
function planOf(record: PriorAuthorization | undefined, sent: Body | undefined): Plan {
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

function prescriptionOf(prescription: PriorAuthorization['prescription']): string | undefined {
  if (prescription?.drug_name === undefined) return undefined;
  const { drug_name, strength, quantity, dispense_unit, days_supply } = prescription;
  const amount =
    quantity === undefined ? undefined : joined([String(quantity), dispense_unit?.replaceAll('_', ' ')], ' ');
  return joined(
    [joined([drug_name, strength], ' '), amount, days_supply === undefined ? undefined : `${days_supply} days supply`],
    ', ',
  );
}

function joined(parts: readonly (string | undefined)[], by: string): string | undefined {
  const said = parts.filter((part) => part !== undefined && part.trim() !== '');
  return said.length === 0 ? undefined : said.join(by);
}
