import type { Store } from '../../store/types.ts';
import { queues } from './queues.ts';

export interface QueueCount {
  readonly queue: string;
  /** Jobs that could run now. */
  readonly waiting: number;
  /** How long the oldest of them has waited. */
  readonly oldestSeconds: number;
}

/** How far behind each queue is; a result from the last minute may be reused. */
export async function queueCounts({ boss }: Pick<Store, 'boss'>): Promise<readonly QueueCount[]> {
  const counts: QueueCount[] = [];
  for (const { name } of queues) {
    const [latest] = await boss.getQueueStats(name, { force: true });
    counts.push({ queue: name, waiting: latest?.readyCount ?? 0, oldestSeconds: latest?.readyOldestSeconds ?? 0 });
  }
  return counts;
}
