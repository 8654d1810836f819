import { oneQuestion, twoQuestions } from './outreach.ts';
import { type CreateBody, requestedDrug } from './requests.ts';
import type { Asks, DenialAnalysis, SandboxOutcome, StatusPath } from './stored-record.ts';

/** How the sandbox decides for one class of drugs. Invented for demonstrations, not taken from a real payer. */
export interface Decision {
  readonly name: string;
  /** What the demonstration shows, for the platform's page. */
  readonly story: string;
  readonly applies: (request: CreateBody) => boolean;
  readonly path: StatusPath;
  readonly outcome: SandboxOutcome;
  /** How the payer's answer is read first, which validation then rejects. */
  readonly mistaken?: SandboxOutcome;
  readonly analysis?: DenialAnalysis;
  /** The payer's questions to callers with the profile `current`. */
  readonly asks?: Asks;
}

const usual: StatusPath = ['awaiting_review', 'awaiting_outcome', 'validating_outcome', 'completed'];
const turnedBack: StatusPath = [
  'awaiting_review',
  'awaiting_outcome',
  'validating_outcome',
  'awaiting_outcome',
  'validating_outcome',
  'completed',
];
const asked: StatusPath = [
  'awaiting_review',
  'awaiting_provider_response',
  'awaiting_outcome',
  'validating_outcome',
  'completed',
];
const failing: StatusPath = ['awaiting_review', 'awaiting_outcome', 'validating_outcome', 'failed'];

const result = (value: SandboxOutcome['result'], detail_code: string, detail: string): SandboxOutcome => ({
  result: value,
  detail,
  detail_code,
});
const approval = result('Approved', 'approval', 'Prior authorization approved');
const stepTherapy = result('Denied', 'step_therapy_criteria_not_met', 'Step Therapy Criteria Not Met');

function drug(...patterns: readonly RegExp[]): Decision['applies'] {
  return (request) => {
    const { name, strength = '' } = requestedDrug(request);
    return patterns.some((pattern) => pattern.test(`${name} ${strength}`));
  };
}

/** Matches a request for the drug that has no evidence about the plan's first step. */
function drugWithout(pattern: RegExp, firstStep: RegExp): Decision['applies'] {
  return (request) => drug(pattern)(request) && !firstStep.test(JSON.stringify(request.evidence ?? []));
}

function tryFirst(drugs: string): DenialAnalysis {
  return {
    categories: ['Step therapy'],
    explanation: `The plan asks for a documented trial of ${drugs} before this drug; the request does not show one.`,
    next_steps: 'appeal',
    next_steps_explanation:
      `If the patient has tried ${drugs}, or must not take it, appeal with dates, doses and the reason for ` +
      'stopping. Otherwise prescribe the plan’s first step.',
  };
}

