import type { Worker } from 'node:worker_threads';
import { BridgeError } from '../core/errors.ts';
import type { Block } from './block.ts';
import type { FolderFacts, Part } from './engine.ts';
import type { Piece } from './pieces.ts';
import type { TaskFacts } from './scan.ts';
import type { Source } from './sources.ts';

/** Who does the work of a run: this thread, or others. What comes out is the same. */
export interface Workers {
  /** How much may be asked before the first of it is answered. */
  readonly atOnce: number;
  scan(pieces: readonly Piece[], sources: readonly Source[], task: number): Promise<TaskFacts>;
  open(facts: FolderFacts): void;
  /** `task`: the one in which the part was found; who scanned that may have kept it. */
  map(part: Part, task: number | undefined): Promise<Block>;
  /** Ends a folder. */
  close(): void;
  /** Ends all work. */
  end(): Promise<void>;
}

/** Threads that were started, each of which tells the same of what it works with, or why it cannot. */
export interface StartedThreads<About> {
  readonly workers: Workers;
  readonly about: Promise<About>;
}

/**
 * Threads that each read, map and make output of their own. This one only gives them work and puts in order what comes:
 * each has one thing to do and three waiting, so that none stands still while this one writes.
 */
export function otherThreads<About>(threads: readonly Worker[]): StartedThreads<About> {
  const others = threads.map((thread) => new OtherThread(thread));
  const workers = workersOf(others, threads.length * 4);
  const told = others.map((other) => other.begun as Promise<About>); // told by workInThread
  return { workers, about: Promise.all(told).then(([first]) => first as About) }; // there is one at least
}

export function workersOf(all: readonly OneWorker[], atOnce: number): Workers {
  const oneFor = (task: number | undefined): OneWorker => {
    const fixed = task === undefined ? undefined : all[task % all.length];
    return fixed ?? all.reduce((least, one) => (one.waiting < least.waiting ? one : least));
  };
  return {
    atOnce,
    scan: (pieces, sources, task) => oneFor(task).scan(pieces, sources),
    open: (facts) => {
      for (const one of all) one.open(facts);
    },
    map: (part, task) => oneFor(task).map(part),
    close: () => {
      for (const one of all) one.close();
    },
    end: async () => void (await Promise.all(all.map((one) => one.end()))),
  };
}

export interface OneWorker {
  /** How much it was asked that it did not answer yet. */
  readonly waiting: number;
  scan(pieces: readonly Piece[], sources: readonly Source[]): Promise<TaskFacts>;
  open(facts: FolderFacts): void;
  map(part: Part): Promise<Block>;
  close(): void;
  end(): Promise<void>;
}

/** What is said to a worker thread; `scan` and `map` are answered, in turn. */
export type WorkerRequest =
  | { readonly kind: 'scan'; readonly pieces: readonly Piece[]; readonly sources: readonly Source[] }
  | { readonly kind: 'open'; readonly facts: FolderFacts }
  | { readonly kind: 'map'; readonly part: Part }
  | { readonly kind: 'close' };

/** What a thread answers. Of an error of ours it tells the parts, since it would arrive as any other. */
export type WorkerAnswer =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly told: Pick<BridgeError, 'code' | 'facts' | 'next' | 'cause'> };

interface Waiting {
  readonly done: (answer: never) => void;
  readonly failed: (error: unknown) => void;
}

/** Another thread: it answers in the order in which it was asked. */
class OtherThread implements OneWorker {
  /** What it tells first. */
  readonly begun: Promise<unknown>;
  private readonly queue: Waiting[] = [];

  constructor(private readonly worker: Worker) {
    this.begun = new Promise((done, failed) => this.queue.push({ done, failed }));
    worker.on('message', (answer: WorkerAnswer) => {
      const next = this.queue.shift();
      if ('value' in answer)
        next?.done(answer.value as never); // of the kind that was asked for
      else
        next?.failed(
          'told' in answer ? new BridgeError(answer.told.code, answer.told.facts, answer.told) : answer.error,
        );
    });
    worker.on('error', (error) => this.lose(error));
    worker.on('exit', () => this.lose(new Error('a thread of the run ended')));
  }

  get waiting(): number {
    return this.queue.length;
  }

  scan(pieces: readonly Piece[], sources: readonly Source[]): Promise<TaskFacts> {
    return this.ask({ kind: 'scan', pieces, sources });
  }

  map(part: Part): Promise<Block> {
    return this.ask({ kind: 'map', part });
  }

  open(facts: FolderFacts): void {
    this.tell({ kind: 'open', facts });
  }

  close(): void {
    this.tell({ kind: 'close' });
  }

  async end(): Promise<void> {
    this.worker.removeAllListeners('exit');
    await this.worker.terminate();
  }

  private tell(request: WorkerRequest): void {
    this.worker.postMessage(request);
  }

  private ask<Answer>(request: WorkerRequest): Promise<Answer> {
    return new Promise((done, failed) => {
      this.queue.push({ done, failed });
      this.tell(request);
    });
  }

  private lose(error: unknown): void {
    for (const { failed } of this.queue.splice(0)) failed(error);
  }
}
