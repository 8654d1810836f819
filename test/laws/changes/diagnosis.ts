import type { CodeableConcept, Condition } from 'fhir/r4.js';
import { add, type Change, change, type Draft, put } from '../draft.ts';

const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const verification = (code: string): CodeableConcept => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status', code }],
});
const clinical = (code: string): CodeableConcept => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code }],
});

/** A change of diagnosis; an enrollment has none. */
function diagnosis(name: string, about: string, verdict: Change['verdict'], apply: Change['apply']): Change {
  return change(name, about, verdict, 'reason', apply, verdict === 'asks' ? 'agrees' : verdict);
}

/** The order's one reason as a Condition with these elements. */
function byCondition(name: string, about: string, verdict: Change['verdict'], rest: object): Change {
  return diagnosis(name, about, verdict, (draft) => {
    reason(draft, [], [{ reference: 'Condition/law-reason' }]);
    add(draft, { ...condition(draft, 'law-reason', 'L40.0'), ...rest });
    return verdict === 'agrees' ? { sent: { 'diagnoses[0].code': 'L40.0' } } : {};
  });
}

/** The order's one reason as a concept. */
function byConcept(
  name: string,
  about: string,
  verdict: Change['verdict'],
  concept: CodeableConcept,
  code?: string,
): Change {
  return diagnosis(name, about, verdict, (draft) => {
    reason(draft, [concept], []);
    return code === undefined ? {} : { sent: { 'diagnoses[0].code': code } };
  });
}

/** No reason of the order, and one problem that the site's policy would accept. */
function accepted(name: string, about: string, verdict: Change['verdict'], rest: object): Change {
  return diagnosis(name, about, verdict, (draft) => {
    draft.site.diagnoses = 'accept-single';
    reason(draft, [], []);
    delete draft.order.encounter;
    const others = draft.entries.filter(({ resource }) => resource.resourceType !== 'Condition');
    draft.entries.splice(0, draft.entries.length, ...others);
    add(draft, { ...condition(draft, 'law-problem', 'L40.0'), ...rest });
    return verdict === 'agrees' ? { sent: { 'diagnoses[0].code': 'L40.0' } } : {};
  });
}

const labelled = (code: string) => ({
  meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }] },
});

