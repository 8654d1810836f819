/** The texts of printed notices: plain language, and nothing beyond the payer's decision and the record. */
export const noticeWords = {
  thePlan: 'The plan',
  approvedTitle: 'Prior authorization approved',
  deniedTitle: 'Prior authorization denied',
  pharmacy: {
    approved: (plan: string, drug: string) => `${plan} approved the prior authorization for ${drug}.`,
    denied: (plan: string, drug: string) => `${plan} denied the prior authorization for ${drug}.`,
    differs: (what: string) => `Approved, but not as ordered: ${what}.`,
    differsInRecord: (what: string) =>
      `The record of the request is not as ordered: ${what}. Check with the plan before you fill it.`,
    appeal: (day: string) => `The plan takes an appeal until ${day}.`,
  },
  patient: {
    approved: (plan: string, drug: string) => `${plan} approved your medicine: ${drug}.`,
    denied: (plan: string, drug: string) => `${plan} did not approve your medicine: ${drug}.`,
    differs: (what: string) => `The plan approved something else than your prescriber ordered: ${what}.`,
    differsInRecord: (what: string) =>
      `The plan may have approved something else than your prescriber ordered: ${what}. Ask the clinic.`,
    appeal: (day: string) => `You can ask the plan to look at this decision again (an appeal) until ${day}.`,
    appealAdvised: 'You can ask the plan to look at this decision again (an appeal). Its letter says until when.',
    next: 'Ask the clinic what comes next. Its phone number is at the top of this page.',
  },
  /** Reasons of a denial by code, for readers who do not know insurance terms. */
  plainReasons: {
    formulary_alternative_preferred: 'The plan prefers another medicine on its list.',
    medical_necessity_criteria_not_met: 'The plan says that its rules for this medicine are not met.',
    plan_exclusion: 'The plan does not pay for this medicine.',
    step_therapy_criteria_not_met: 'The plan wants other medicines to be tried first.',
    existing_denial: 'The plan has said no to this request before.',
    coverage_limits_exceeded: 'The amount is more than the plan pays for.',
    prior_weight_loss_program_required: 'The plan wants a weight-loss program first.',
  } as Readonly<Record<string, string>>,
  reason: (text: string) => `The reason in the plan’s own words: “${text}”`,
  patientName: 'Patient',
  born: 'Date of birth',
  drug: 'Drug',
  from: 'Approved from',
  until: 'Approved through',
  number: 'Authorization number',
  request: 'Request ID',
  printed: 'Printed',
  source: 'This notice repeats the plan’s decision. If the plan’s letter says something else, the letter is right.',
} as const;
