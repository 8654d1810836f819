import type { ImageReading, TextReading } from '../../core/fhir/documents/readings.ts';
import type { PacketReading, PagesReading } from './enclosed-pages.ts';
import {
  type FileJob,
  type PacketJob,
  type Reading,
  type ReadingLimits,
  ReadingProcess,
  type ReadJob,
} from './reading-process.ts';

/** Reads documents away from the process that answers requests. */
export interface DocumentReaders {
  /**
   * Never rejects: an unreadable document has a reason. `chart` identifies the chart of the document: the documents of
   * a chart are read one after the other and charts take turns, so that a chart full of slow documents does not delay
   * the others.
   */
  read(job: FileJob & { readonly kind: 'text' }, chart: unknown): Promise<TextReading>;
  read(job: FileJob & { readonly kind: 'image' | 'photo' }, chart: unknown): Promise<ImageReading>;
  read(job: FileJob & { readonly kind: 'pages' }, chart: unknown): Promise<PagesReading>;
  read(job: PacketJob, chart: unknown): Promise<PacketReading>;
}

export interface ReadingQueueLimits extends ReadingLimits {
  /** How many documents are read at once. */
  readonly processes: number;
  /** When this many documents are waiting, further ones are refused. */
  readonly waiting: number;
}

/** Processes that start when there is something to read, and end with this process. */
export function createReadingQueue(limits: ReadingQueueLimits): DocumentReaders {
  const queue = new ReadingQueue(limits);
  const read = (job: ReadJob, chart: unknown): Promise<Reading> => queue.read(job, chart);
  return { read: read as DocumentReaders['read'] }; // the process answers each kind of job with its kind of reading
}

interface Task {
  readonly job: ReadJob;
  readonly done: (reading: Reading) => void;
}

class ReadingQueue {
  private readonly idle: ReadingProcess[] = [];
  private readonly busyCharts = new Set<unknown>();
  /** By chart, in the order of their turns. */
  private readonly waiting = new Map<unknown, Task[]>();
  private waitingCount = 0;

  constructor(private readonly limits: ReadingQueueLimits) {}

  read(job: ReadJob, chart: unknown): Promise<Reading> {
    if (this.waitingCount >= this.limits.waiting)
      return Promise.resolve({ unreadable: 'too many documents are waiting to be read' });
    return new Promise((done) => {
      this.waiting.set(chart, [...(this.waiting.get(chart) ?? []), { job, done }]);
      this.waitingCount += 1;
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.busyCharts.size >= this.limits.processes) return;
    for (const [chart, [task, ...others]] of this.waiting) {
      if (task === undefined || this.busyCharts.has(chart)) continue;
      this.waiting.delete(chart);
      // Moves behind the other charts, because charts take turns.
      if (others.length > 0) this.waiting.set(chart, others);
      void this.run(task, chart);
      return;
    }
  }

  private async run({ job, done }: Task, chart: unknown): Promise<void> {
    this.waitingCount -= 1;
    this.busyCharts.add(chart);
    const known = this.idle.pop();
    const reader = known === undefined || known.isLost ? new ReadingProcess(this.limits) : known;
    done(await reader.read(job));
    // two processes together would exceed the memory for one
    if (reader.isLost) await reader.whenEnded();
    else this.idle.push(reader);
    this.busyCharts.delete(chart);
    this.startNext();
  }
}
