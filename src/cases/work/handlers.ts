import type { CaseContext } from '../context.ts';
import { deliverCase } from '../deliver.ts';
import { lookAt, matchRecord } from '../follow.ts';
import { markFollowed } from '../followed.ts';
import type { JobData, QueueName } from '../jobs.ts';
import { fetchLetter } from '../letter.ts';
import { workOnRounds } from '../rounds/work.ts';
import { pollCase } from './poll-case.ts';

/** The handler of each queue's jobs. Running a handler twice has no further effect. */
export const handlers: {
  readonly [Name in QueueName]: (context: CaseContext, data: JobData[Name]) => Promise<unknown>;
} = {
  look: lookAt,
  match: matchRecord,
  deliver: deliverCase,
  letter: fetchLetter,
  round: workOnRounds,
  follow: markFollowed,
  settle: (context, { case: id, attempt }) => context.change(id, 'lose', { attempt }),
  poll: pollCase,
};
