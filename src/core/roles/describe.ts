import type { Severity } from '../mapping/result.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Clause, Preference } from './clauses.ts';
import { clauseText, type DescribedClause, describeClause, preferenceWords, tieWords } from './describe-clauses.ts';
import type { DescribedFunction } from './describe-functions.ts';
import { functionsOf } from './describe-functions.ts';
import type { AskWhen, RoleRule, RoleRules, Tie } from './words.ts';

/** One role of a table for a reviewer. Paths in its texts are Markdown code. */
export interface DescribedRole {
  readonly role: string;
  readonly kind: RoleRule['kind'];
  /** Paths, sources or types, in the order of use. */
  readonly from: readonly string[];
  readonly unless: readonly DescribedClause[];
  /** Preferences in the order in which they are compared, and what happens to equal candidates. */
  readonly prefer: readonly string[];
  readonly asks: readonly DescribedAsk[];
  /** Warnings that belong to no leaf. */
  readonly tells: readonly DescribedClause[];
  readonly functions: readonly string[];
}

/** A question of a role, with the leaves that it is asked at. */
export interface DescribedAsk {
  readonly severity: Severity;
  readonly part?: string;
  readonly message: string;
  /** The condition of the question. Absent when the engine finds it, for example when sources differ. */
  readonly when?: string;
  /** The leaf in each mapping that has one: `prior-auth prescription.strength`. */
  readonly at: readonly string[];
}

export interface DescribedRoles {
  readonly name: string;
  readonly roles: readonly DescribedRole[];
  readonly functions: readonly DescribedFunction[];
}

/** The parts of a mapping that place a question. */
export type AskedMapping = Pick<Mapping<unknown>, 'name' | 'questionPlace'>;

/**
 * Every role of a table, in order. Each question has the leaves of the mappings that ask it.
 * @example describeRoles(roles, [priorAuth]).roles[0] // { role: 'site', kind: 'own', from: ['country', ...], ... }
 */
export function describeRoles(
  { name, rules }: { readonly name: string; readonly rules: RoleRules },
  mappings: readonly AskedMapping[],
): DescribedRoles {
  const roles = Object.entries(rules).map(([role, rule]) => describeRole(role, rule, mappings));
  return { name, roles, functions: functionsOf(rules) };
}

function describeRole(role: string, rule: RoleRule, mappings: readonly AskedMapping[]): DescribedRole {
  const asks = asksOf(rule).map((ask) => ({ ...ask, at: mappings.flatMap((mapping) => placeOf(mapping, role, ask)) }));
  const functions = functionsOf({ [role]: rule }).map(({ name }) => name);
  const { unless, prefer } = choosingOf(rule);
  return { role, kind: rule.kind, from: fromOf(rule), unless, prefer, asks, tells: warningsOf(rule), functions };
}

function placeOf({ name, questionPlace }: AskedMapping, role: string, { part }: { readonly part?: string }): string[] {
  const asked = part === undefined ? { role } : { role, part };
  const place = questionPlace(asked);
  return place === undefined ? [] : [`${name} ${place.target}`];
}

function fromOf(rule: RoleRule): string[] {
  switch (rule.kind) {
    case 'given':
      return [`the ${rule.type} that the request names`];
    case 'choose':
      return [rule.of === 'patient' ? `every ${rule.type} of the patient` : `every ${rule.type}`];
    case 'follow':
      return [`\`${rule.path}\` to ${rule.types.join(', ')}`];
    case 'joined':
      return [`\`${rule.path}\`, of each ${rule.elements.map((element) => `\`${element}\``).join(' else ')}`];
    case 'together':
      return [...codes(rule.paths), `the first with \`${rule.needs}\``];
    case 'agree':
      return rule.sources.map(({ label, path, read }) => `${label}: \`${path}\` by ${read.name}`);
    case 'derive':
      return [`by ${rule.derive.name}, beside \`${rule.stated}\``];
    case 'reasons':
      return [
        ...codes([rule.stated.concepts, rule.stated.references]),
        'else problems of the patient, to be confirmed',
      ];
    case 'computed':
      return [`by ${rule.fill.name}`];
    case 'own':
      return [`${rule.from}: ${rule.keys.join(', ')}`];
    default:
      return codes(rule.paths);
  }
}

function codes(paths: readonly string[]): string[] {
  return paths.map((path) => `\`${path}\``);
}

function choosingOf(rule: RoleRule): Pick<DescribedRole, 'unless' | 'prefer'> {
  switch (rule.kind) {
    case 'given':
      return { unless: rule.unless.map(describeClause), prefer: [] };
    case 'every':
      return { unless: refusing(rule.unless, rule.prefer), prefer: preferred([...rule.prefer, ...rule.lastly]) };
    case 'pick':
      return { unless: refusing(rule.unless, rule.prefer), prefer: [...preferred(rule.prefer), ...tied(rule.tie)] };
    case 'choose':
      return {
        unless: [...refusing(rule.unless, rule.prefer), ...linkedRefusal(rule.linked)],
        prefer: [...preferred(rule.prefer), ...tied(rule.tie)],
      };
    case 'reasons':
      return {
        unless: [...[...rule.unless, ...rule.unlessConcept].map(describeClause), ...proposals(rule)],
        prefer: [],
      };
    default:
      return { unless: [], prefer: [] };
  }
}

