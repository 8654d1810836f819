import type { Base } from './bases.ts';
import { canaryEntries } from './canaries.ts';
import type { Change, Draft, Effect } from './draft.ts';

/** One generated chart with what must become of it, known from how it was made. */
export interface Case {
  readonly base: Base;
  readonly changes: readonly Change[];
  readonly draft: Draft;
  readonly effect: Required<Omit<Effect, 'told'>> & { readonly told: readonly RegExp[] };
}

/** A number below `limit`; the same numbers for the same seed (Numerical Recipes' linear congruential generator). */
export function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Every change by itself on every base that it can change. */
export function* singles(bases: readonly Base[], changes: readonly Change[]): Generator<Case> {
  for (const base of bases) {
    yield* madeOf(base, []);
    for (const change of changes) yield* madeOf(base, [change]);
  }
}

/** So many charts with two changes each; the same ones for the same seed. */
export function* pairs(
  bases: readonly Base[],
  changes: readonly Change[],
  { count, seed }: { count: number; seed: number },
): Generator<Case> {
  const next = random(seed);
  for (let found = 0; found < count; ) {
    const base = bases[next(bases.length)]!;
    const [one, other] = [changes[next(changes.length)]!, changes[next(changes.length)]!];
    if (one.touches.some((element) => other.touches.includes(element))) continue;
    for (const made of madeOf(base, [one, other])) {
      found += 1;
      yield made;
    }
  }
}

function* madeOf(base: Base, changes: readonly Change[]): Generator<Case> {
  const draft = base.open();
  const effects: Effect[] = [];
  for (const change of changes) {
    const effect = change.apply(draft);
    if (effect === undefined) return;
    effects.push(effect);
  }
  draft.entries.push(...canaryEntries());
  yield { base, changes, draft, effect: joined(effects) };
}

function joined(effects: readonly Effect[]): Case['effect'] {
  return {
    sent: Object.assign({}, ...effects.map(({ sent }) => sent)),
    never: Object.assign({}, ...effects.map(({ never }) => never)),
    warned: effects.flatMap(({ warned }) => warned ?? []),
    told: effects.flatMap(({ told }) => told ?? []),
  };
}
