import type { FhirResource } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import { variablesOf } from '../fhirpath/compile.ts';
import { parse } from '../fhirpath/parse.ts';
import type { Roles } from '../mapping/input.ts';
import { refuseSilent } from './check-words.ts';
import type { Clause, Preference } from './clauses.ts';
import { elsewhereOf, pathsOfTest } from './compile-clauses.ts';
import { compileAgree } from './fill/agree.ts';
import { compileChoose } from './fill/choose.ts';
import { compileDerive } from './fill/derive.ts';
import { compileEvery, compileFirst, compileJoined, compileTogether } from './fill/fill-parts.ts';
import type { Filler } from './fill/filler.ts';
import { compilePick } from './fill/pick.ts';
import { compileReasons } from './fill/reasons.ts';
import { compileFollow, compileGiven, compileOwn } from './fill/resources.ts';
import { chainsOf, type ReadFrom } from './fill/unread.ts';
import type { RoleRule, RoleRules, Tie } from './words.ts';

/** A compiled table of roles. Immutable. Only `defineRoles` and `overlayRoles` make it. */
export interface RoleTable extends Roles {
  readonly name: string;
  readonly rules: RoleRules;
  /** In the order of the table. */
  readonly fillers: readonly Filler[];
  /** The paths that each role is read from, in the order of the table. */
  readonly readFrom: readonly ReadFrom[];
  /** The FHIR types of each role's nodes, or the keys of an object that is not FHIR. For checking paths. */
  readonly types: Readonly<Record<string, readonly string[]>>;
  readonly options: RoleOptions;
  /** The number of each role in the table, from 0. */
  readonly places: ReadonlyMap<string, number>;
  /**
   * The numbers of these roles and of all roles that they depend on, in the order of the table. Cached by the identity
   * of the list.
   */
  readonly closureOf: (roles: readonly string[]) => readonly number[];
}

/** Sensitivity checks for a table of roles. The clinical knowledge supplies them. */
export interface RoleOptions {
  /** For `labelled`: whether a resource has a sensitivity label. */
  readonly isSensitive: (resource: FhirResource) => boolean;
  /** For `sensitive`: whether a resource is sensitive by its labels, codes or words, or its sensitivity is unknown. */
  readonly tellsSensitive: (resource: FhirResource) => boolean;
}

/**
 * Compiles a table of roles. Throws PathError for an invalid expression. Throws mapping_invalid for a role that depends
 * on itself or on an unknown role, and for a refusal or warning without text.
 * @example
 * const myRoles = defineRoles(
 *   'my-roles',
 *   { patient: given('Patient'), order: given('MedicationRequest'), name: pick(['HumanName'], ['%patient.name']) },
 *   { isSensitive: ({ meta }) => meta?.security !== undefined, tellsSensitive: () => false },
 * );
 */
export function defineRoles(name: string, rules: RoleRules, options: RoleOptions): RoleTable {
  const direct = new Map(Object.entries(rules).map(([role, rule]) => [role, readsOf(rule)] as const));
  for (const [role, reads] of direct) refuseUnknown(name, role, reads, rules);
  for (const [role, rule] of Object.entries(rules)) refuseSilent(name, role, rule);
  const dependsOn = new Map(Object.keys(rules).map((role) => [role, closureOf(role, direct, name)] as const));
  const fillers = Object.values(rules).map(compileRule);
  const types = Object.fromEntries(Object.entries(rules).map(([role, rule]) => [role, typesOf(rule)]));
  return Object.freeze({
    name,
    rules,
    fillers,
    readFrom: Object.values(rules).map((rule) => ({ chains: chainsOf(startsOf(rule)), isKept: rule.kind === 'agree' })),
    types,
    options,
    names: Object.keys(rules),
    places: new Map(Object.keys(rules).map((role, place) => [role, place])),
    has: (role: string) => Object.hasOwn(rules, role),
    dependsOn: (role: string) => dependsOn.get(role) ?? new Set<string>(),
    closureOf: closures(Object.keys(rules), dependsOn),
    // the table has a rule of that name
    questions: (role: string) => (Object.hasOwn(rules, role) ? questionsOf(rules[role] as RoleRule) : []),
  });
}

