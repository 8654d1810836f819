import type { Named } from './agree.ts';
import type { Clause, Preference } from './clauses.ts';
import { functionsOfTest } from './describe-clauses.ts';
import type { AskWhen, RoleRule, RoleRules } from './words.ts';

export interface DescribedFunction {
  readonly name: string;
  readonly sentence: string;
  readonly roles: readonly string[];
  /** The number of lines of the function. Logic outside of the rule vocabulary should stay small. */
  readonly lines: number;
}

/** Every named function of a table once, in the order of the table. */
export function functionsOf(rules: RoleRules): DescribedFunction[] {
  const found = new Map<string, { name: string; sentence: string; roles: string[]; lines: number }>();
  for (const [role, rule] of Object.entries(rules))
    for (const { name, sentence, call } of namedIn(rule)) {
      const known = found.get(name) ?? { name, sentence, roles: [], lines: String(call).split('\n').length };
      if (!known.roles.includes(role)) known.roles.push(role);
      found.set(name, known);
    }
  return [...found.values()];
}

function namedIn(rule: RoleRule): readonly Named<unknown>[] {
  switch (rule.kind) {
    case 'agree':
      return [
        ...rule.sources.map(({ read }) => read),
        rule.compare,
        ...(rule.beside === undefined ? [] : [rule.beside]),
      ].filter(({ isWord }) => isWord !== true);
    case 'derive':
      return [rule.derive];
    case 'computed':
      return [rule.fill];
    default:
      return clausesOf(rule).flatMap(({ test }) => functionsOfTest(test));
  }
}

function clausesOf(rule: RoleRule): Clause[] {
  switch (rule.kind) {
    case 'given':
      return [...rule.unless, ...asking(rule.asks), ...rule.warns];
    case 'follow':
      return [...rule.warns];
    case 'every':
      return [...rule.unless, ...preferring([...rule.prefer, ...rule.lastly])];
    case 'pick':
      return [...rule.unless, ...preferring(rule.prefer), ...asking(rule.asks)];
    case 'choose': {
      const linked = rule.linked === undefined ? [] : [rule.linked.when];
      return [...rule.unless, ...preferring(rule.prefer), ...asking(rule.asks), ...linked];
    }
    case 'first':
    case 'together':
    case 'joined':
      return asking(rule.asks);
    case 'reasons': {
      const { always, ofEncounter, elsewhere } = rule.proposeUnless;
      return [...rule.unless, ...rule.unlessConcept, ...always, ...ofEncounter, ...elsewhere, ...rule.acceptUnless];
    }
    default:
      return [];
  }
}

function asking(asks: readonly AskWhen[]): Clause[] {
  return asks.flatMap(({ when, beside }) => (beside === undefined ? [when] : [when, beside]));
}

function preferring(list: readonly Preference[]): Clause[] {
  return list.flatMap((one) => ('clause' in one ? [one.clause] : []));
}
