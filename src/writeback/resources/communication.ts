import type { Communication } from 'fhir/r4.js';
import type { Delivery } from '../delivery.ts';
import { lettersInChart } from '../ledger.ts';
import { authorOf, type Identified, identifierOf, kindWords } from './common.ts';
import { type Letter, letterText } from './letter.ts';

/** Builds the letter as a message, for EHRs that accept neither Task nor DocumentReference. */
export function communicationOf(delivery: Delivery, letter: Letter, version: string): Identified<Communication> {
  const { facts } = delivery;
  const identifier = identifierOf(delivery, 'communication', version);
  const author = authorOf(delivery);
  const earlier = earlierMessages(delivery, version);
  const resource: Communication = {
    resourceType: 'Communication',
    identifier: [identifier],
    status: 'completed',
    category: [{ text: `${kindWords[facts.kind].label} outcome` }],
    subject: { reference: facts.patient },
    about: [{ reference: facts.order }],
    ...(facts.encounter === undefined ? {} : { encounter: { reference: facts.encounter } }),
    ...(earlier.length === 0 ? {} : { inResponseTo: earlier.map((reference) => ({ reference })) }),
    sent: facts.changedAt ?? delivery.now(),
    ...(author.reference === undefined ? {} : { sender: author }),
    ...(facts.prescriber === undefined ? {} : { recipient: [{ reference: facts.prescriber }] }),
    payload: [{ contentString: letterText(letter) }],
  };
  return { resource, identifier };
}

// A message cannot be replaced, so a later message refers to the earlier messages.
function earlierMessages({ rows }: Delivery, version: string): string[] {
  return lettersInChart(rows())
    .filter((row) => row.what === 'communication' && row.version !== version)
    .flatMap(({ reference }) => reference ?? []);
}
