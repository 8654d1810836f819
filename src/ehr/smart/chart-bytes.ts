import type { RefusedAnswer } from './http.ts';
import type { Limits, Turn } from './types.ts';

/** The bytes of one response, counted together with those of its chart. */
export interface AnswerBytes {
  /** Called for each part of the response; returns a reason if the rest must not be read. */
  refuse(bytes: number): RefusedAnswer | undefined;
  /** Called if the response failed. Its bytes are then subtracted. */
  takeBack(): void;
}

/** Counts the bytes of all responses that contain, or may contain, documents while one chart is read. */
export class ChartBytes {
  private ofDocuments = 0;
  private ofAll = 0;
  private hasTurn = false;

  constructor(
    private readonly limits: Pick<Limits, 'documentsBytes' | 'turnBytes'>,
    /** Awaited before large documents. If absent, large documents are read at once. */
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

  /** Waits until a request with a `busy` response may be repeated; false if that takes too long. */
  async comesToRead(): Promise<boolean> {
    this.hasTurn = (await this.turn?.take()) === true;
    return this.hasTurn;
  }
}
