import { type Actor, type Case, type HistoryEntry, recordOf } from '../../../cases/case.ts';
import { asksProvider } from '../../../cases/rounds/merge.ts';
import type { ActivityEntry } from '../../../core/contract/prior-authorization.ts';
import { instantAt } from '../../../core/fhir/time/time-zone.ts';
import type { StoredEvent } from '../../../store/types.ts';
import { standingOf } from '../../ui/status.tsx';
import { durationText, timeline as words } from './words.ts';

/** An event of the case, or an activity at the service. */
export interface Happening {
  /** A UTC instant. Text from the service that is not a time stays unchanged. */
  readonly at: string;
  readonly what: string;
  readonly by?: Actor;
  /** How long a status lasted until the next one: `2 days`. */
  readonly lasted?: string;
  /** The part of the note of a call with the payer that may be shown. */
  readonly note?: string;
}

export interface Timeline {
  /** Newest first. */
  readonly milestones: readonly Happening[];
  /** Events that only IT support needs, newest first. */
  readonly details: readonly Happening[];
}

/** Events that do not interest people who follow a request. */
const small: ReadonlySet<string> = new Set([
  'draft_opened',
  'accepted',
  'letter_missing',
  'letter_kept',
  'letter_asked',
  'writeback_asked',
]);

/**
 * The events of a request: the case's own history and the service's activity log. `timeZone` applies to times from the
 * service that state no zone.
 */
export function timelineOf(one: Case, timeZone: string): Timeline {
  const typed = one.events.length === one.history.length;
  // The last status shows the decision instead of the service's status for a finished record.
  const last = one.state === 'ended' ? one.events.findLastIndex(({ type }) => type === 'status') : -1;
  const own = one.history.map((entry, index) => ({
    ...happeningOf(entry, typed ? one.events.slice(index) : []),
    ...(typed && index === last ? { what: standingOf(one).label } : {}),
    isSmall: typed && isSmall(one.events, index),
  }));
  const activities = (recordOf(one)?.activity_log ?? []).map((entry) => ({
    ...activityOf(entry, timeZone),
    isSmall: false,
  }));
  const all = newestFirst([...own, ...activities]);
  return {
    milestones: all.filter(({ isSmall }) => !isSmall).map(plain),
    details: all.filter(({ isSmall }) => isSmall).map(plain),
  };
}

function isSmall(events: readonly StoredEvent[], index: number): boolean {
  const { type = '', facts } = events[index] ?? {};
  // The question has its own entry, so the status that came with it is a detail.
  if (type === 'status' && facts?.status === asksProvider) return events.some((event) => event.type === 'asked');
  return small.has(type);
}

/** The time of an activity as a UTC instant. Text that is not a time stays unchanged. */
export function instantOf({ created_at: at }: Pick<ActivityEntry, 'created_at'>, timeZone: string): string {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(at);
  const instant = hasZone ? Date.parse(at) : instantAt(at.slice(0, 19), timeZone);
  return Number.isNaN(instant) ? at : new Date(instant).toISOString();
}

function happeningOf({ at, what, by }: HistoryEntry, [event, ...later]: readonly StoredEvent[]): Happening {
  const next = event?.type === 'status' ? later.find(({ type }) => type === 'status') : undefined;
  return {
    at,
    what,
    ...(by === 'bridge' ? {} : { by }),
    ...(next === undefined ? {} : { lasted: durationText(Date.parse(next.at) - Date.parse(at)) }),
  };
}

function activityOf(entry: ActivityEntry, timeZone: string): Happening {
  const note = entry.details?.notes;
  return {
    at: instantOf(entry, timeZone),
    what: words.activities[entry.type ?? ''] ?? words.otherActivity,
    ...(note === undefined ? {} : { note }),
  };
}

// Entries without a valid time are shown first.
function newestFirst<T extends Happening>(all: readonly T[]): T[] {
  const rank = ({ at }: Happening) => (Number.isNaN(Date.parse(at)) ? Number.POSITIVE_INFINITY : Date.parse(at));
  return all.toReversed().toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(other) - rank(one)));
}

function plain({ isSmall: _, ...happening }: Happening & { readonly isSmall: boolean }): Happening {
  return happening;
}
