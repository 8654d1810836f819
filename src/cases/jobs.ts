import type { RecordKind } from '../core/contract/kinds.ts';
import type { Job } from '../store/types.ts';

/** The data of each job: ids only, because the queue's tables are not sealed. The handlers are in work/. */
export interface JobData {
  /** Reads the record of a case now. */
  look: { readonly case: string };
  /** Reads the record of a case on the polling schedule. */
  poll: {
    readonly case: string;
    /** Whether the site's rate limit already counts this reading. */
    readonly reserved?: boolean;
    /** For an ended case: read the record even if no reading is due. */
    readonly onceMore?: boolean;
  };
  /** Reads a record whose id no case has, because it may answer a request whose answer was lost. */
  match: {
    readonly site: string;
    readonly serviceId: string;
    readonly kind: RecordKind;
    /** The case whose own answer contained the id. */
    readonly case?: string;
    readonly tries?: number;
  };
  /** Settles a request that was in `sending` for too long: its answer is lost. */
  settle: { readonly case: string; readonly attempt: number };
  letter: { readonly case: string; readonly tries?: number };
  /** Does the open work for the rounds of a case: stores a question, fetches its files, sends a reply. */
  round: { readonly case: string; readonly tries?: number };
  /** Marks the patient's ended requests as followed by this case, or removes the marks. */
  follow: { readonly case: string };
  /** Updates the chart; `launch` is the launch whose token is used, `author` its user. */
  deliver: { readonly case: string; readonly launch?: string; readonly author?: string };
}

export type QueueName = keyof JobData;

/** A job for the store. Waiting jobs of one queue with the same key are merged into one. */
export function job<Name extends QueueName>(
  queue: Name,
  site: string,
  data: JobData[Name],
  afterSeconds?: number,
): Job {
  return {
    queue,
    site,
    key: keys[queue](data),
    data: { ...data },
    ...(afterSeconds === undefined || afterSeconds <= 0 ? {} : { afterSeconds }),
  };
}

const keys: { readonly [Name in QueueName]: (data: JobData[Name]) => string } = {
  look: (data) => data.case,
  poll: (data) => data.case,
  match: ({ site, serviceId }) => `${site}|${serviceId}`,
  settle: ({ case: id, attempt }) => `${id}|${attempt}`,
  letter: (data) => data.case,
  round: (data) => data.case,
  follow: (data) => data.case,
  deliver: ({ case: id, launch }) => `${id}|${launch ?? ''}`,
};