// A candidate that does not meet an `only` is ruled out with the words of `otherwise`, so `only` is also listed as a
// refusal.
function refusing(unless: readonly Clause[], prefer: readonly Preference[]): DescribedClause[] {
  const refused = prefer.flatMap((one): Clause[] =>
    one.kind === 'only' ? [{ test: { kind: 'not', test: one.clause.test }, text: one.otherwise }] : [],
  );
  return [...unless, ...refused].map(describeClause);
}

function linkedRefusal(linked: { readonly refused: string } | undefined): DescribedClause[] {
  return linked === undefined ? [] : [{ words: linked.refused, test: 'it is of a record that `Patient.link` names' }];
}

function proposals({ proposeUnless, acceptUnless }: Extract<RoleRule, { kind: 'reasons' }>) {
  const { always, ofEncounter, elsewhere } = proposeUnless;
  const accepted = acceptUnless.map(describeClause);
  const said = (clauses: readonly Clause[], of: string): DescribedClause[] =>
    clauses.map(describeClause).map(({ words, test }) => ({ words: `not proposed${of}: ${words}`, test }));
  return [
    ...said(always, ''),
    ...said(ofEncounter, ' of the order’s encounter'),
    ...said(elsewhere, ' of another encounter or none'),
    ...accepted.map(({ words, test }) => ({ words: `never accepted by the site’s policy: ${words}`, test })),
  ];
}

function preferred(list: readonly Preference[]): string[] {
  return list.map(preferenceWords);
}

function tied(tie: Tie): string[] {
  const words = tieWords(tie);
  return words === undefined ? [] : [words];
}

function warningsOf(rule: RoleRule): DescribedClause[] {
  if (rule.kind === 'given') return rule.warns.map(describeClause);
  if (rule.kind !== 'follow') return [];
  const lost = rule.missing === undefined ? [] : [{ words: rule.missing, test: 'what it refers to is not here' }];
  return [...lost, ...rule.warns.map(describeClause)];
}

type Asked = Omit<DescribedAsk, 'at'>;

function asksOf(rule: RoleRule): Asked[] {
  switch (rule.kind) {
    case 'given': {
      const { refused } = rule;
      const first = refused === undefined ? [] : [askOf(refused, 'something rules it out')];
      return [...first, ...rule.asks.map(askedWhen)];
    }
    case 'pick':
      return [...rule.asks.map(askedWhen), ...tieAsk(rule.tie)];
    case 'choose': {
      const linked = rule.linked === undefined ? [] : [askOf(rule.linked.ask, linkedWhen(rule.linked.when))];
      return [...rule.asks.map(askedWhen), ...tieAsk(rule.tie), ...linked];
    }
    case 'first':
    case 'together':
    case 'joined':
      return rule.asks.map(askedWhen);
    case 'agree':
      return Object.entries(rule.aspects).flatMap(([aspect, { part = aspect, differ, alone, unknown, told }]) => [
        ...(differ === undefined ? [] : [blocking(part, differ, 'two sources differ')]),
        ...(alone === undefined ? [] : [blocking(part, alone, 'one source says it of itself')]),
        ...(told === undefined ? [] : [warning(part, told, 'one source says it')]),
        ...(unknown === undefined ? [] : [warning(part, unknown, 'nothing tells whether two sources agree')]),
      ]);
    case 'derive':
      return [{ severity: 'blocks', message: rule.differ, when: 'what is stated differs from what is derived' }];
    case 'reasons':
      return [{ severity: 'blocks', message: 'Which ICD-10-CM code?', when: 'no stated reason has a single code' }];
    case 'computed':
      return rule.questions.map((question) => ({ ...question, message: `asked by ${rule.fill.name}` }));
    default:
      return [];
  }
}

function blocking(part: string, message: string, when: string): Asked {
  return { severity: 'blocks', part, message, when };
}

function warning(part: string, message: string, when: string): Asked {
  return { severity: 'warns', part, message, when };
}

function askOf({ severity, message, part }: Omit<Asked, 'when'>, when: string): Asked {
  return part === undefined ? { severity, message, when } : { severity, message, part, when };
}

function askedWhen({ when, beside, ...ask }: AskWhen): Asked {
  const own = clauseText(describeClause({ test: when.test, text: '' }));
  return askOf(
    ask,
    beside === undefined ? own : `${own}, and another that fits is ${beside.text || 'of the other kind'}`,
  );
}

function linkedWhen(when: Clause): string {
  return `a linked record has one, and this one has not: ${describeClause(when).test}`;
}

function tieAsk(tie: Tie): Asked[] {
  if (tie.kind === 'first' || tie.kind === 'none') return [];
  const severity = tie.kind === 'ask' ? 'blocks' : 'warns';
  const { message, part } = tie;
  const when = 'equal ones say different things';
  return [part === undefined ? { severity, message, when } : { severity, message, part, when }];
}
