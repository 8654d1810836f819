import { dispenseUnits } from '../../core/contract/lists.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import type { SectionSpec } from './labels.ts';
import type { Leaves } from './leaves.ts';

/**
 * What a section says, as people say it, in parts that stand beside one another: `Wendell Okafor-Smith`,
 * `Jul 8, 1986`, `male`. Empty where the request has nothing of it.
 */
export function summaryOf({ id, fields }: SectionSpec, values: Leaves): string[] {
  const at = (target: string) => {
    const text = values.get(target)?.toString();
    return text === undefined || text === '' ? undefined : text;
  };
  const parts = summaries[id]?.(at) ?? fields.map(({ target, options }) => optionText(at(target), options));
  return parts.filter((part) => part !== undefined && part !== '').map(String);
}

type Read = (target: string) => string | undefined;
type Part = string | undefined;

const summaries: Readonly<Record<string, (at: Read) => Part[]>> = {
  patient: (at) => [
    joined(at('patient.first_name'), at('patient.last_name')),
    day(at('patient.date_of_birth')),
    at('patient.gender')?.replaceAll('_', ' '),
    addressText('patient.address', at),
    at('patient.phone'),
  ],
  prescription: (at) => [
    drugText(at),
    dispensedText(at),
    quoted(at('prescription.directions')),
    after('written', day(at('prescription.prescription_date'))),
  ],
  drugs: (at) => [joined(at('drugs[0].name'), at('drugs[0].dosage')), after('quantity', at('drugs[0].quantity'))],
  prescriber: (at) => [
    joined(at('provider.first_name'), at('provider.last_name')),
    after('NPI', at('provider.npi')),
    after('fax', at('provider.fax')),
    addressText('provider.address', at),
  ],
  insurance: (at) => {
    const one = (...targets: string[]) => targets.map(at).find((text) => text !== undefined);
    const [plan, own] = ['insurance_content', 'patient.insurance_details.data'];
    return [
      [one(`${plan}.payer_name`, `${own}.payer`), at(`${plan}.plan_name`)].filter(Boolean).join(', '),
      after('member ID', one(`${plan}.member_number`, `${own}.membership_number`)),
      after('RxBIN', one(`${plan}.rx_bin`, `${own}.rx_bin`)),
      after('RxPCN', at(`${plan}.rx_pcn`)),
      after('RxGrp', one(`${plan}.rx_group`, `${own}.rx_group`)),
      after('group', one(`${plan}.group_number`, `${own}.group_number`)),
    ];
  },
  pharmacy: (at) => [at('pharmacy.name'), addressText('pharmacy.address', at)],
};

function drugText(at: Read): Part {
  const drug = joined(
    at('prescription.drug_name') ?? at('prescription.extra.drug_name'),
    at('prescription.strength') ?? at('prescription.dosage') ?? at('prescription.extra.strength'),
  );
  const ndc = after('NDC', at('prescription.ndc'));
  const parts = [drug, ndc, at('prescription.dose_form'), at('prescription.route_of_administration')];
  return parts.filter((part) => part !== undefined).join(', ');
}

function dispensedText(at: Read): Part {
  const amount = amountText(at('prescription.quantity'), at('prescription.dispense_unit'));
  const days = at('prescription.days_supply');
  if (days === undefined) return amount;
  return joined(amount, `for ${days} ${days === '1' ? 'day' : 'days'}`);
}

/** `30 tablets`; a unit that is not of the service's list stays as it was written. */
function amountText(quantity: Part, unit: Part): Part {
  const isListed = (dispenseUnits as readonly (string | undefined)[]).includes(unit);
  if (!isListed || quantity === undefined || Number(quantity) === 1) return joined(quantity, unit);
  return `${quantity} ${unit}${unit === 'patch' ? 'es' : 's'}`;
}

/** `77 Storybook Lane, Bloomington IL 61701`; the country only where nothing else is known. */
function addressText(at: string, read: Read): Part {
  const street = [read(`${at}.street`), read(`${at}.street_line_2`)].filter(Boolean).join(', ');
  const place = joined(read(`${at}.city`), read(`${at}.state_province`), read(`${at}.zip_postal_code`));
  const text = [street, place].filter((part) => part !== undefined && part !== '').join(', ');
  return text === '' ? read(`${at}.country`) : text;
}

function joined(...parts: Part[]): Part {
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ');
  return text === '' ? undefined : text;
}

function after(word: string, text: Part): Part {
  return text === undefined ? undefined : `${word} ${text}`;
}

function quoted(text: Part): Part {
  return text === undefined ? undefined : `“${text}”`;
}

function day(text: Part): Part {
  return text === undefined ? undefined : dayText(text.slice(0, 10));
}

function optionText(text: Part, options: SectionSpec['fields'][number]['options']): Part {
  return options?.find(([value]) => value === text)?.[1] ?? text;
}