function closures(
  names: readonly string[],
  dependsOn: ReadonlyMap<string, ReadonlySet<string>>,
): RoleTable['closureOf'] {
  const known = new WeakMap<readonly string[], readonly number[]>();
  return (roles) => {
    const found = known.get(roles);
    if (found !== undefined) return found;
    const wanted = new Set(roles.flatMap((role) => [...(dependsOn.get(role) ?? [])]));
    const all = names.flatMap((name, place) => (wanted.has(name) ? [place] : []));
    known.set(roles, all);
    return all;
  };
}

const compilers: { readonly [Kind in RoleRule['kind']]: (rule: Extract<RoleRule, { kind: Kind }>) => Filler } = {
  given: compileGiven,
  follow: compileFollow,
  first: compileFirst,
  every: compileEvery,
  pick: compilePick,
  choose: compileChoose,
  together: compileTogether,
  joined: compileJoined,
  agree: compileAgree,
  derive: compileDerive,
  reasons: compileReasons,
  own: compileOwn,
  computed:
    ({ fill }) =>
    (facts) =>
      fill.call(facts),
};

function compileRule(rule: RoleRule): Filler {
  const compile = compilers[rule.kind] as (rule: RoleRule) => Filler; // the table has one entry for each kind
  return compile(rule);
}

/** The paths that a role is read from. `choose` and `reasons` have none, because they search the chart. */
function startsOf(rule: RoleRule): readonly string[] {
  switch (rule.kind) {
    case 'follow':
    case 'joined':
      return [rule.path];
    case 'first':
    case 'pick':
    case 'every':
      return rule.paths;
    case 'together':
      return rule.paths.flatMap((path) => [`${path}.${rule.needs.replace(/\..*$/, '')}`, path]);
    case 'agree':
      return rule.sources.map(({ path }) => path);
    case 'derive':
      return [rule.stated];
    default:
      return [];
  }
}

function refuseUnknown(name: string, role: string, reads: ReadonlySet<string>, rules: RoleRules): void {
  const unknown = [...reads].filter((other) => !Object.hasOwn(rules, other));
  if (unknown.length === 0) return;
  throw new BridgeError('mapping_invalid', { mapping: name, role, reason: `there is no role %${unknown.join(', %')}` });
}

function closureOf(role: string, direct: ReadonlyMap<string, ReadonlySet<string>>, name: string): ReadonlySet<string> {
  const all = new Set<string>();
  const visit = (at: string): void => {
    for (const next of direct.get(at) ?? []) {
      if (next === role)
        throw new BridgeError('mapping_invalid', { mapping: name, role, reason: 'it is filled from itself' });
      if (all.has(next)) continue;
      all.add(next);
      visit(next);
    }
  };
  visit(role);
  return all.add(role);
}

/** The roles in the paths of a rule, and the roles that its named functions declare. */
function readsOf(rule: RoleRule): ReadonlySet<string> {
  const paths = pathsOf(rule).flatMap(({ expression }) => variablesOf(parse(expression)));
  return new Set([...paths, ...statedReads(rule)]);
}

function statedReads(rule: RoleRule): readonly string[] {
  if (rule.kind === 'computed' || rule.kind === 'derive') return rule.reads;
  if (rule.kind === 'reasons') return ['order', 'patient', rule.encounter];
  return rule.kind === 'choose' && rule.of === 'patient' ? ['patient'] : [];
}

export interface RulePath {
  readonly expression: string;
  /** The path starts at the rule's candidates. */
  readonly relative: boolean;
}

