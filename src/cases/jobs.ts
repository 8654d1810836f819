import type { RecordKind } from '../core/contract/kinds.ts';
import type { Job } from '../store/types.ts';

/** What each job carries: ids only, since the queue's tables are not sealed. What they do is in work/. */
export interface JobData {
  /** Read the record of a case now. */
  look: { readonly case: string };
  /** Read it when its turn comes. */
  poll: {
    readonly case: string;
    /** The site's rate limit already counts it. */
    readonly reserved?: boolean;
    /** For an ended case: read the record even if no reading is due. */
    readonly onceMore?: boolean;
  };
  /** Read a record that no case has by its id: it may answer a request whose answer was lost. */
  match: {
    readonly site: string;
    readonly serviceId: string;
    readonly kind: RecordKind;
    /** The case whose own answer named it. */
    readonly case?: string;
    readonly tries?: number;
  };
  /** A request was in `sending` for too long: its answer is lost. */
  settle: { readonly case: string; readonly attempt: number };
  /** Fetch the payer's letter. */
  letter: { readonly case: string; readonly tries?: number };
  /** The open work for the rounds of a case: store a question, fetch its files, send a reply. */
  round: { readonly case: string; readonly tries?: number };
  /** Mark the patient's ended requests as followed by this one, or as followed no longer. */
  follow: { readonly case: string };
  /** Bring the chart up to date; `launch` lends its token, `author` is its user. */
  deliver: { readonly case: string; readonly launch?: string; readonly author?: string };
}

export type QueueName = keyof JobData;

/** A job for the store. Jobs of one queue with the same key are one while they wait. */
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
