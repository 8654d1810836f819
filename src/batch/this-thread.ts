import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Block, makeBlock } from './block.ts';
import type { Engine, FolderFacts, Part } from './engine.ts';
import type { Layout } from './layout.ts';
import type { Piece } from './pieces.ts';
import type { TaskFacts } from './scan.ts';
import type { Source } from './sources.ts';
import { type OneWorker, type Workers, workersOf } from './workers.ts';

/** This thread with its engine: for little input, since another one would have to load everything once more. */
export function thisThread(engine: Engine, layout: Layout): Workers {
  return workersOf([new OwnThread(engine, layout)], 1);
}

// Before each thing that it does, what waits for this thread has its turn: what was written is put on the disk.
class OwnThread implements OneWorker {
  readonly waiting = 0; // nothing is asked before the last answer came

  constructor(
    private readonly engine: Engine,
    private readonly layout: Layout,
  ) {}

  async scan(pieces: readonly Piece[], sources: readonly Source[]): Promise<TaskFacts> {
    await nextTurn();
    return this.engine.scan(pieces, sources);
  }

  async map(part: Part): Promise<Block> {
    await nextTurn();
    return makeBlock(this.engine, part, this.layout);
  }

  open(facts: FolderFacts): void {
    this.engine.open(facts);
  }

  close(): void {
    this.engine.close();
  }

  async end(): Promise<void> {}
}
