import type { DocumentReference } from 'fhir/r4.js';
import type { ChannelStep, Reach } from './channel-plan.ts';
import { type Delivery, Unsaved } from './delivery.ts';
import { type FoundInChart, find, isSameResource, soughtBy } from './find.ts';
import { because, type LedgerEntry, looksBeforeAnother, mayBeDoubled, toRetract, withoutReason } from './ledger.ts';
import { namespace } from './resources/common.ts';
import { byHand, markInError, stepTo, writableType } from './retract.ts';
import { isFirstLook, isGivenUp, isLookDue, judgeFailure } from './retry.ts';

/** Searches that do not even show the known copy. After this many, the search for second copies ends. */
const mostLooks = looksBeforeAnother + 4;

/**
 * Searches the chart, when that is due, for what may have arrived late: second copies of resources that were written
 * more than once, and older updates of the Task.
 */
export async function lookForDoubles(delivery: Delivery): Promise<void> {
  if (delivery.busy.length > 0) return;
  const due = delivery.rows().filter((row) => mayBeDoubled(row) && isLookDue(row, delivery.clock()));
  for (const row of due) {
    try {
      await lookForDouble(delivery, row);
    } catch (error) {
      const { reason } = judgeFailure(error);
      if (error instanceof Unsaved) throw error;
      delivery.log.warn({ case: delivery.facts.id, what: row.what, reason }, 'not looked for a second copy');
      if (isGivenUp(row, delivery.clock())) await delivery.put(settled(row));
    }
  }
}

async function lookForDouble(delivery: Delivery, row: LedgerEntry): Promise<void> {
  const { what, version, reference, looks = 0 } = row;
  if (what === 'double' || reference === undefined) return;
  const step = stepTo(delivery, writableType(reference));
  const document = step.reach.read ? await withoutIdentifier(delivery, reference) : undefined;
  const { live } = await find(
    delivery,
    document === undefined ? step : { ...step, reach: { ...step.reach, search: searchWithout(step.reach.search) } },
    { ...soughtBy(delivery, what, version), ...(document === undefined ? {} : { document }) },
  );
  await noteDoubles(delivery, step, row, live);
  // A search that does not show the known copy would not show another copy either. A search that shows it may still
  // miss a copy that was stored later, but no EHR is known to lag by an hour.
  const isShown = live.some((found) => isSameResource(found.reference, reference));
  const isLast = (isShown && !isFirstLook(row)) || step.reach.search === 'none' || looks + 1 >= mostLooks;
  const next = isLast ? settled(row) : { ...row, looks: looks + 1 };
  // An older update of the Task may have arrived late and replaced the newest, so the Task is read again.
  const state = what === 'task' && row.state === 'done' ? 'planned' : row.state;
  await delivery.put({ ...next, state, at: delivery.now() });
}

// In an EHR that drops identifiers, other copies are recognized by the content of the known copy.
async function withoutIdentifier(delivery: Delivery, reference: string): Promise<DocumentReference | undefined> {
  if (writableType(reference) !== 'DocumentReference') return undefined;
  const known = await delivery.api.read<DocumentReference>(
    'DocumentReference',
    reference.replace('DocumentReference/', ''),
  );
  const isOurs = known?.identifier?.some(({ system }) => system === namespace(delivery, 'document')) === true;
  return isOurs ? undefined : known;
}

function searchWithout(search: Reach['search']): Reach['search'] {
  return search === 'identifier' ? 'patient' : search;
}

function settled({ looks: _, ...row }: LedgerEntry): LedgerEntry {
  return row;
}

/**
 * Adds a row for each other copy of a row's resource. If the bridge certainly wrote it, it will be retracted; else it
 * is left to a person.
 */
export async function noteDoubles(
  delivery: Delivery,
  step: ChannelStep,
  row: LedgerEntry,
  live: readonly FoundInChart[],
): Promise<void> {
  const kept = live.find((found) => isSameResource(found.reference, row.reference));
  // A copy of the payer's letter that somebody else put into the chart is not a duplicate.
  const alike = live.filter(({ carriesIdentifier }) => carriesIdentifier === kept?.carriesIdentifier);
  const others = alike.filter((found) => !isSameResource(found.reference, kept?.reference));
  for (const other of others) {
    const isKnown = delivery
      .rows()
      .some((each) => each.what === 'double' && isSameResource(each.version, other.reference));
    if (isKnown) continue;
    const double = toRetract(other.reference, delivery.now());
    const copy = `a second copy of ${kept?.reference} that may not be the bridge’s own`;
    const reason = `${copy}: mark one of them as entered in error in the EHR`;
    await delivery.put(isCertain(step, kept, other) ? double : { ...double, state: 'failed', reason });
  }
}

function isCertain({ type }: ChannelStep, kept: FoundInChart | undefined, other: FoundInChart): boolean {
  if (!other.carriesIdentifier || kept === undefined) return false;
  return type !== 'DocumentReference' || kept.hash === other.hash;
}

/** Retracts one duplicate: marks it as entered in error, or leaves it to a person. Throws temporary errors. */
export async function retractDouble(delivery: Delivery, row: LedgerEntry): Promise<void> {
  const { reference } = row;
  if (reference === undefined) return;
  const sent = await delivery.put({ ...row, state: 'in_flight', attempts: row.attempts + 1 });
  const refusal = await markInError(delivery, stepTo(delivery, writableType(reference)), reference);
  const rest = withoutReason(sent);
  const at = delivery.now();
  if (refusal === undefined) await delivery.put({ ...rest, state: 'retracted', token: delivery.token, at });
  else
    await delivery.put({
      ...because(rest, { ...refusal, reason: `${kindOf(delivery, reference)}: ${byHand(reference, refusal.reason)}` }),
      state: 'failed',
      at,
    });
}

function kindOf(delivery: Delivery, reference: string): string {
  const isClosing = delivery.rows().some((row) => row.what === 'closing-task' && row.reference === reference);
  return isClosing ? 'it tells an end that has changed since' : 'a second copy';
}
