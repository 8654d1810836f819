import type { Clause, Preference, Test } from '../../core/roles/clauses.ts';
import { defineRoles, type RoleTable } from '../../core/roles/define.ts';
import { testWords } from '../../core/roles/describe-clauses.ts';
import type { AskWhen, RoleRule } from '../../core/roles/words.ts';

/** One clause of a role (exclusion, preference, question or warning), or one alternative of a clause. */
export interface WatchedClause {
  readonly role: string;
  /** The clause's text for people; empty if it has none. */
  readonly words: string;
  /** The clause's test, in words. */
  readonly test: string;
}

export interface WatchedRoles {
  /** The same role table, whose clauses record when they match. */
  readonly table: RoleTable;
  /** Returns the clauses that have matched no candidate so far, in the order of the table. */
  readonly idle: () => readonly WatchedClause[];
}

/** Returns a role table that records every clause that matches. For coverage only. */
export function watchRoles({ name, rules, options }: RoleTable): WatchedRoles {
  const clauses: WatchedClause[] = [];
  const held = new Set<WatchedClause>();
  const watchedRules = Object.entries(rules).map(([role, rule]) => {
    const note = (words: string, test: Test): Test => {
      const clause: WatchedClause = { role, words, test: testWords(test) };
      clauses.push(clause);
      return noting(test, () => held.add(clause));
    };
    return [role, watchRule(rule, note)] as const;
  });
  return {
    table: defineRoles(name, Object.fromEntries(watchedRules), options),
    idle: () => clauses.filter((clause) => !held.has(clause)),
  };
}

type Note = (words: string, test: Test) => Test;

// `all` evaluates the second test only if the first one matches, so the second test can record the match.
function noting(test: Test, hold: () => void): Test {
  const holds = () => {
    hold();
    return true;
  };
  return { kind: 'all', tests: [test, { kind: 'named', name: 'noted', sentence: 'notes that a clause held', holds }] };
}

function watchRule(rule: RoleRule, note: Note): RoleRule {
  const clauses = (list: readonly Clause[]) => list.map((one) => watchClause(one, note));
  const preferences = (list: readonly Preference[]) => list.map((one) => watchPreference(one, note));
  const asks = (list: readonly AskWhen[]) => list.map((one) => watchAsk(one, note));
  switch (rule.kind) {
    case 'given':
      return { ...rule, unless: clauses(rule.unless), asks: asks(rule.asks), warns: clauses(rule.warns) };
    case 'follow':
      return { ...rule, warns: clauses(rule.warns) };
    case 'every':
      return {
        ...rule,
        unless: clauses(rule.unless),
        prefer: preferences(rule.prefer),
        lastly: preferences(rule.lastly),
      };
    case 'pick':
      return { ...rule, unless: clauses(rule.unless), prefer: preferences(rule.prefer), asks: asks(rule.asks) };
    case 'choose':
      return { ...rule, unless: clauses(rule.unless), prefer: preferences(rule.prefer), asks: asks(rule.asks) };
    case 'first':
    case 'together':
    case 'joined':
      return { ...rule, asks: asks(rule.asks) };
    case 'reasons': {
      const { always, ofEncounter, elsewhere } = rule.proposeUnless;
      const proposeUnless = {
        always: clauses(always),
        ofEncounter: clauses(ofEncounter),
        elsewhere: clauses(elsewhere),
      };
      const [unless, unlessConcept] = [clauses(rule.unless), clauses(rule.unlessConcept)];
      return { ...rule, unless, unlessConcept, proposeUnless, acceptUnless: clauses(rule.acceptUnless) };
    }
    default:
      return rule;
  }
}

function watchClause({ test, text }: Clause, note: Note): Clause {
  if (test.kind !== 'any') return { test: note(text, test), text };
  return { test: { kind: 'any', tests: test.tests.map((one) => note(text, one)) }, text };
}

function watchPreference(preference: Preference, note: Note): Preference {
  return 'clause' in preference ? { ...preference, clause: watchClause(preference.clause, note) } : preference;
}

function watchAsk(ask: AskWhen, note: Note): AskWhen {
  const when = watchClause({ test: ask.when.test, text: ask.message }, note);
  if (ask.beside === undefined) return { ...ask, when };
  return { ...ask, when, beside: watchClause(ask.beside, note) };
}
