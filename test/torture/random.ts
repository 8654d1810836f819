/** Pseudo-random choices that follow from a seed alone (mulberry32, public domain). */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** true in this share of the cases. */
  chance(share: number): boolean;
  /** A whole number from `from` up to and with `to`. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** A generator of its own, so that what one person draws does not depend on how often others draw. */
  fork(name: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    chance: (share) => next() < share,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    fork: (name) => createRandom([...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed)),
  };
}
