import { plural } from '../../ui/common-words.ts';

export const confirm = {
  scans: (count: number) =>
    `${plural(count, 'scan of the signed consent is', 'scans of the signed consent are')} kept with it and not sent.`,
  pageTitle: {
    'prior-auth': 'Check and send',
    enrollment: 'Check and send the enrollment',
    'benefit-verification': 'Check and send the benefit verification',
  },
  goesTo: (payer: string | undefined) =>
    payer === undefined
      ? 'This goes to the prior authorization service.'
      : `This goes to ${payer} through the prior authorization service.`,
  afterwards: {
    'prior-auth': 'After sending, the request can be canceled but not changed.',
    enrollment: 'You cannot change or cancel the enrollment here after it is sent.',
    'benefit-verification': 'It asks the plan what it covers and decides nothing. After sending it can be canceled.',
  },
  noBirthDate: 'date of birth not in the chart',
  born: (day: string) => `born ${day}`,
  mrn: (mrn: string) => `MRN ${mrn}`,
  sendFor: (patient: string) => `Send for ${patient}`,
  sendWithout: (patient: string) => `Send for ${patient} without documents`,
  suggested: (count: number) =>
    count === 1
      ? 'Send it without the document that is suggested?'
      : `Send it without any of the ${count} suggested documents?`,
  attach: (count: number) => (count === 1 ? 'Attach the suggested document' : `Attach the ${count} suggested`),
  consent: (by: string, on: string, how: string) => `Consent: ${by}, ${on}, ${how}.`,
  noDocuments: (suggested: number) => (suggested === 0 ? 'None.' : `None. ${suggested} suggested.`),
  back: 'Back to edit',
  what: 'What will be sent',
  all: 'Every value that will be sent',
  card: 'insurance card attached',
  sending: 'Send',
  decided: (label: string) => `This order already has a decision: ${label}. This is a new request.`,
  unattested: 'Nothing was sent. Confirm the statement first.',
  asked: 'A request for this drug is already under way for this patient',
  sendBoth: 'I have looked at it and want to send this request as well',
} as const;
