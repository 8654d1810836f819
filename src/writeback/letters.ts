import { attempt, skip } from './attempt.ts';
import { letterVersion, payerLetterVersion } from './case-facts.ts';
import { createOnce } from './create-once.ts';
import type { Delivery } from './delivery.ts';
import type { Step } from './ladder.ts';
import { isSettled, type LedgerEntry, mayExist } from './ledger.ts';
import { identifierOf } from './resources/common.ts';
import { communicationOf } from './resources/communication.ts';
import { type Document, documentOf } from './resources/document-reference.ts';
import { letterOf, renderLetter } from './resources/letter.ts';
import type { DocumentReferenceShape } from './resources/shapes.ts';

/** Our summary of the outcome by the first carrier that takes it, and the payer’s own letters as documents. */
export async function deliverLetters(delivery: Delivery, carriers: readonly Step[]): Promise<void> {
  const version = letterVersion(delivery.facts);
  if (!isSettled(delivery.rows(), 'document', version) && !isSettled(delivery.rows(), 'communication', version)) {
    await supersede(delivery, version);
    await carrySummary(delivery, carriers, version);
  }
  const carrier = carriers.find(({ type }) => type === 'DocumentReference');
  if (carrier === undefined) return;
  for (const [index, bytes] of (delivery.letters ?? []).entries())
    await deliverPayerLetter(delivery, carrier, bytes, index < (delivery.letters?.length ?? 0) - 1);
}

async function carrySummary(delivery: Delivery, carriers: readonly Step[], version: string): Promise<void> {
  const reasons: string[] = [];
  for (const carrier of carriers) {
    const passed =
      carrier.type === 'DocumentReference'
        ? await deliverSummary(delivery, carrier, version)
        : await deliverMessage(delivery, carrier, version);
    if (passed === undefined) return;
    reasons.push(passed);
  }
  const reason = `${reasons.join('; ')}; the letter is on the case page`;
  if (reasons.length > 0) await skip(delivery, 'document', version, reason);
}

// A letter that certainly never got into the chart is not wanted any more once the outcome has changed.
async function supersede(delivery: Delivery, version: string): Promise<void> {
  const old = delivery
    .rows()
    .filter((row) => (row.what === 'document' || row.what === 'communication') && row.version !== version)
    .filter((row) => ['planned', 'waiting', 'failed'].includes(row.state) && !mayExist(row));
  for (const row of old) await skip(delivery, row.what, row.version, 'the outcome has changed since');
}

async function deliverSummary(delivery: Delivery, carrier: Step, version: string): Promise<string | undefined> {
  const { facts } = delivery;
  return await attempt(delivery, carrier, 'document', version, async (row) => {
    const render = () => renderLetter(letterOf(facts), new Date(facts.changedAt ?? delivery.now()));
    await createDocument(delivery, carrier, row, async () => ({ what: 'document', version, bytes: await render() }));
  });
}

async function deliverPayerLetter(
  delivery: Delivery,
  carrier: Step,
  bytes: Uint8Array,
  before: boolean,
): Promise<void> {
  const version = payerLetterVersion(bytes);
  if (isSettled(delivery.rows(), 'determination', version)) return;
  const passed = await attempt(delivery, carrier, 'determination', version, async (row) => {
    await createDocument(delivery, carrier, row, async () => ({ what: 'determination', version, bytes, before }));
  });
  if (passed !== undefined) await skip(delivery, 'determination', version, `${passed}; the letter is on the case page`);
}

async function createDocument(
  delivery: Delivery,
  step: Step,
  row: LedgerEntry,
  document: () => Promise<Document>,
): Promise<void> {
  if (row.what === 'double') return;
  const identifier = identifierOf(delivery, row.what, row.version);
  let made: Promise<DocumentReferenceShape> | undefined;
  const make = () => (made ??= document().then((each) => documentOf(delivery, each).resource));
  await createOnce(delivery, { row, step, identifier, make });
}

async function deliverMessage(delivery: Delivery, carrier: Step, version: string): Promise<string | undefined> {
  return await attempt(delivery, carrier, 'communication', version, async (row) => {
    const { identifier, resource } = communicationOf(delivery, letterOf(delivery.facts), version);
    await createOnce(delivery, { row, step: carrier, identifier, make: async () => resource });
  });
}
