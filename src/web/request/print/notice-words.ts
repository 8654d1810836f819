/** The texts of the printed notices: plain words, and nothing that neither the payer nor the record said. */
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
  },
  reason: (text: string) => `The reason that the plan gave: ${text}`,
  patientName: 'Patient',
  born: 'Date of birth',
  drug: 'Drug',
  from: 'Approved from',
  until: 'Approved through',
  request: 'Request ID',
  printed: 'Printed',
  source: 'This notice repeats the plan’s decision. The plan’s own letter counts.',
} as const;
