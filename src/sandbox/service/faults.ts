import { z } from 'zod';

/** Something that goes wrong at the next request of an operation, once. */
export const Fault = z.discriminatedUnion('kind', [
  /**
   * Answers with this status and does nothing else. 503 and 429 have the service's error body, and Retry-After when
   * given (seconds).
   */
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), retryAfter: z.number().optional() }),
  /** Cuts the connection before or after the request took effect; after it, the answer is lost. */
  z.strictObject({ kind: z.literal('drop'), when: z.enum(['before', 'after']) }),
]);
export type Fault = z.infer<typeof Fault>;

export const operations = ['create', 'get', 'cancel', 'enroll'] as const;
export type Operation = (typeof operations)[number];

/** Faults to come, for tests and demonstrations. */
export interface Faults {
  /** Every request is cut off while true. */
  down: boolean;
  next(operation: Operation, fault: Fault): void;
  /** Takes the next fault of an operation out of the queue. */
  take(operation: Operation): Fault | undefined;
}

export function createFaults(): Faults {
  const queues = new Map<Operation, Fault[]>();
  return {
    down: false,
    next(operation, fault) {
      queues.set(operation, [...(queues.get(operation) ?? []), fault]);
    },
    take: (operation) => queues.get(operation)?.shift(),
  };
}