export function pathsOf(rule: RoleRule): RulePath[] {
  const start = (...expressions: readonly string[]) =>
    expressions.map((expression) => ({ expression, relative: false }));
  const inside = (...expressions: readonly string[]) =>
    expressions.map((expression) => ({ expression, relative: true }));
  const clauses = (list: readonly Clause[]) => [
    ...start(...list.flatMap(({ test }) => elsewhereOf(test))),
    ...inside(...list.flatMap(({ test, text }) => [...pathsOfTest(test), ...slotsOf(text)])),
  ];
  const asks = (list: readonly { readonly when: Clause; readonly beside?: Clause; readonly message: string }[]) =>
    list.flatMap(({ when, beside, message }) => [
      ...clauses(beside === undefined ? [when] : [when, beside]),
      ...inside(...slotsOf(message)),
    ]);
  switch (rule.kind) {
    case 'given':
      return [...clauses(rule.unless), ...asks(rule.asks), ...clauses(rule.warns), ...inside(...rule.label)];
    case 'follow':
      return [...start(rule.path), ...clauses(rule.warns)];
    case 'first':
      return [...start(...rule.paths), ...asks(rule.asks)];
    case 'every':
      return [...start(...rule.paths), ...clauses(rule.unless), ...preferred([...rule.prefer, ...rule.lastly])];
    case 'pick':
      return [
        ...start(...rule.paths),
        ...clauses(rule.unless),
        ...preferred(rule.prefer),
        ...asks(rule.asks),
        ...inside(...rule.same),
      ];
    case 'choose':
      return [
        ...clauses(rule.unless),
        ...preferred(rule.prefer),
        ...asks(rule.asks),
        ...inside(...rule.label, ...(rule.apart ?? [])),
        ...(rule.linked === undefined ? [] : clauses([rule.linked.when])),
      ];
    case 'together':
      return [...start(...rule.paths), ...inside(rule.needs), ...asks(rule.asks)];
    case 'joined':
      return [...start(rule.path, ...rule.elements.map((element) => `${rule.path}.${element}`)), ...asks(rule.asks)];
    case 'agree':
      return start(...rule.sources.map(({ path }) => path));
    case 'derive':
      return start(rule.stated);
    case 'reasons':
      return start(rule.stated.concepts, rule.stated.references);
    case 'computed':
    case 'own':
      return [];
  }
}

function preferred(list: readonly Preference[]): RulePath[] {
  return list.flatMap((one): RulePath[] => {
    if (one.kind === 'uses') return [];
    if (one.kind === 'namedBy') return [{ expression: one.path, relative: false }];
    if (one.kind === 'lowest' || one.kind === 'latest') return [{ expression: one.path, relative: true }];
    const inside = [...pathsOfTest(one.clause.test), ...slotsOf(one.clause.text)];
    return [
      ...inside.map((expression) => ({ expression, relative: true })),
      ...elsewhereOf(one.clause.test).map((expression) => ({ expression, relative: false })),
    ];
  });
}

function slotsOf(text: string): string[] {
  return [...text.matchAll(/\{([^{}|]+)(?:\|[^{}]*)?\}/g)]
    .map((match) => match[1] ?? '')
    .filter((slot) => slot !== 'reference' && slot !== 'reason' && slot !== 'said');
}

function typesOf(rule: RoleRule): readonly string[] {
  switch (rule.kind) {
    case 'given':
    case 'choose':
      return [rule.type];
    case 'agree':
    case 'own':
      return rule.keys;
    case 'reasons':
      return ['CodeableConcept'];
    default:
      return rule.types;
  }
}

type Asked = ReturnType<Roles['questions']>;

function questionsOf(rule: RoleRule): Asked {
  switch (rule.kind) {
    case 'given':
      return [...(rule.refused === undefined ? [] : [rule.refused]), ...rule.asks];
    case 'pick':
      return [...rule.asks, ...tied(rule.tie)];
    case 'choose':
      return [...rule.asks, ...tied(rule.tie), ...(rule.linked === undefined ? [] : [rule.linked.ask])];
    case 'first':
    case 'together':
    case 'joined':
      return rule.asks;
    case 'agree':
      return Object.entries(rule.aspects).map(([aspect, { part = aspect }]) => ({ part, severity: 'blocks' }));
    case 'derive':
    case 'reasons':
      return [{ severity: 'blocks' }];
    case 'computed':
      return rule.questions;
    default:
      return [];
  }
}

function tied(tie: Tie): Asked {
  if (tie.kind === 'first' || tie.kind === 'none') return [];
  const severity = tie.kind === 'ask' ? 'blocks' : 'warns';
  return [tie.part === undefined ? { severity } : { severity, part: tie.part }];
}
