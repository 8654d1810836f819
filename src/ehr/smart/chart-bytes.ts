import type { RefusedAnswer } from './http.ts';
import type { Limits, Turn } from './types.ts';

/** The bytes of one answer among those of its chart. */
export interface AnswerBytes {
  /** Told of each part of it: why no more of it is read, if so. */
  refuse(bytes: number): RefusedAnswer | undefined;
  /** It failed, and nothing of it is held. */
  takeBack(): void;
}

/** Bytes of all answers that hold documents, or may hold them, while one chart is read. */
export class ChartBytes {
  private ofDocuments = 0;
  private ofAll = 0;
  private hasTurn = false;

  constructor(
    private readonly limits: Pick<Limits, 'documentsBytes' | 'turnBytes'>,
    /** Taken for large documents; without it they are read at once. */
    private readonly turn?: Turn,
  ) {}

  answer({ isDocument }: { readonly isDocument: boolean }): AnswerBytes {
    let own = 0;
    const count = (bytes: number) => {
      own += bytes;
      this.ofAll += bytes;
      if (isDocument) this.ofDocuments += bytes;
    };
    return {
      refuse: (bytes) => {
        count(bytes);
        if (this.ofDocuments > this.limits.documentsBytes) return 'too-large';
        const isBusy = this.turn !== undefined && !this.hasTurn && this.ofAll > this.limits.turnBytes;
        return isBusy ? 'busy' : undefined;
      },
      takeBack: () => count(-own),
    };
  }

  /** Waits until what was `busy` may be asked for again; false when that took too long. */
  async comesToRead(): Promise<boolean> {
    this.hasTurn = (await this.turn?.take()) === true;
    return this.hasTurn;
  }
}
