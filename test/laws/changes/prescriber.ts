import type { FhirResource } from 'fhir/r4.js';
import { add, type Change, change, type Draft } from '../draft.ts';

const npi = 'http://hl7.org/fhir/sid/us-npi';
const good = '1993999998';
const ended = { start: '2010-01-01', end: '2019-12-31' };
const prescriber = (
  name: string,
  about: string,
  verdict: Change['verdict'],
  apply: Change['apply'],
  touches = 'npi',
): Change => change(name, about, verdict, touches, apply, verdict === 'asks' ? 'agrees' : verdict);

/** Who prescribes. An enrollment names no prescriber. */
export const prescriberChanges: readonly Change[] = [
  prescriber('an NPI with a wrong check digit', 'V17', 'asks', ({ practitioner }) => {
    practitioner.identifier = [{ system: npi, value: '1234567890' }];
    return {};
  }),
  prescriber('two NPIs', 'D16', 'asks', ({ practitioner }) => {
    practitioner.identifier = [...(practitioner.identifier ?? []), { system: npi, value: good }];
    return {};
  }),
  prescriber('a second NPI with a wrong check digit', '3', 'agrees', ({ practitioner }) => {
    practitioner.identifier = [{ system: npi, value: '1234567890' }, ...(practitioner.identifier ?? [])];
    return {};
  }),
  prescriber('the same NPI twice', 'D16', 'agrees', ({ practitioner }) => {
    const own = practitioner.identifier?.find(({ system }) => system === npi);
    if (own === undefined) return undefined;
    practitioner.identifier = [...(practitioner.identifier ?? []), { ...own, use: 'secondary' }];
    return {};
  }),
  prescriber('an ended NPI in front', 'D16', 'agrees', ({ practitioner }) => {
    practitioner.identifier = [{ system: npi, value: good, period: ended }, ...(practitioner.identifier ?? [])];
    return {};
  }),
  prescriber('an NPI by the text of its type', 'D16', 'agrees', ({ practitioner }) => {
    const value = practitioner.identifier?.find(({ system }) => system === npi)?.value;
    if (value === undefined) return undefined;
    practitioner.identifier = [{ system: 'urn:oid:1.2.840.114350.1.13.0', type: { text: 'NPI' }, value: ` ${value} ` }];
    return {};
  }),
  prescriber('no NPI', 'D16', 'asks', ({ practitioner }) => {
    delete practitioner.identifier;
    return {};
  }),
  prescriber('an NPI of the organization only', 'D16', 'asks', (draft) => {
    delete draft.practitioner.identifier;
    add(draft, {
      resourceType: 'Organization',
      id: 'law-org',
      name: 'A practice',
      identifier: [{ system: npi, value: good }],
    });
    return { never: { 'provider.npi': good } };
  }),
  prescriber(
    'the prescriber is not in the chart',
    'D',
    'asks',
    (draft) => {
      draft.order.requester = { reference: 'Practitioner/nobody', display: 'Nobody, MD' };
      return {};
    },
    'npi requester place',
  ),
  prescriber(
    'the prescriber by an identifier',
    '3',
    'agrees',
    (draft) => {
      const value = draft.practitioner.identifier?.find(({ system }) => system === npi)?.value;
      if (value === undefined || !draft.order.requester?.reference?.startsWith('Practitioner/')) return undefined;
      draft.order.requester = { identifier: { system: npi, value }, display: 'The prescriber' };
      return {};
    },
    'npi requester place',
  ),
  prescriber(
    'an ended name of the prescriber in front',
    'D',
    'agrees',
    ({ practitioner }) => {
      practitioner.name = [{ family: 'Before', given: ['Who'], period: ended }, ...(practitioner.name ?? [])];
      return {};
    },
    'prescriberName',
  ),
  prescriber(
    'no name of the prescriber',
    'D',
    'asks',
    ({ practitioner }) => {
      delete practitioner.name;
      return {};
    },
    'prescriberName',
  ),
  prescriber(
    'a role with two locations',
    'V11',
    'open',
    (draft) => {
      barePractitioner(draft);
      const places = [location('law-l1', '1'), location('law-l2', '2')];
      for (const place of places) add(draft, place);
      role(draft, 'law-role', { location: places.map(({ id }) => ({ reference: `Location/${id}` })) });
      return { never: { 'provider.fax': '217-555-0161', 'provider.address.street': '1 Guess Street' } };
    },
    'place',
  ),
  prescriber(
    'two roles in two organizations',
    'V11',
    'open',
    (draft) => {
      barePractitioner(draft);
      for (const number of ['1', '2']) {
        add(draft, organization(`law-o${number}`, number));
        role(draft, `law-role-${number}`, { organization: { reference: `Organization/law-o${number}` } });
      }
      return { never: { 'provider.fax': '217-555-0161', 'provider.address.street': '1 Guess Street' } };
    },
    'place',
  ),
  prescriber(
    'a street of the prescriber, a fax of one location',
    'V11',
    'open',
    (draft) => {
      const { practitioner } = draft;
      practitioner.telecom = practitioner.telecom?.filter(({ system }) => system !== 'fax') ?? [];
      const place = location('law-l1', '1');
      add(draft, place);
      role(draft, 'law-role', { location: [{ reference: 'Location/law-l1' }] });
      return {};
    },
    'place',
  ),
  prescriber(
    'a fax number with fax: in front',
    'V15',
    'agrees',
    ({ practitioner }) => {
      if (!practitioner.telecom?.some(({ system }) => system === 'fax')) return undefined;
      for (const point of practitioner.telecom) if (point.system === 'fax') point.value = `tel:${point.value}`;
      return {};
    },
    'place',
  ),
  prescriber(
    'a prescriber who is not active',
    'D14',
    'open',
    ({ practitioner }) => {
      practitioner.active = false;
      return { told: /not active|inactive/i };
    },
    'prescriberActive requester',
  ),
];

function barePractitioner({ practitioner, entries, order }: Draft): void {
  delete practitioner.telecom;
  delete practitioner.address;
  order.requester = { reference: `Practitioner/${practitioner.id}` };
  const others = entries.filter(({ resource }) => resource.resourceType !== 'PractitionerRole');
  entries.splice(0, entries.length, ...others);
}

function role({ practitioner, entries }: Draft, id: string, rest: object): void {
  const resource = {
    resourceType: 'PractitionerRole',
    id,
    active: true,
    practitioner: { reference: `Practitioner/${practitioner.id}` },
    ...rest,
  };
  entries.push({ resource: resource as FhirResource });
}

function location(id: string, number: string): FhirResource & { resourceType: 'Location' } {
  return {
    resourceType: 'Location',
    id,
    name: `Place ${number}`,
    telecom: [{ system: 'fax', value: `217-555-016${number}` }],
    address: { line: [`${number} Guess Street`], city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
  };
}

function organization(id: string, number: string): FhirResource {
  const { telecom, address, name } = location(id, number);
  return { resourceType: 'Organization', id, name: name ?? '', telecom: telecom ?? [], address: [address ?? {}] };
}
