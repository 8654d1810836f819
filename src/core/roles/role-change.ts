import { BridgeError } from '../errors.ts';
import type { AgreeSource } from './agree.ts';
import type { Clause, Preference } from './clauses.ts';
import { defineRoles, type RoleTable } from './define.ts';
import type { AskWhen, RoleRule, RoleRules } from './words.ts';

/**
 * A site's additions to a role. Rules of the table cannot be removed or replaced, so no addition can loosen the table.
 */
export interface RoleChange {
  /** Compared before the table's preferences. */
  readonly prefer?: readonly Addition[] | undefined;
  /** Compared after the table's preferences. */
  readonly preferLast?: readonly Addition[] | undefined;
  /** Tried after the table's paths. */
  readonly paths?: readonly string[] | undefined;
  /** Tried before the table's paths. Only for a role that picks one candidate by paths. */
  readonly pathsFirst?: readonly string[] | undefined;
  readonly unless?: readonly Clause[] | undefined;
  readonly asks?: readonly AskWhen[] | undefined;
  /** Further sources that must agree with those of the table. */
  readonly sources?: readonly AgreeSource[] | undefined;
}

/** A preference that only ranks candidates. To rule candidates out, a site uses `unless`. */
export type Addition = Exclude<Preference, { readonly kind: 'only' | 'uses' }>;

/** A site's additions, by role. */
export type RoleChanges = Readonly<Record<string, RoleChange>>;

export interface RefusedChange {
  readonly role: string;
  /** The key in RoleChange. Absent when the role itself is unknown. */
  readonly word?: keyof RoleChange;
  readonly index?: number;
  readonly reason: string;
}

type Word = keyof RoleChange;

/** What a site may add to a role of each kind. */
export const additions: { readonly [Kind in RoleRule['kind']]: readonly Word[] } = {
  given: ['unless', 'asks'],
  follow: [],
  first: ['paths', 'asks'],
  every: ['paths', 'prefer', 'preferLast'],
  pick: ['pathsFirst', 'paths', 'unless', 'prefer', 'preferLast', 'asks'],
  choose: ['unless', 'prefer', 'preferLast', 'asks'],
  together: ['paths', 'asks'],
  joined: ['asks'],
  agree: ['sources'],
  derive: [],
  reasons: [],
  computed: [],
  own: [],
};

/**
 * The table with a site's additions. Throws mapping_invalid with role and word for an addition that the role does not
 * allow, and PathError for an invalid expression.
 * @example
 * overlayRoles(roles, 'roles@valley', {
 *   coverage: { prefer: [has(when("type.coding.exists(code = 'EHCPOL')", 'an extended plan'))] },
 * })
 */
export function overlayRoles(base: RoleTable, name: string, changes: RoleChanges): RoleTable {
  const [refused] = refusedChanges(base, changes);
  if (refused !== undefined) throw new BridgeError('mapping_invalid', { mapping: name, ...refused });
  const rules: Record<string, RoleRule> = { ...base.rules };
  // refusedChanges() rejects a role that the table does not have
  for (const [role, change] of Object.entries(changes)) rules[role] = changedRule(rules[role] as RoleRule, change);
  return defineRoles(name, rules, base.options);
}

/** The table with some rules replaced, for tables of codes with additional rows. */
export function withRules(base: RoleTable, name: string, rules: RoleRules): RoleTable {
  return defineRoles(name, { ...base.rules, ...rules }, base.options);
}

export function refusedChanges(base: RoleTable, changes: RoleChanges): RefusedChange[] {
  return Object.entries(changes).flatMap(([role, change]) => {
    const rule = Object.hasOwn(base.rules, role) ? base.rules[role] : undefined;
    if (rule === undefined) return [{ role, reason: `there is no role ${role}` }];
    return [...wrongWords(role, rule, change), ...repeated(role, rule, change)];
  });
}

function wrongWords(role: string, rule: RoleRule, change: RoleChange): RefusedChange[] {
  const allowed = additions[rule.kind];
  // a RoleChange has no other keys
  const words = (Object.keys(change) as Word[]).filter((word) => change[word] !== undefined);
  const wrong = words
    .filter((word) => !allowed.includes(word))
    .map((word) => ({ role, word, reason: unfit(rule, word) }));
  const isSilent = rule.kind === 'given' && rule.refused === undefined && change.unless !== undefined;
  return isSilent ? [...wrong, { role, word: 'unless', reason: 'nothing rules this role out; use asks' }] : wrong;
}

function unfit({ kind }: RoleRule, word: Word): string {
  const allowed = additions[kind];
  const may = allowed.length === 0 ? 'nothing can be added to it' : `a site may add ${allowed.join(', ')}`;
  return `a role that is ${verbs[kind]} takes no ${word}; ${may}`;
}

const verbs: { readonly [Kind in RoleRule['kind']]: string } = {
  given: 'given',
  follow: 'followed',
  first: 'the first that is found',
  every: 'made of every part',
  pick: 'picked',
  choose: 'chosen',
  together: 'held together',
  joined: 'joined',
  agree: 'an agreement of sources',
  derive: 'derived',
  reasons: 'the reason for the order',
  computed: 'computed',
  own: 'the bridge’s own',
};

function repeated(role: string, rule: RoleRule, change: RoleChange): RefusedChange[] {
  if (!('paths' in rule)) return [];
  const known = new Set(rule.paths);
  return (['pathsFirst', 'paths'] as const).flatMap((word) =>
    (change[word] ?? []).flatMap((path, index) => {
      if (known.has(path)) return [{ role, word, index, reason: 'the role reads this path already' }];
      known.add(path);
      return [];
    }),
  );
}

function changedRule(rule: RoleRule, change: RoleChange): RoleRule {
  const { prefer = [], preferLast = [], paths = [], pathsFirst = [], unless = [], asks = [], sources = [] } = change;
  const ranked = <T extends { readonly prefer: readonly Preference[] }>(one: T) => [
    ...prefer,
    ...one.prefer,
    ...preferLast,
  ];
  switch (rule.kind) {
    case 'given':
      return { ...rule, unless: [...rule.unless, ...unless], asks: [...rule.asks, ...asks] };
    case 'first':
    case 'together':
      return { ...rule, paths: [...rule.paths, ...paths], asks: [...rule.asks, ...asks] };
    case 'every':
      return { ...rule, paths: [...rule.paths, ...paths], prefer: ranked(rule) };
    case 'pick':
      return {
        ...rule,
        paths: [...pathsFirst, ...rule.paths, ...paths],
        unless: [...rule.unless, ...unless],
        prefer: ranked(rule),
        asks: [...rule.asks, ...asks],
      };
    case 'choose':
      return {
        ...rule,
        unless: [...rule.unless, ...unless],
        prefer: ranked(rule),
        asks: [...rule.asks, ...asks],
        own: rule.own ?? { unless: rule.unless, prefer: rule.prefer },
      };
    case 'joined':
      return { ...rule, asks: [...rule.asks, ...asks] };
    case 'agree':
      return { ...rule, sources: [...rule.sources, ...sources] };
    default:
      return rule;
  }
}
