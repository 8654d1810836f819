import { isObject } from '../fhir/is-object.ts';
import { type CompiledPath, compilePath } from '../fhirpath/compile.ts';
import { type Preference, unmarked } from './clauses.ts';
import { compileClause, compileFirstValue, compileTest, type Holds, targetsAt } from './compile-clauses.ts';
import type { Facts } from './facts.ts';
import type { Subject } from './subject.ts';

export interface Ranking {
  /** The candidates that are kept, the best first. Equal candidates keep their order. */
  readonly sort: (candidates: readonly Subject[], facts: Facts) => readonly Ranked[];
  /**
   * Why preferences rule a candidate out: its `use` is not listed, or it does not meet the `only` that decides among
   * `all`. Undefined if no preference rules candidates out.
   */
  readonly refusals:
    | ((all: readonly Subject[], facts: Facts) => (candidate: Subject) => string | undefined)
    | undefined;
  /** The words of the preferences that a candidate meets. */
  readonly words: (candidate: Subject, facts: Facts) => string;
}

export interface Ranked {
  readonly candidate: Subject;
  /** Compared entry by entry. Smaller is better. */
  readonly key: readonly (number | string)[];
}

const noKey: Ranked['key'] = Object.freeze([]);

/** A single candidate needs no key for comparison. */
export function rankedAlone(candidate: Subject): Ranked {
  return { candidate, key: noKey };
}

type Key = (candidate: Subject, facts: Facts) => number | string;

export function compileRanking(preferences: readonly Preference[]): Ranking {
  const keys = preferences.flatMap((preference) => keyOf(preference) ?? []);
  const onlies = preferences.flatMap((one) =>
    one.kind === 'only' ? [{ holds: compileTest(one.clause.test), otherwise: one.otherwise }] : [],
  );
  const named = preferences.flatMap((one) => (one.kind === 'uses' ? [one.uses] : []));
  const words = preferences.flatMap((preference) => wordsOf(preference) ?? []);
  return {
    sort: (candidates, facts) => {
      const [only] = candidates;
      if (only === undefined) return [];
      if (candidates.length === 1) return [rankedAlone(only)];
      const ranked = candidates.map((candidate): Ranked => ({ candidate, key: keyFor(keys, candidate, facts) }));
      return isInOrder(ranked, facts) ? ranked : ranked.sort((left, right) => compareKeys(left.key, right.key, facts));
    },
    refusals: named.length === 0 && onlies.length === 0 ? undefined : refusalsBy(named, onlies),
    words: (candidate, facts) => words.flatMap((word) => word(candidate, facts) ?? []).join(', '),
  };
}

function keyFor(keys: readonly Key[], candidate: Subject, facts: Facts): Ranked['key'] {
  const key: (number | string)[] = [];
  for (const read of keys) key.push(read(candidate, facts));
  return key;
}

// Many lists are already in order; this check is cheaper than sort(), which allocates a temporary copy.
function isInOrder(ranked: readonly Ranked[], facts: Facts): boolean {
  return ranked.every(({ key }, at) => at === 0 || compareKeys(ranked[at - 1]?.key ?? noKey, key, facts) <= 0);
}

interface Only {
  readonly holds: Holds;
  readonly otherwise: string;
}

// The first `only` that any candidate meets decides for all candidates.
function refusalsBy(named: readonly (readonly string[])[], onlies: readonly Only[]): NonNullable<Ranking['refusals']> {
  return (all, facts) => {
    const decides = onlies.find((only) => all.some((one) => only.holds(one, facts)));
    return (candidate) => {
      for (const uses of named) {
        const use = useOf(candidate);
        if (!uses.includes(use)) return `its use is ${use}`;
      }
      if (decides === undefined) return onlies.at(-1)?.otherwise;
      return decides.holds(candidate, facts) ? undefined : decides.otherwise;
    };
  };
}

/** Negative, 0 or positive, by the first entry that differs. */
export function compareKeys(
  left: Ranked['key'],
  right: Ranked['key'],
  { newestFirst }: Pick<Facts, 'newestFirst'>,
): number {
  for (let at = 0; at < left.length; at += 1) {
    const [one, other] = [left[at], right[at]];
    if (typeof one === 'number' && typeof other === 'number' && one !== other) return one - other;
    if (typeof one === 'string' && typeof other === 'string') {
      const order = newestFirst(one === '' ? undefined : one, other === '' ? undefined : other);
      if (order !== 0) return order;
    }
  }
  return 0;
}

function keyOf(preference: Preference): Key | undefined {
  switch (preference.kind) {
    case 'uses':
      return (candidate) => preference.uses.indexOf(useOf(candidate));
    case 'has':
    case 'last': {
      const { holds } = compileClause(preference.clause);
      const better = preference.kind === 'has' ? 0 : 1;
      return (candidate, facts) => (holds(candidate, facts) ? better : 1 - better);
    }
    case 'lowest': {
      const read = compileFirstValue(preference.path);
      const none = preference.none ?? Number.MAX_SAFE_INTEGER;
      return (candidate, facts) => {
        const value = read(candidate, facts);
        return typeof value === 'number' ? value : none;
      };
    }
    case 'latest': {
      const read = compileFirstValue(preference.path);
      return (candidate, facts) => {
        const value = read(candidate, facts);
        return typeof value === 'string' ? value : '';
      };
    }
    case 'namedBy': {
      const path = compilePath(preference.path);
      return (candidate, facts) => (isNamed(path, candidate, facts) ? 0 : 1);
    }
    case 'only':
      return undefined;
  }
}

function wordsOf(preference: Preference): ((candidate: Subject, facts: Facts) => string | undefined) | undefined {
  switch (preference.kind) {
    case 'has': {
      const { holds, words } = compileClause(preference.clause);
      return (candidate, facts) => (holds(candidate, facts) ? words(candidate, facts) : preference.otherwise);
    }
    case 'lowest': {
      const { path, text, words } = preference;
      if (text === undefined) return undefined;
      const read = compileFirstValue(path);
      return (candidate, facts) => {
        const value = read(candidate, facts);
        return typeof value === 'number' ? (words?.[value] ?? `${text} ${value}`) : undefined;
      };
    }
    case 'namedBy': {
      const path = compilePath(preference.path);
      return (candidate, facts) => (isNamed(path, candidate, facts) ? preference.text : undefined);
    }
    default:
      return undefined;
  }
}

function isNamed(path: CompiledPath, candidate: Subject, facts: Facts): boolean {
  return targetsAt(path, [], facts).includes(candidate.reference);
}

function useOf({ item }: Subject): string {
  const use = isObject(item.value) ? item.value.use : undefined;
  return typeof use === 'string' ? use : unmarked;
}
