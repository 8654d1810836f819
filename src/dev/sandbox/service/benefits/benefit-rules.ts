import type { BenefitBody, mockCases } from './request.ts';

/** A plan's final answer: the same for each drug, or about the patient, or why nothing could be determined. */
export interface PlanAnswer {
  readonly drug?: {
    readonly coverage: string;
    readonly coverage_detail_code: string | null;
    readonly prior_authorization_required: string;
    /** In cents, by days of supply. */
    readonly copays?: readonly (readonly [cents: number, days: number])[];
    readonly onFormulary?: boolean;
    readonly isExcluded?: boolean;
    readonly isByException?: boolean;
    readonly hasActive?: boolean;
  };
  readonly patient?: string;
  readonly isGovernment?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

/** How the sandbox answers for one class of drugs. Invented for demonstrations, not taken from a real plan. */
export interface BenefitRule {
  readonly name: string;
  /** What the demonstration shows, for the platform's page. */
  readonly story: string;
  readonly applies: (request: BenefitBody) => boolean;
  readonly answer: PlanAnswer;
}

const covered = { coverage: 'covered', coverage_detail_code: 'insurer_reported_value', onFormulary: true } as const;
const notCovered = {
  coverage: 'not_covered',
  coverage_detail_code: 'insurer_reported_value',
  prior_authorization_required: 'not_applicable',
  onFormulary: false,
} as const;
const specialty = [
  [3500, 30],
  [9000, 90],
] as const;

function drug(...patterns: readonly RegExp[]): BenefitRule['applies'] {
  return ({ drugs }) => drugs.some((one) => patterns.some((pattern) => pattern.test(`${one.name ?? one.ndc}`)));
}

/** The first row that applies answers. The last row always applies. */
export const benefitRules: readonly BenefitRule[] = [
  {
    name: 'government-plan',
    story: 'Medicare, Medicaid, TRICARE or VA as payer: covered, prior authorization required, a government plan.',
    applies: ({ insurance_content }) =>
      /\b(medicare|medicaid|tricare|veterans affairs)\b/i.test(
        `${insurance_content?.payer_name ?? ''} ${insurance_content?.plan_name ?? ''}`,
      ),
    answer: { drug: { ...covered, prior_authorization_required: 'yes' }, isGovernment: true },
  },
  {
    name: 'weight-loss',
    story: 'Weight-loss brands of GLP-1 drugs: not covered, the plan excludes them.',
    applies: drug(/wegovy|zepbound|saxenda/i),
    answer: { drug: { ...notCovered, isExcluded: true } },
  },
  {
    name: 'glp-1',
    story: 'GLP-1 drugs: covered, prior authorization required for this quantity.',
    applies: drug(/semaglutide|tirzepatide|dulaglutide|liraglutide|exenatide|ozempic|mounjaro|trulicity|victoza/i),
    answer: {
      drug: {
        ...covered,
        coverage_detail_code: 'quantity_limit_pa_required',
        prior_authorization_required: 'yes',
        copays: specialty,
      },
    },
  },
  {
    name: 'etanercept',
    story: 'Etanercept: not covered; a prior authorization asks for the exception.',
    applies: drug(/etanercept|enbrel/i),
    answer: { drug: { ...notCovered, prior_authorization_required: 'yes', isByException: true } },
  },
  {
    name: 'il-23',
    story: 'Ustekinumab, risankizumab, guselkumab: covered, the required prior authorization is active.',
    applies: drug(/ustekinumab|risankizumab|guselkumab|stelara|skyrizi|tremfya/i),
    answer: { drug: { ...covered, prior_authorization_required: 'yes', hasActive: true, copays: specialty } },
  },
  {
    name: 'not-required',
    story: 'Insulin and common generics: covered without prior authorization.',
    applies: drug(
      /insulin|humulin|novolin|humalog|novolog|lantus|metformin|methotrexate|azathioprine|prednisone/i,
      /lisinopril|atorvastatin|simvastatin|amlodipine|levothyroxine|albuterol|amoxicillin/i,
    ),
    answer: {
      drug: {
        ...covered,
        prior_authorization_required: 'no',
        copays: [
          [1000, 30],
          [2500, 90],
        ],
      },
    },
  },
  {
    name: 'inactive',
    story: 'Migraine antibodies (erenumab, galcanezumab, fremanezumab): the patient’s coverage has ended.',
    applies: drug(/erenumab|galcanezumab|fremanezumab|aimovig|emgality/i),
    answer: { patient: 'coverage_expired' },
  },
  {
    name: 'bone',
    story: 'Teriparatide, denosumab, romosozumab: the verification fails, the benefits could not be gathered.',
    applies: drug(/teriparatide|denosumab|romosozumab|prolia|forteo/i),
    answer: { error: { code: 'Unable to Gather Benefits', message: 'The plan hung up twice.' } },
  },
  {
    name: 'silent',
    story: 'Opioids: the plan does not say whether prior authorization is required.',
    applies: drug(/oxycodone|hydrocodone|morphine|fentanyl/i),
    answer: { drug: { ...covered, prior_authorization_required: 'not_applicable' } },
  },
  {
    name: 'default',
    story: 'Every other drug: covered, prior authorization required.',
    applies: () => true,
    answer: { drug: { ...covered, prior_authorization_required: 'yes', copays: specialty } },
  },
];

export function ruleFor(request: BenefitBody): BenefitRule {
  return benefitRules.find((rule) => rule.applies(request)) ?? ruleNamed('default');
}

/** Returns the row with a stored name. A name from an older data file gets the last row. */
export function ruleNamed(name: string): BenefitRule {
  return benefitRules.find((rule) => rule.name === name) ?? benefitRules.at(-1)!;
}

export const mockAnswers: Readonly<Record<(typeof mockCases)[number], PlanAnswer>> = {
  drugs_covered__prior_auth_required__has_copay: {
    drug: { ...covered, prior_authorization_required: 'yes', copays: specialty },
  },
  drugs_covered__prior_auth_required__no_copay: { drug: { ...covered, prior_authorization_required: 'yes' } },
  drugs_covered__prior_auth_not_required__has_copay: {
    drug: { ...covered, prior_authorization_required: 'no', copays: specialty },
  },
  drugs_covered__prior_auth_not_required__no_copay: { drug: { ...covered, prior_authorization_required: 'no' } },
  drugs_not_covered__prior_auth_na__no_copay: { drug: notCovered },
  patient_consent_required: { error: { code: 'Patient Consent Required', message: 'The plan asks for consent.' } },
  reverification__existing_pa: { drug: { ...covered, prior_authorization_required: 'yes', hasActive: true } },
  reverification__no_existing_pa: { drug: { ...covered, prior_authorization_required: 'yes', hasActive: false } },
};
