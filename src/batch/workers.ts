import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort, Worker } from 'node:worker_threads';
import { BridgeError } from '../core/errors.ts';
import { openTextCache } from '../core/text-cache.ts';
import type { BatchEngine, FolderFacts, Part } from './engine.ts';
import type { SourceFile, SourcePiece } from './open-sources.ts';
import { type Block, type Layout, makeBlock } from './report/mapped-part.ts';
import type { PieceFacts } from './scan.ts';

/** What maps the parts of a run: this thread, or others. The output is the same. */
export interface Workers {
  /** How many requests may be waiting at once. */
  readonly atOnce: number;
  scan(pieces: readonly SourcePiece[], sources: readonly SourceFile[], task: number): Promise<readonly PieceFacts[]>;
  open(facts: FolderFacts): Promise<void>;
  map(part: Part): Promise<Block>;
  close(): Promise<void>;
  end(): Promise<void>;
}

/** What a thread works with, and `about`, which it reports first. */
export interface ThreadWork<About> {
  readonly engine: BatchEngine;
  readonly layout: Layout;
  readonly about: About;
}
type Work = Pick<ThreadWork<unknown>, 'engine' | 'layout'>;

const tasks = {
  scan: ({ engine }: Work, pieces: readonly SourcePiece[], sources: readonly SourceFile[]) =>
    engine.scan(pieces, sources),
  open: ({ engine }: Work, facts: FolderFacts) => engine.open(facts),
  map: ({ engine, layout }: Work, part: Part) => makeBlock(engine, part, layout),
  close: ({ engine }: Work) => engine.close(),
};
type Tasks = typeof tasks;
type Given<Name extends keyof Tasks> = Parameters<Tasks[Name]> extends [Work, ...infer Rest] ? Rest : never;
type Answer<Name extends keyof Tasks> = Promise<Awaited<ReturnType<Tasks[Name]>>>;
type Ask = <Name extends keyof Tasks>(name: Name, ...given: Given<Name>) => Answer<Name>;

function doTask(work: Work, name: keyof Tasks, given: readonly unknown[]): unknown {
  return Reflect.apply(tasks[name], undefined, [work, ...given]);
}

interface OneWorker {
  readonly waiting: number;
  readonly ask: Ask;
  readonly end: () => Promise<unknown>;
}

function workersOf(all: readonly OneWorker[], atOnce: number): Workers {
  const idlest = () => all.reduce((least, one) => (one.waiting < least.waiting ? one : least));
  const oneFor = (task: number) => all[task % all.length] ?? idlest();
  const ofEach = async (ask: (one: OneWorker) => Promise<unknown>) => void (await Promise.all(all.map(ask)));
  return {
    atOnce,
    scan: (pieces, sources, task) => oneFor(task).ask('scan', pieces, sources),
    open: (facts) => ofEach((one) => one.ask('open', facts)),
    map: (part) => (part.kind === 'charts' ? oneFor(part.task) : idlest()).ask('map', part),
    close: () => ofEach((one) => one.ask('close')),
    end: () => ofEach((one) => one.end()),
  };
}

/** This thread with its engine, for small input: another thread would first have to load all modules. */
export function thisThread(engine: BatchEngine, layout: Layout): Workers {
  // Before each task, this thread does its waiting work, such as flushing output.
  const ask = async (name: keyof Tasks, ...given: readonly unknown[]) => {
    await nextTurn();
    return doTask({ engine, layout }, name, given);
  };
  return workersOf([{ waiting: 0, ask: ask as Ask, end: async () => {} }], 1);
}

/** Threads that were started. `about` is the same for all of them; it rejects if a thread cannot start. */
export interface StartedThreads<About> {
  readonly workers: Workers;
  readonly about: Promise<About>;
}

/**
 * Threads that read, map and make their output. This thread only distributes work and orders the results. Each thread
 * has one task running and three waiting, so that none is idle while this thread writes.
 */
export function otherThreads<About>(threads: readonly Worker[]): StartedThreads<About> {
  const others = threads.map((thread) => new OtherThread(thread));
  const begun = others.map((other) => other.begun as Promise<About>); // the first message of workInThread
  const about = Promise.all(begun).then(([first]) => first as About); // there is at least one thread
  return { workers: workersOf(others, threads.length * 4), about };
}

/** A thread's answer. A BridgeError is sent in parts, since it would arrive as a plain Error. */
type WorkerAnswer =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly failure: Pick<BridgeError, 'code' | 'facts' | 'next' | 'cause'> };

/** Another thread. It answers in the order of the requests. */
class OtherThread implements OneWorker {
  readonly begun: Promise<unknown>;
  private readonly queue: PromiseWithResolvers<unknown>[] = [];

  constructor(private readonly worker: Worker) {
    this.begun = this.answer();
    worker.on('message', (answer: WorkerAnswer) => {
      const next = this.queue.shift();
      if ('value' in answer) next?.resolve(answer.value);
      else if ('error' in answer) next?.reject(answer.error);
      else next?.reject(new BridgeError(answer.failure.code, answer.failure.facts, answer.failure));
    });
    worker.on('error', (error) => this.lose(error));
    worker.on('exit', () => this.lose(new Error('a thread of the run ended')));
  }

  get waiting(): number {
    return this.queue.length;
  }

  readonly ask = ((name: keyof Tasks, ...given: readonly unknown[]) => {
    this.worker.postMessage([name, given]);
    return this.answer();
  }) as Ask; // the task of that name answers

  async end(): Promise<void> {
    this.worker.removeAllListeners('exit');
    await this.worker.terminate();
  }

  private answer(): Promise<unknown> {
    const next = Promise.withResolvers<unknown>();
    this.queue.push(next);
    return next.promise;
  }

  private lose(error: unknown): void {
    for (const { reject } of this.queue.splice(0)) reject(error);
  }
}

/**
 * Handles the requests of a run in one of its threads, one after another. First reports that it is ready, or why not.
 */
export function workInThread<About>(port: MessagePort, begin: () => ThreadWork<About>): void {
  const answer = async (value: () => unknown) => {
    try {
      port.postMessage({ value: await value() });
    } catch (error) {
      port.postMessage(failed(error));
    }
  };
  openTextCache();
  let work: ThreadWork<About>;
  let before = answer(() => {
    work = begin();
    return work.about;
  });
  port.on('message', ([name, given]: [keyof Tasks, readonly unknown[]]) => {
    before = before.then(() => answer(() => doTask(work, name, given)));
  });
}

function failed(error: unknown): WorkerAnswer {
  if (!(error instanceof BridgeError)) return { error };
  const { code, facts, next, cause } = error;
  return { failure: { code, facts, next, cause: cause instanceof Error ? cause : undefined } };
}
