import type { DocumentReference } from 'fhir/r4.js';
import { presetOf } from '../config/presets/presets.ts';
import { attempt, skip } from './attempt.ts';
import { letterVersion, payerLetterVersion } from './case-facts.ts';
import { type ChannelStep, notAsked, onCasePage, writesNothing } from './channel-plan.ts';
import { createOnce } from './create-once.ts';
import type { Delivery } from './delivery.ts';
import {
  isCarried,
  isSettled,
  type LedgerEntry,
  mayExist,
  rowOf,
  type summaries,
  summaryRows,
  wasLookedFor,
} from './ledger.ts';
import { identifierOf } from './resources/common.ts';
import { communicationOf } from './resources/communication.ts';
import { type DocumentDraft, documentOf } from './resources/document-reference.ts';
import { letterOf, renderLetter } from './resources/letter.ts';

/**
 * Delivers the bridge's summary of the outcome by the first channel that accepts it, and the payer's own letters as
 * documents.
 */
export async function deliverLetters(delivery: Delivery, carriers: readonly ChannelStep[]): Promise<void> {
  const version = letterVersion(delivery.facts);
  if (!isCarried(delivery.rows(), version)) {
    await supersede(delivery, version);
    await carrySummary(delivery, carriers, version);
  }
  const carrier = carriers.find(({ type }) => type === 'DocumentReference');
  for (const [index, bytes] of (delivery.letters ?? []).entries())
    if (carrier === undefined) await leavePayerLetter(delivery, carriers, bytes);
    else await deliverPayerLetter(delivery, carrier, bytes, index < (delivery.letters?.length ?? 0) - 1);
}

async function carrySummary(delivery: Delivery, carriers: readonly ChannelStep[], version: string): Promise<void> {
  const reasons: string[] = [];
  for (const carrier of carriers) {
    const passed = await carry(delivery, carrier, version);
    if (passed === undefined) return await retireOther(delivery, carrier, version, reasons);
    reasons.push(passed);
  }
  const why = reasons.length === 0 ? writesNothing : reasons.join('; ');
  await skip(delivery, 'document', version, `${why}; ${onCasePage}`);
}

/** Returns undefined if the row is final or will be retried; else why the next channel should be tried. */
async function carry(delivery: Delivery, carrier: ChannelStep, version: string): Promise<string | undefined> {
  const known = rowOf(delivery.rows(), summaryBy(carrier), version);
  if (known?.state === 'skipped') return known.reason;
  if (known?.state === 'failed') return undefined;
  return carrier.type === 'DocumentReference'
    ? await deliverSummary(delivery, carrier, version)
    : await deliverMessage(delivery, carrier, version);
}

function summaryBy({ type }: ChannelStep): (typeof summaries)[number] {
  return type === 'Communication' ? 'communication' : 'document';
}

// A summary that waited for a token was planned for the site's first channel, but another channel may deliver it.
async function retireOther(
  delivery: Delivery,
  carrier: ChannelStep,
  version: string,
  reasons: readonly string[],
): Promise<void> {
  const others = summaryRows(delivery.rows(), version).filter(({ what }) => what !== summaryBy(carrier));
  const went = carrier.type === 'Communication' ? 'it goes as a message' : 'it goes as a document';
  for (const row of others)
    if (['planned', 'waiting'].includes(row.state) && !mayExist(row))
      await skip(delivery, row.what, version, [...reasons, went].join('; '));
}

// When the outcome has changed, an older letter is skipped if it certainly never got into the chart or was not found
// there.
async function supersede(delivery: Delivery, version: string): Promise<void> {
  const old = delivery
    .rows()
    .filter((row) => (row.what === 'document' || row.what === 'communication') && row.version !== version)
    .filter(
      (row) =>
        (['planned', 'waiting', 'failed'].includes(row.state) && !mayExist(row)) ||
        (row.state === 'planned' && wasLookedFor(row)),
    );
  for (const row of old) await skip(delivery, row.what, row.version, 'the outcome has changed since');
}

async function deliverSummary(delivery: Delivery, carrier: ChannelStep, version: string): Promise<string | undefined> {
  const { facts } = delivery;
  return await attempt(delivery, carrier, 'document', version, async (row) => {
    const render = () => renderLetter(letterOf(facts), new Date(facts.changedAt ?? delivery.now()));
    await createDocument(delivery, carrier, row, async () => ({ what: 'document', version, bytes: await render() }));
  });
}

async function deliverPayerLetter(
  delivery: Delivery,
  carrier: ChannelStep,
  bytes: Uint8Array,
  before: boolean,
): Promise<void> {
  const version = payerLetterVersion(bytes);
  if (isSettled(delivery.rows(), 'determination', version)) return;
  const passed = await attempt(delivery, carrier, 'determination', version, async (row) => {
    await createDocument(delivery, carrier, row, async () => ({ what: 'determination', version, bytes, before }));
  });
  if (passed !== undefined) await skip(delivery, 'determination', version, `${passed}; ${onCasePage}`);
}

async function leavePayerLetter(
  delivery: Delivery,
  carriers: readonly ChannelStep[],
  bytes: Uint8Array,
): Promise<void> {
  const version = payerLetterVersion(bytes);
  const row = delivery.row('determination', version);
  if (isSettled(delivery.rows(), 'determination', version) || mayExist(row)) return;
  const why = carriers.length === 0 ? writesNothing : notAsked('DocumentReference', presetOf(delivery.site));
  await skip(delivery, 'determination', version, `${why}; ${onCasePage}`);
}

async function createDocument(
  delivery: Delivery,
  step: ChannelStep,
  row: LedgerEntry,
  document: () => Promise<DocumentDraft>,
): Promise<void> {
  if (row.what === 'double') return;
  const identifier = identifierOf(delivery, row.what, row.version);
  let made: Promise<DocumentReference> | undefined;
  const make = () => (made ??= document().then((each) => documentOf(delivery, each).resource));
  await createOnce(delivery, { row, step, identifier, make });
}

async function deliverMessage(delivery: Delivery, carrier: ChannelStep, version: string): Promise<string | undefined> {
  return await attempt(delivery, carrier, 'communication', version, async (row) => {
    const { identifier, resource } = communicationOf(delivery, letterOf(delivery.facts), version);
    await createOnce(delivery, { row, step: carrier, identifier, make: async () => resource });
  });
}
