import { free } from './free.ts';

/**
 * Numbers marks in the order in which they are first met, from 0, in some twenty bytes for each: an export has millions
 * of patients.
 */
export class MarkNumbers {
  private marks = new Float64Array(1 << 10);
  private numbers = new Uint32Array(1 << 10);
  private count = 0;

  /** The number of a mark, which is never 0. */
  of(mark: number): number {
    const at = this.placeOf(mark);
    if (this.marks[at] === mark) return this.numbers[at] ?? 0;
    const number = this.count;
    this.marks[at] = mark;
    this.numbers[at] = number;
    this.count += 1;
    if (this.count * 3 > this.marks.length * 2) this.grow();
    return number;
  }

  /** Ends the numbering. */
  end(): void {
    free(this.marks);
    free(this.numbers);
  }

  /** Where a mark stands, or would. */
  private placeOf(mark: number): number {
    const last = this.marks.length - 1;
    let at = mark & last;
    while (this.marks[at] !== 0 && this.marks[at] !== mark) at = (at + 1) & last;
    return at;
  }

  private grow(): void {
    const { marks, numbers } = this;
    this.marks = new Float64Array(marks.length * 2);
    this.numbers = new Uint32Array(numbers.length * 2);
    for (const [from, mark] of marks.entries()) {
      if (mark === 0) continue;
      const at = this.placeOf(mark);
      this.marks[at] = mark;
      this.numbers[at] = numbers[from] ?? 0;
    }
    free(marks);
    free(numbers);
  }
}
