import type { Signature } from '../../../cases/signature.ts';
import { plural } from '../../ui/common-words.ts';

/** The texts for submitting a request for signature, and for the page on which it is signed. */
export const sign = {
  title: 'Sign',
  heading: { draft: 'For your signature', reply: 'Reply to the payer, for your signature' },
  headingOthers: { draft: 'For signature', reply: 'Reply to the payer, for signature' },
  worklist: 'Worklist',
  /** For the confirmation page. */
  ask: (prescriber: string) => `Hand over to ${prescriber} to sign`,
  prescriber: 'the prescriber',
  signAndSend: (patient: string) => `Sign and send for ${patient}`,
  sendWithout: 'Nothing was sent: it is not signed, or it changed after it was signed.',
  needed: 'Your practice sends this only with the prescriber’s signature.',
  notNeeded: 'You can ask for a signature, or send it without one.',
  /** For the page on which the request is signed. */
  record: 'Recorded here by name and time. This is not a legal signature.',
  approve: 'Approve and sign',
  approveReply: { queued: 'Sign, and send the reply', printed: 'Sign the reply' },
  afterwards: {
    draft: 'Your practice then sends it. Nothing leaves by itself.',
    queued: 'The reply leaves right after.',
    printed: 'Your practice then prints and sends it.',
  },
  returnIt: 'Return it with a note',
  takeBack: 'Take the signature back',
  takeBackButton: 'Take it back',
  note: 'What has to change',
  noteHint: 'Your colleagues read it here. It is never sent and never written to the chart.',
  returnButton: 'Return it',
  what: 'What will be sent',
  why: 'Why this drug',
  noWhy: 'No answers to the payer’s usual questions go with it.',
  attached: 'What is attached',
  noneAttached: 'No documents.',
  all: 'Every value that will be sent',
  warnings: (count: number) => plural(count, 'warning', 'warnings'),
  question: 'The payer asks',
  reply: 'The reply',
  replyBy: (name: string) => `Written by ${name}`,
  documents: 'Documents that go with it',
  changed: 'Changed from the chart',
  unchanged: 'Nothing. Every value is as the chart has it.',
  from: (had: string, text: string) => `from “${had}” to “${text}”`,
  added: (text: string, said: readonly string[], proposed: readonly string[]) => {
    const parts = [
      ...(said.length === 0 ? [] : [`the chart says ${said.join(', ')}`]),
      ...(proposed.length === 0 ? [] : [`proposed was ${proposed.join(', ')}`]),
    ];
    return `“${text}”; ${parts.length === 0 ? 'the chart has nothing' : parts.join('; ')}`;
  },
  beside: (text: string, had: string) => `“${text}”; ${had}`,
  chosen: (text: string) => `“${text}” was chosen`,
  left: (had: string) => `“${had}” is not sent`,
  /** Why the reader may not sign. */
  mayNot: (prescriber: string, others: boolean) =>
    `You can read this, but not sign it: only ${prescriber}${others ? ', or whom your practice named,' : ''} can.`,
  gone: 'This was changed after it was handed over, so there is nothing to sign yet. It has to be handed over again.',
  stale:
    'This is not what you saw: it was changed or handed over again meanwhile. Nothing was signed. Look at it again.',
  signedNow: 'Signed. Thank you.',
  returnedNow: 'Returned. Your colleagues see your note.',
  nextOne: 'Next to sign',
  open: 'Open the request',
  toSign: 'Sign',
  see: 'See what waits for a signature',
  signsReply: { queued: 'Sign and send the reply', printed: 'Sign the reply, and make it to print' },
  askReply: 'Hand the reply over to be signed',
  replyWaits: {
    queued: 'Once it is signed, it leaves by itself.',
    printed: 'Once it is signed, it has to be printed and sent.',
  },
  since: 'since',
  askedBy: (name: string) => `, handed over by ${name}`,
  changedBy: (name: string) => `, by ${name}`,
  signedBy: (name: string) => `, signed by ${name}`,
  signedReply: 'Signed by',
  returnedReply: 'Returned by',
  file: 'a file',
} as const;

/** The state of a signature in a few words, and what it means for the sender. */
export function signatureWords(
  { state, isChanged, settledBy }: Signature,
  prescriber?: string,
): {
  readonly label: string;
  readonly meaning: string;
} {
  const signer = settledBy?.name ?? 'the signer';
  if (isChanged)
    return {
      label: state === 'signed' ? 'Changed since it was signed' : 'Changed since it was handed over',
      meaning: 'Hand it over again: a signature belongs to what was seen.',
    };
  if (state === 'asked') return { label: waitingFor(prescriber), meaning: 'It can be sent once it is signed.' };
  if (state === 'signed') return { label: `Signed by ${signer}`, meaning: sign.record };
  return { label: `Returned by ${signer}`, meaning: 'Correct it, then hand it over again.' };
}

/** `Waiting: signature of Adwoa Osei-Brandt on the reply` */
export function replyWaitingFor(prescriber: string | undefined): string {
  return `${waitingFor(prescriber)} on the reply`;
}

/** `Waiting: signature of Adwoa Osei-Brandt` */
export function waitingFor(prescriber: string | undefined): string {
  return prescriber === undefined || prescriber === '' ? 'Waiting: signature' : `Waiting: signature of ${prescriber}`;
}
