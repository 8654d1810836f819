import type { Store } from '../../store/types.ts';
import { queues } from './queues.ts';

export interface QueueCount {
  readonly queue: string;
  /** Jobs that could run now. */
  readonly waiting: number;
  /** Seconds for which the oldest job that could run now has waited. */
  readonly oldestSeconds: number;
}

/** How far behind each queue is. A result up to a minute old may be returned. */
export async function queueCounts({ boss }: Pick<Store, 'boss'>): Promise<readonly QueueCount[]> {
  const counts: QueueCount[] = [];
  for (const { name } of queues) {
    const [latest] = await boss.getQueueStats(name, { force: true });
    counts.push({ queue: name, waiting: latest?.readyCount ?? 0, oldestSeconds: latest?.readyOldestSeconds ?? 0 });
  }
  return counts;
}
