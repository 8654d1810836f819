import type { ServiceSwitches } from './service-switches.ts';
import { type Activity, naive, type StoredPriorAuthorization } from './stored-record.ts';

interface Moment {
  /** The previous record; undefined for a new record. */
  readonly before: StoredPriorAuthorization | undefined;
  readonly at: Date;
  readonly site: string;
  readonly switches: Pick<ServiceSwitches, 'take'>;
}

/** Returns a record that has just entered its status, changed by the switches. */
export function misbehaving(stored: StoredPriorAuthorization, moment: Moment): StoredPriorAuthorization {
  const { at, site, switches } = moment;
  const status = switches.take('unknown-status', { site }, ({ instead }) => instead === stored.status);
  const activity = [...withLateLetter(stored.activity, moment), ...unknownActivity(stored, moment)];
  const misstated = { ...stored, activity, ...(status === undefined ? {} : { shownAs: status.as }) };
  if (stored.status !== 'completed') return misstated;
  const outcome = { ...stored.outcome, ...defined(switches.take('unknown-outcome', { site })) };
  const back = stored.wasTurnedBack === true ? undefined : switches.take('turn-back', { site });
  if (back === undefined) return { ...misstated, outcome };
  return { ...misstated, outcome, turnBack: back.to, dueAt: at.getTime() + back.afterSeconds * 1000 };
}

function withLateLetter(activity: readonly Activity[], { before, at, site, switches }: Moment): readonly Activity[] {
  const known = before?.activity.length ?? 0;
  return activity.map((entry, index) => {
    if (index < known || entry.type !== 'received_fax') return entry;
    const seconds = switches.take('late-letter', { site });
    return seconds === undefined ? entry : { ...entry, hiddenUntil: at.getTime() + seconds * 1000 };
  });
}

function unknownActivity({ id, activity }: StoredPriorAuthorization, { at, site, switches }: Moment): Activity[] {
  const shownAs = switches.take('unknown-activity', { site });
  if (shownAs === undefined) return [];
  return [{ id: `unknown__${id}_${activity.length}`, createdAt: naive(at), type: 'unknown', shownAs }];
}

function defined(outcome: { readonly result?: string | undefined; readonly detail_code?: string | undefined } = {}): {
  readonly result?: string;
  readonly detail_code?: string;
} {
  const { result, detail_code } = outcome;
  return { ...(result === undefined ? {} : { result }), ...(detail_code === undefined ? {} : { detail_code }) };
}
