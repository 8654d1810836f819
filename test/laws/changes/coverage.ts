import type { CodeableConcept, Coverage, CoverageClass, Organization } from 'fhir/r4.js';
import { add, anything, type Change, change, type Draft, put } from '../draft.ts';

const i = (leaf: string) => `insurance_content.${leaf}`;
const ended = { start: '2010-01-01', end: '2019-12-31' };
const memberType = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] };

/** What an order contains is known inside that order only. */
const inner: Organization = { resourceType: 'Organization', id: 'law-inner', name: 'CANARY inner' };

/** A class of the coverage whose code is this one. */
function classOf({ coverage }: Draft, code: string): CoverageClass | undefined {
  return coverage.class?.find(({ type }) => type.coding?.some((coding) => coding.code === code));
}

/** Another coverage of the same patient; the order no longer names one. */
function beside(draft: Draft, change: Partial<Coverage>): void {
  delete draft.order.insurance;
  add(draft, {
    ...structuredClone(draft.coverage),
    id: 'law-coverage',
    subscriberId: 'OTHER-1',
    identifier: [],
    class: [],
    ...change,
  });
}

/** A second class of one code with another value; the code, or words alone, may be spelled otherwise. */
function secondClass(code: string, value: string, written?: { readonly name: string; readonly type: CodeableConcept }) {
  const name = `two different classes ${code}${written === undefined ? '' : `, ${written.name}`}`;
  return change(name, 'V15', 'asks', 'class', (draft) => {
    const own = classOf(draft, code);
    if (own === undefined) return undefined;
    const second = { ...own, type: written?.type ?? own.type, value, name: 'Another' };
    draft.coverage.class = [...(draft.coverage.class ?? []), second];
    return {};
  });
}

