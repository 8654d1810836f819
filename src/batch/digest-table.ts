import { free } from './free.ts';

/** Which digests came before and a number for each, in some forty bytes: a run may make millions of requests. */
export class DigestTable {
  private slots = new Float64Array(3 * 1024);
  private count = 0;

  /** The number that came with the digest first; undefined when it is new, and is kept with this number then. */
  add(digest: string, number: number): number | undefined {
    if (this.count * 4 >= this.slots.length) this.grow();
    return this.put(keyOf(digest), lowOf(digest), number);
  }

  has(digest: string): boolean {
    return this.slots[this.slotOf(keyOf(digest), lowOf(digest))] !== 0;
  }

  private put(key: number, low: number, number: number): number | undefined {
    const at = this.slotOf(key, low);
    if (this.slots[at] !== 0) return this.slots[at + 2];
    this.slots.set([key, low, number], at);
    this.count += 1;
    return undefined;
  }

  /** Where the digest stands, or the empty slot that it would take. */
  private slotOf(key: number, low: number): number {
    const { slots } = this;
    const size = slots.length / 3;
    for (let at = key % size; ; at = (at + 1) % size) {
      const held = slots[at * 3];
      if (held === 0 || (held === key && slots[at * 3 + 1] === low)) return at * 3;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Float64Array(3 * Math.ceil(old.length / 2));
    this.count = 0;
    for (let at = 0; at < old.length; at += 3)
      if (old[at] !== 0) this.put(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0);
    free(old);
  }
}

// 0 marks an empty slot.
function keyOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 13), 16) + 1;
}

function lowOf(digest: string): number {
  return Number.parseInt(digest.slice(13, 26), 16);
}