/** The first row that applies decides. The last row always applies. */
export const decisions: readonly Decision[] = [
  {
    name: 'government-plan',
    story: 'Medicare, Medicaid, TRICARE or VA as payer: the eligibility check stops the request before it is sent.',
    applies: ({ insurance_content }) =>
      /\b(medicare|medicaid|tricare|veterans affairs)\b/i.test(
        `${insurance_content?.payer_name ?? ''} ${insurance_content?.plan_name ?? ''}`,
      ),
    path: ['not_submitted'],
    outcome: result(
      'Not Submitted',
      'eligibility_check_government_plan',
      'The patient is covered by a government plan',
    ),
  },
  {
    name: 'weight-loss',
    story: 'Weight-loss brands of GLP-1 drugs: denied, a weight-loss program is required first.',
    applies: drug(/wegovy|zepbound|saxenda/i),
    path: usual,
    outcome: result('Denied', 'prior_weight_loss_program_required', 'Prior Weight Loss Program Required'),
    analysis: {
      categories: ['Prior weight-loss program'],
      explanation: 'The plan asks for six months in a supervised weight-loss program; the request does not show one.',
      next_steps: 'resubmit',
      next_steps_explanation: 'Send a new request with the program’s dates and the weights at its start and end.',
    },
  },
  {
    name: 'glp-1',
    story: 'GLP-1 drugs (semaglutide, tirzepatide, dulaglutide, liraglutide, exenatide): denied for step therapy.',
    applies: drug(/semaglutide|tirzepatide|dulaglutide|liraglutide|exenatide|ozempic|mounjaro|trulicity|victoza/i),
    path: usual,
    outcome: stepTherapy,
    analysis: tryFirst('metformin'),
  },
  {
    name: 'il-17',
    story: 'Secukinumab, ixekizumab: denied for step therapy, unless an evidence item speaks of adalimumab.',
    applies: drugWithout(/secukinumab|ixekizumab|cosentyx|taltz/i, /adalimumab|humira/i),
    path: usual,
    outcome: stepTherapy,
    analysis: tryFirst('adalimumab'),
  },
  {
    name: 'jak',
    story:
      'JAK inhibitors (tofacitinib, upadacitinib, baricitinib): denied for step therapy, unless an evidence item ' +
      'speaks of a TNF blocker.',
    applies: drugWithout(
      /tofacitinib|upadacitinib|baricitinib|xeljanz|rinvoq|olumiant/i,
      /adalimumab|etanercept|infliximab|TNF/i,
    ),
    path: usual,
    outcome: stepTherapy,
    analysis: tryFirst('a TNF blocker'),
  },
  {
    name: 'etanercept',
    story: 'Etanercept: denied, the plan prefers another drug.',
    applies: drug(/etanercept|enbrel/i),
    path: usual,
    outcome: result('Denied', 'formulary_alternative_preferred', 'Formulary Alternative Preferred'),
    analysis: {
      categories: ['Formulary'],
      explanation: 'The plan’s formulary prefers adalimumab biosimilars.',
      next_steps: 'alternative',
      next_steps_explanation:
        'Prescribe the preferred drug, or ask for a formulary exception and say why it does not suit the patient.',
    },
  },
  {
    name: 'adalimumab',
    story: 'Adalimumab: the answer is first read as a denial, validation turns it back, then approved.',
    applies: drug(/adalimumab|humira|hyrimoz|cyltezo|hadlima/i),
    path: turnedBack,
    outcome: approval,
    mistaken: result('Denied', 'medical_necessity_criteria_not_met', 'Medical Necessity Criteria Not Met'),
  },
  {
    name: 'il-23',
    story: 'Ustekinumab, risankizumab, guselkumab: an approval already exists.',
    applies: drug(/ustekinumab|risankizumab|guselkumab|stelara|skyrizi|tremfya/i),
    path: usual,
    outcome: result('Approved', 'existing_approval', 'An approval for this drug exists'),
  },
  {
    name: 'asked',
    story: 'Dupilumab, omalizumab: the prescriber is asked something on the way, then approved.',
    applies: drug(/dupilumab|omalizumab|dupixent|xolair/i),
    path: asked,
    outcome: approval,
    asks: oneQuestion,
  },
  {
    name: 'asked-twice',
    story: 'Rimegepant, atogepant: the prescriber is asked twice, on two channels, then approved.',
    applies: drug(/rimegepant|atogepant|nurtec|qulipta/i),
    path: asked,
    outcome: approval,
    asks: twoQuestions,
  },
  {
    name: 'oncology',
    story: 'Cancer drugs: approved.',
    applies: drug(
      /tinib\b|ciclib\b|parib\b|pembrolizumab|nivolumab|trastuzumab|rituximab|lenalidomide|venetoclax/i,
      /capecitabine|abiraterone|enzalutamide/i,
    ),
    path: usual,
    outcome: approval,
  },
  {
    name: 'not-required',
    story: 'Insulin and common generics: no prior authorization required.',
    applies: drug(
      /insulin|humulin|novolin|humalog|novolog|lantus|metformin|methotrexate|azathioprine|prednisone/i,
      /lisinopril|atorvastatin|simvastatin|amlodipine|levothyroxine|albuterol|amoxicillin/i,
    ),
    path: usual,
    outcome: result('Other', 'prior_auth_not_required', 'Prior authorization is not required for this drug'),
  },
  {
    name: 'bone',
    story: 'Teriparatide, denosumab, romosozumab: the request ends as failed.',
    applies: drug(/teriparatide|denosumab|romosozumab|prolia|forteo/i),
    path: failing,
    outcome: result('Other', 'other', 'The payer returned an answer that could not be processed'),
  },
  {
    name: 'necessity',
    story: 'Apremilast, botulinum toxin: denied for medical necessity.',
    applies: drug(/apremilast|otezla|botulinumtoxin|botox/i),
    path: usual,
    outcome: result('Denied', 'medical_necessity_criteria_not_met', 'Medical Necessity Criteria Not Met'),
    analysis: {
      categories: ['Medical necessity'],
      explanation: 'The request does not show how severe the condition is.',
      next_steps: 'appeal',
      next_steps_explanation: 'Appeal with the last visit note and a measured severity score.',
    },
  },
  {
    name: 'inactive',
    story: 'Migraine antibodies (erenumab, galcanezumab, fremanezumab): the coverage turns out to be inactive.',
    applies: drug(/erenumab|galcanezumab|fremanezumab|aimovig|emgality/i),
    path: usual,
    outcome: result('Other', 'coverage_inactive', 'The coverage is not active'),
  },
  {
    name: 'limits',
    story: 'Opioids: denied, coverage limits exceeded.',
    applies: drug(/oxycodone|hydrocodone|morphine|fentanyl/i),
    path: usual,
    outcome: result('Denied', 'coverage_limits_exceeded', 'Coverage Limits Exceeded'),
    analysis: {
      categories: ['Quantity limit'],
      explanation: 'The quantity is above the plan’s monthly limit.',
      next_steps: 'resubmit',
      next_steps_explanation: 'Send a new request with a smaller quantity, or ask for an exception.',
    },
  },
  { name: 'default', story: 'Every other drug: approved.', applies: () => true, path: usual, outcome: approval },
];

export function decide(request: CreateBody): Decision {
  return decisions.find((decision) => decision.applies(request)) ?? decisionNamed('default');
}

/** Returns the row with a stored name. A name from an older data file gets the last row. */
export function decisionNamed(name: string): Decision {
  return decisions.find((decision) => decision.name === name) ?? decisions.at(-1)!;
}