/** Who pays for the drug. */
export const coverageChanges: readonly Change[] = [
  secondClass('rxbin', '610011'),
  secondClass('rxbin', '610011', { name: 'one in mixed case', type: { coding: [{ code: 'RxBIN' }] } }),
  secondClass('rxbin', '610011', { name: 'one by its words', type: { text: 'Rx BIN' } }),
  secondClass('group', 'GRP-OTHER'),
  change('the same class twice', 'V15', 'agrees', 'class', (draft) => {
    const own = classOf(draft, 'rxbin');
    if (own === undefined) return undefined;
    draft.coverage.class = [...(draft.coverage.class ?? []), structuredClone(own)];
    return {};
  }),
  change('class codes in capitals', 'V15', 'agrees', 'class', ({ coverage }) => {
    if (coverage.class === undefined || coverage.class.some(({ type }) => type.coding === undefined)) return undefined;
    for (const { type } of coverage.class)
      for (const coding of type.coding ?? []) coding.code = coding.code?.toUpperCase() ?? '';
    return {};
  }),
  change('class codes of another system', 'D17', 'agrees', 'class', ({ coverage }) => {
    if (coverage.class === undefined) return undefined;
    for (const { type } of coverage.class)
      for (const coding of type.coding ?? []) coding.system = 'http://hl7.org/fhir/coverage-class';
    return {};
  }),
  change('an RxBIN of five digits', 'V17', 'asks', 'class', (draft) => {
    const own = classOf(draft, 'rxbin');
    if (own === undefined) return undefined;
    own.value = '61001';
    return {};
  }),
  change('an RxBIN with letters', 'V17', 'asks', 'class', (draft) => {
    const own = classOf(draft, 'rxbin');
    if (own === undefined) return undefined;
    own.value = 'BIN610';
    return {};
  }),
  change('blanks around the RxBIN', 'D18', 'agrees', 'class', (draft) => {
    const own = classOf(draft, 'rxbin');
    if (own === undefined) return undefined;
    own.value = ` ${own.value} `;
    return {};
  }),
  change('an ended member number in front', 'V9', 'agrees', 'member', ({ coverage }) => {
    coverage.identifier = [{ type: memberType, value: 'OLD-MEMBER', period: ended }, ...(coverage.identifier ?? [])];
    return {};
  }),
  change('an old member number in front', 'V9', 'agrees', 'member', ({ coverage }) => {
    coverage.identifier = [{ use: 'old', type: memberType, value: 'OLD-MEMBER' }, ...(coverage.identifier ?? [])];
    return {};
  }),
  // An enrollment goes out without insurance, where another change takes the plan away.
  change(
    "a member number beside another subscriber's number",
    'D',
    'asks',
    'member',
    ({ coverage, entries }) => {
      if (entries.some(({ resource }) => resource.resourceType === 'DocumentReference')) return undefined;
      coverage.identifier = [{ type: memberType, value: 'LAW-70001' }];
      coverage.subscriberId = 'LAW-90002';
      return {};
    },
    'open',
  ),
  change('a member number with the suffix of one of a family', '3', 'agrees', 'member', ({ coverage }) => {
    const number = coverage.identifier?.[0]?.value ?? coverage.subscriberId;
    if (number === undefined) return undefined;
    coverage.identifier = [{ type: memberType, value: number }];
    coverage.subscriberId = number.replace(/-\d{2}$/, '');
    return {};
  }),
  change(
    'no member number',
    'D',
    'asks',
    'member',
    ({ coverage, entries }) => {
      if (entries.some(({ resource }) => resource.resourceType === 'DocumentReference')) return undefined;
      delete coverage.identifier;
      delete coverage.subscriberId;
      return {};
    },
    'open',
  ),
  change(
    'a member number of zeros',
    'D',
    'asks',
    'member',
    ({ coverage, entries }) => {
      if (entries.some(({ resource }) => resource.resourceType === 'DocumentReference')) return undefined;
      coverage.identifier = [{ type: memberType, value: '000000000' }];
      coverage.subscriberId = '000000000';
      return {};
    },
    'open',
  ),
  change('a self-pay coverage beside', 'D17', 'agrees', 'coverages', (draft) => {
    beside(draft, {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-selfpay', code: 'pay' }] },
    });
    return {};
  }),
  change('a copay card beside', 'item 1', 'agrees', 'coverages', (draft) => {
    beside(draft, { type: { text: 'Manufacturer copay card' }, class: structuredClone(draft.coverage.class ?? []) });
    return {};
  }),
  change('an ended coverage beside', 'D17', 'agrees', 'coverages', (draft) => {
    beside(draft, { period: ended });
    return {};
  }),
  change('a cancelled coverage beside', 'D17', 'agrees', 'coverages', (draft) => {
    beside(draft, { status: 'cancelled' });
    return {};
  }),
  change('a coverage entered in error beside', 'D14', 'agrees', 'coverages', (draft) => {
    beside(draft, { status: 'entered-in-error' });
    return {};
  }),
  change('a dental coverage beside', 'D17', 'agrees', 'coverages', (draft) => {
    beside(draft, {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'DENTPRG' }] },
    });
    return {};
  }),
  change('a second drug plan that fits as well', 'D17', 'asks', 'coverages period', (draft) => {
    if (draft.coverage.order !== undefined || draft.coverage.period === undefined) return undefined;
    beside(draft, { class: structuredClone(draft.coverage.class ?? []), payor: [{ display: 'Another payer' }] });
    return {};
  }),
  change(
    'the same coverage under two ids',
    '3',
    'agrees',
    'coverages class member period payor policyHolder coverageType coverageExtension',
    (draft) => {
      delete draft.order.insurance;
      add(draft, { ...structuredClone(draft.coverage), id: 'law-copy' });
      return {};
    },
  ),
  change(
    'Medicaid with an RxBIN beside a primary commercial plan without',
    'V16',
    'asks',
    'coverages class coverageType period',
    (draft) => {
      const { coverage } = draft;
      coverage.order = 1;
      coverage.type = {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'EHCPOL' }],
        text: 'Commercial',
      };
      coverage.class = [];
      const rxbin = {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code: 'rxbin' }] },
        value: '610084',
      };
      const type = { coding: [{ system: 'https://nahdo.org/sopt', code: '2', display: 'MEDICAID' }], text: 'Medicaid' };
      beside(draft, { order: 2, type, class: [rxbin], payor: [{ display: 'State Medicaid' }] });
      return {};
    },
  ),
  change('a type that names medical before dental', '3', 'agrees', 'coverageType', (draft) => {
    if (draft.coverage.type?.coding?.some(({ code }) => code === 'DRUGPOL') === true) return undefined;
    draft.coverage.type = { text: 'Medical, Dental & Vision' };
    return {};
  }),
  change(
    'the coverage ended yesterday',
    'D17',
    'asks',
    'period class',
    (draft) => {
      if (draft.entries.some(({ resource }) => resource.resourceType === 'DocumentReference')) return undefined;
      draft.coverage.period = { start: '2025-01-01', end: '2026-11-20' };
      return {};
    },
    'open',
  ),
  change('the coverage ends today', 'D17', 'agrees', 'period', ({ coverage }) => {
    coverage.period = { start: '2025-01-01', end: '2026-11-21' };
    return {};
  }),
  change(
    'the coverage is of another patient',
    'D17',
    'asks',
    'coverages period class',
    ({ coverage, entries }) => {
      if (entries.some(({ resource }) => resource.resourceType === 'DocumentReference')) return undefined;
      coverage.beneficiary = { reference: 'Patient/law-stranger' };
      return {};
    },
    'open',
  ),
  change('the payer is a resource that only the order contains', 'V12', 'open', 'payor contained', (draft) => {
    draft.order.contained = [...(draft.order.contained ?? []), inner];
    draft.coverage.payor = [{ reference: '#law-inner' }];
    return { never: { [i('payer_name')]: 'CANARY inner', 'patient.insurance_details.data.payer': 'CANARY inner' } };
  }),
  change(
    'the policy holder is a resource that only the order contains',
    'V12',
    'agrees',
    'policyHolder contained',
    (draft) => {
      draft.order.contained = [...(draft.order.contained ?? []), inner];
      draft.coverage.policyHolder = { reference: '#law-inner' };
      return { never: { [i('client_name')]: 'CANARY inner' } };
    },
  ),
  change('an extension that is no list', 'R3', 'agrees', 'coverageExtension', ({ coverage }) => {
    put(coverage, 'extension', {});
    return {};
  }),
  change('a policy holder that is a word', 'R3', 'agrees', 'policyHolder', ({ coverage }) => {
    put(coverage, 'policyHolder', 'someone');
    return { sent: { [i('client_name')]: anything } };
  }),
];
