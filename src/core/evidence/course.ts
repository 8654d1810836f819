import { oldestFirst } from '../fhir/time/newest-first.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Today } from '../fhir/time/today.ts';
import type { Cited } from './cite.ts';
import { evidenceDay, newest, oldest } from './dates.ts';
import { gapsBetween, lastDayCovered, type SupplyGap, type SupplySpan } from './supply.ts';
import type { TherapyEntry } from './therapy-entries.ts';

/** The combined information of all entries about one drug. Every date and word is from the chart. */
export interface Course {
  /** The newest entry says that therapy ended. */
  readonly isOver: boolean;
  readonly start: Cited<string> | undefined;
  /** Present only if the chart shows an order before the drug was first taken. */
  readonly firstOrdered: Cited<string> | undefined;
  readonly stop: Cited<string> | undefined;
  readonly status: Cited<string> | string;
  readonly stopReasons: readonly Cited<string>[];
  /** The drug was stopped or put on hold, and the chart gives no reason. For staff, not for the payer. */
  readonly isUnexplained: boolean;
  readonly daysWithoutSupply: readonly SupplyGap[];
}

const stopped = new Set(['stopped', 'on-hold']);

/** The entries must be in order, oldest first. */
export function courseOf(timeline: readonly TherapyEntry[], today: Today): Course {
  const last = timeline.findLast(({ kind }) => kind !== 'dispense') ?? timeline.at(-1);
  const isOver = last === undefined || isPast(last, today);
  const { timeZone } = today;
  const start = oldest(
    timeline.flatMap((entry) => entry.start ?? entry.handedOver ?? []),
    timeZone,
  );
  const ordered = oldest(
    timeline.flatMap((entry) => entry.ordered ?? []),
    timeZone,
  );
  const wasOrderedBefore = oldestFirst(timeZone)(ordered?.value, start?.value) < 0;
  const stopReasons = distinct(timeline.flatMap(({ reasons }) => reasons));
  const status = last?.status.value ?? '';
  const hasReason = stopReasons.length > 0 || timeline.some(({ hasNote }) => hasNote === true);
  return {
    isOver,
    start,
    firstOrdered: start === undefined || wasOrderedBefore ? ordered : undefined,
    stop: isOver
      ? newest(
          timeline.flatMap(({ stop }) => stop ?? []),
          timeZone,
        )
      : undefined,
    status: last?.kind === 'dispense' ? 'dispensed' : (last?.status ?? ''),
    stopReasons,
    isUnexplained: stopped.has(status) && !hasReason,
    daysWithoutSupply: gapsBetween(timeline.flatMap(supplyOf)),
  };
}

function distinct(reasons: readonly Cited<string>[]): Cited<string>[] {
  return [...new Map(reasons.toReversed().map((reason) => [reason.value, reason])).values()].toReversed();
}

function isPast(entry: TherapyEntry, today: Today): boolean {
  return entry.kind === 'dispense' ? isUsedUp(entry, today) : hasEnded(entry, today);
}

function hasEnded({ status, stop }: TherapyEntry, today: Today): boolean {
  if (status.value !== 'active' && status.value !== 'intended') return true;
  return stop !== undefined && standing({ end: stop.value }, today) === 'ended';
}

// A fill of unknown duration counts as used up.
function isUsedUp({ handedOver, daysSupply }: TherapyEntry, today: Today): boolean {
  const from = evidenceDay(handedOver);
  if (from === undefined || daysSupply === undefined) return true;
  return (lastDayCovered({ from, days: daysSupply }, undefined) ?? '') < today.day;
}

// Handovers and statements with a start show supply; an order does not.
function supplyOf({ kind, handedOver, start, stop, daysSupply }: TherapyEntry): SupplySpan[] {
  const from = kind === 'order' ? undefined : evidenceDay(kind === 'dispense' ? handedOver : start);
  if (from === undefined) return [];
  const to = evidenceDay(stop);
  return [{ from, ...(to === undefined ? {} : { to }), ...(daysSupply === undefined ? {} : { days: daysSupply }) }];
}