/** What the drug is for. A reason that is refuted, uncoded or labelled is never sent unasked. */
export const diagnosisChanges: readonly Change[] = [
  byCondition('a reason that is a confirmed problem', 'D', 'agrees', {}),
  byCondition('a reason that was refuted', 'V7', 'asks', { verificationStatus: verification('refuted') }),
  byCondition('a reason entered in error', 'V7', 'asks', { verificationStatus: verification('entered-in-error') }),
  byCondition('a reason that ended, by a text', 'V7', 'open', { abatementString: 'resolved last year' }),
  byCondition('a reason that ended, by a period', 'V7', 'open', { abatementPeriod: { end: '2020-01-01' } }),
  byCondition('a reason with a misshapen verification status', 'R3', 'open', { verificationStatus: 'refuted' }),
  byCondition('a reason with a misshapen onset', 'R3', 'agrees', { onsetPeriod: { start: 7 } }),
  byCondition('a reason with a label that is nothing', 'R3', 'agrees', { meta: { security: [null] } }),
  byCondition('a reason that is one of several', 'item 1', 'asks', {
    verificationStatus: verification('differential'),
  }),
  byCondition('a reason that is provisional', 'item 1', 'asks', { verificationStatus: verification('provisional') }),
  byConcept('a reason with a question mark, beside a code', 'item 1', 'asks', {
    coding: [{ system: icd10, code: 'L40.0' }],
    text: '? psoriasis',
  }),
  byConcept('a reason to be ruled out, beside a code', 'item 1', 'asks', {
    coding: [{ system: icd10, code: 'L40.0' }],
    text: 'Rule out psoriasis',
  }),
  byConcept('a reason in text only', 'D15', 'asks', { text: 'Psoriasis' }),
  byConcept('a reason in SNOMED CT only', 'D15', 'asks', {
    coding: [{ system: 'http://snomed.info/sct', code: '9014002', display: 'Psoriasis' }],
  }),
  byConcept('a reason in ICD-9 only', 'D15', 'asks', {
    coding: [{ system: 'http://hl7.org/fhir/sid/icd-9-cm', code: '696.1' }],
  }),
  byConcept('a reason in the ICD-10 of WHO', 'D15', 'asks', {
    coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: 'L40.0' }],
  }),
  byConcept('a reason of two codes', 'D15', 'asks', {
    coding: [
      { system: icd10, code: 'L40.0' },
      { system: icd10, code: 'L40.1' },
    ],
  }),
  byConcept(
    'a code in small letters without its dot',
    'D15',
    'agrees',
    { coding: [{ system: icd10, code: 'l400' }] },
    'L40.0',
  ),
  byConcept(
    'a code under the OID of ICD-10-CM',
    'D15',
    'agrees',
    { coding: [{ system: 'urn:oid:2.16.840.1.113883.6.90', code: 'L40.0' }] },
    'L40.0',
  ),
  byConcept('a code that is none', 'D15', 'asks', { coding: [{ system: icd10, code: 'unknown' }] }),
  byConcept(
    'one code twice',
    'D15',
    'agrees',
    {
      coding: [
        { system: icd10, code: 'L40.0' },
        { system: icd10, code: 'L40.0', display: 'Psoriasis vulgaris' },
      ],
    },
    'L40.0',
  ),
  diagnosis('a reason of another patient', 'D', 'asks', (draft) => {
    reason(draft, [], [{ reference: 'Condition/canary-condition' }]);
    return {};
  }),
  diagnosis('a reason that is not in the chart', 'D', 'asks', (draft) => {
    reason(draft, [], [{ reference: 'Condition/nowhere', display: 'Psoriasis' }]);
    return {};
  }),
  diagnosis('a reason of R5', '3', 'asks', (draft) => {
    reason(draft, [], []);
    draft.entries.splice(
      0,
      draft.entries.length,
      ...draft.entries.filter(({ resource }) => resource.resourceType !== 'Condition'),
    );
    put(draft.order, 'reason', [{ concept: { coding: [{ system: icd10, code: 'L40.0' }] } }]);
    return { told: /R4/ };
  }),
  accepted('the only problem, by the site’s policy', 'D', 'agrees', {}),
  accepted('the only problem has ended, by a text', 'V7', 'asks', { abatementString: 'resolved' }),
  accepted('the only problem has ended, by a period', 'V7', 'asks', { abatementPeriod: { end: '2020-01-01' } }),
  accepted('the only problem has ended, by an age', 'V7', 'asks', { abatementAge: { value: 40, unit: 'a' } }),
  accepted('the only problem was resolved', 'D14', 'asks', { clinicalStatus: clinical('resolved') }),
  accepted('the only problem is not confirmed', 'D14', 'asks', { verificationStatus: verification('provisional') }),
  accepted('the only problem carries the label MH', 'D19', 'asks', labelled('MH')),
  accepted('the only problem carries the label SUD', 'V8', 'asks', labelled('SUD')),
  accepted('the only problem carries the label BH', 'V8', 'asks', labelled('BH')),
  accepted('the only problem carries the label SICKLE', 'V8', 'asks', labelled('SICKLE')),
  accepted('the only problem carries the label DVD', 'V8', 'asks', labelled('DVD')),
  accepted('the only problem carries the label N', 'V8', 'agrees', labelled('N')),
];

function reason(draft: Draft, codes: CodeableConcept[], references: { reference: string; display?: string }[]): void {
  delete draft.order.reasonCode;
  delete draft.order.reasonReference;
  if (codes.length > 0) draft.order.reasonCode = codes;
  if (references.length > 0) draft.order.reasonReference = references;
}

function condition({ patient }: Draft, id: string, code: string): Condition {
  return {
    resourceType: 'Condition',
    id,
    clinicalStatus: clinical('active'),
    verificationStatus: verification('confirmed'),
    subject: { reference: `Patient/${patient.id}` },
    code: { coding: [{ system: icd10, code, display: 'Psoriasis vulgaris' }] },
  };
}
