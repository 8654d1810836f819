import { amountWords } from '../../core/drug/amount-words.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { addressText, joinedAddress } from './address.ts';
import { type FieldSpec, inSentence, type SectionId, type SectionSpec } from './labels.ts';
import type { Leaves } from './leaves.ts';

/**
 * The content of a section in parts: `Wendell Okafor-Smith`, `Jul 8, 1986`, `male`. Empty if the request has none. A
 * leaf that no part covers is added with its label.
 */
export function summaryOf(section: SectionSpec, values: Leaves): string[] {
  const read = new Set<string>();
  const at = (target: string) => {
    read.add(target);
    const text = values.get(target)?.toString();
    return text === '' ? undefined : text;
  };
  const phrases = phrasesOf[section.id]?.(at, section) ?? [];
  const rest = section.fields
    .filter(({ target, inLine }) => inLine !== false && !read.has(target))
    .map(({ target, label, options }) => {
      const text = optionText(at(target), options);
      return phrases.length === 0 ? text : after(inSentence(label), text);
    });
  return [...phrases, ...rest].filter((part) => part !== undefined && part !== '').map(String);
}

type Read = (target: string) => string | undefined;
type Part = string | undefined;

const phrasesOf: Readonly<Partial<Record<SectionId, (at: Read, section: SectionSpec) => Part[]>>> = {
  patient: (at, section) => [
    nameIn(section, at),
    day(at('patient.date_of_birth')),
    at('patient.gender')?.replaceAll('_', ' '),
    addressText((part) => at(`patient.address.${part}`)),
    at('patient.phone'),
  ],
  prescription: (at) => [
    drugText(at),
    dispensedText(at),
    quoted(at('prescription.directions')),
    after('written', day(at('prescription.prescription_date'))),
  ],
  drugs: (at) => [
    joinedAddress(' ', at('drugs[0].name'), at('drugs[0].dosage')),
    after('quantity', at('drugs[0].quantity')),
  ],
  prescriber: (at, section) => [
    nameIn(section, at),
    after('NPI', at('provider.npi')),
    after('fax', at('provider.fax')),
    addressText((part) => at(`provider.address.${part}`)),
  ],
  insurance: (at, { fields }) => {
    const of = (means: FieldSpec['means']) => at(fields.find((field) => field.means === means)?.target ?? '');
    return [
      joinedAddress(', ', of('payer'), of('plan')),
      after('member ID', of('member')),
      after('RxBIN', of('rxBin')),
      after('RxPCN', of('rxPcn')),
      after('RxGrp', of('rxGroup')),
      after('group', of('group')),
    ];
  },
  // The appeal letter is a file and has no field, so only its title is shown.
  appeal: (at) => [at('appeal_details.appeal_letter.title'), after('urgent:', at('appeal_details.is_urgent'))],
  pharmacy: (at) => [at('pharmacy.name'), addressText((part) => at(`pharmacy.address.${part}`))],
};

function nameIn({ fields }: SectionSpec, at: Read): string {
  return joinedAddress(' ', ...fields.filter(({ isName }) => isName === true).map(({ target }) => at(target)));
}

function drugText(at: Read): string {
  const [names, strengths] = [
    ['drug_name', 'extra.drug_name'],
    ['strength', 'dosage', 'extra.strength'],
  ].map((keys) => keys.map((key) => at(`prescription.${key}`)).find((text) => text !== undefined));
  const ndc = after('NDC', at('prescription.ndc'));
  // The strengths already name the ingredients, so a comma separates them from the drug.
  const isNamed = /^\p{L}/u.test(strengths ?? '');
  const drug = joinedAddress(isNamed ? ', ' : ' ', names, strengths);
  return joinedAddress(', ', drug, ndc, at('prescription.dose_form'), at('prescription.route_of_administration'));
}

function dispensedText(at: Read): string {
  const amount = amountText(at('prescription.quantity'), at('prescription.dispense_unit'));
  const days = at('prescription.days_supply');
  return joinedAddress(' ', amount, days === undefined ? undefined : `for ${days} ${days === '1' ? 'day' : 'days'}`);
}

function amountText(quantity: Part, unit: Part): string {
  if (quantity === undefined || unit === undefined) return joinedAddress(' ', quantity, unit);
  return amountWords(quantity, unit);
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

function optionText(text: Part, options: FieldSpec['options']): Part {
  return options?.find(([value]) => value === text)?.[1] ?? text;
}
