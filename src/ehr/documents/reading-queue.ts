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

/** Reads documents outside the process that answers requests. */
export interface DocumentReaders {
  /**
   * Never rejects: an unreadable document has a reason. `chart` identifies the document's chart. Documents of a chart
   * are read one after another, and charts take turns, so that a chart full of slow documents does not delay others.
   */
  read(job: FileJob & { readonly kind: 'text' }, chart: unknown): Promise<TextReading>;
  read(job: FileJob & { readonly kind: 'image' | 'photo' }, chart: unknown): Promise<ImageReading>;
  read(job: FileJob & { readonly kind: 'pages' }, chart: unknown): Promise<PagesReading>;
  read(job: PacketJob, chart: unknown): Promise<PacketReading>;
}

export interface ReadingQueueLimits extends ReadingLimits {
  readonly processes: number;
  /** If this many documents are waiting, further documents are refused. */
  readonly waiting: number;
}

/** Starts processes when there is something to read. They end with this process. */
export function createReadingQueue(limits: ReadingQueueLimits): DocumentReaders {
  const queue = new ReadingQueue(limits);
  const read = (job: ReadJob, chart: unknown): Promise<Reading> => queue.read(job, chart);
  return { read: read as DocumentReaders['read'] }; // a process answers each kind of job with its kind of reading
}

interface Task {
  readonly job: ReadJob;
  readonly done: (reading: Reading) => void;
}

class ReadingQueue {
  private readonly idle: ReadingProcess[] = [];
  private readonly busyCharts = new Set<unknown>();
  /** By chart, in the order of turns. */
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
      // Charts take turns, so this chart goes behind the others.
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
    // two processes at once would exceed the memory limit
    if (reader.isLost) await reader.whenEnded();
    else this.idle.push(reader);
    this.busyCharts.delete(chart);
    this.startNext();
  }
}
