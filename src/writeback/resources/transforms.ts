import type { Transform } from '../../core/mapping/words/rules.ts';
import { type TaskStatus, taskStatuses } from './shapes.ts';

export const taskStatus: Transform<TaskStatus> = {
  name: 'taskStatus',
  apply(value) {
    const status = taskStatuses.find((known) => known === value);
    return status === undefined ? { refused: 'not_a_task_status' } : { value: status };
  },
};

export const wholeNumber: Transform<number> = {
  name: 'wholeNumber',
  apply: (value) => (typeof value === 'number' && Number.isInteger(value) ? { value } : { refused: 'whole_number' }),
};
