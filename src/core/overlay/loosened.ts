import type { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { compilePath } from '../fhirpath/compile.ts';
import type { Plan, PlannedLeaf } from '../mapping/plan/plan.ts';
import { placeOfQuestion } from '../mapping/plan/question-places.ts';
import { readsOf } from '../mapping/plan/reads.ts';
import { schemaAt } from '../mapping/schema.ts';
import { isWithin, parseTarget } from '../mapping/target.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { ObjectTree, Tree } from '../mapping/words/tree.ts';
import type { RoleTable } from '../roles/define.ts';
import type { RoleRule } from '../roles/words.ts';
import { endsInLiteral } from './expression.ts';
import type { OverlayProblem } from './site-overlay.ts';

/** The rules of a mapping with an overlay. Everything that the overlay wrote has `name` as its rule name. */
export interface LaidRules {
  readonly name: string;
  readonly tree: ObjectTree;
  readonly plan: Plan;
}

/**
 * The places where an overlay loosens the base: another source for agreeing or related leaves or for the birth date, a
 * constant for a required or patient-specific value, a role that the base does not read, or a blocking question without
 * a leaf. `table` is the role table with the overlay.
 */
export function loosenedBy<T>(base: Mapping<T>, over: LaidRules, table: RoleTable): OverlayProblem[] {
  const changed = rulesBy(over.tree, over.name, '');
  const problems = changed.flatMap(({ target, tree }) => [
    ...wrongReads(tree, target, base),
    ...writtenValue(tree, target, base, table),
    ...otherBirthDate(tree, target, base),
    ...readPast(target, base, over, table),
    ...readOtherwise(tree, target, base, table),
  ]);
  return problems.length > 0 ? problems : lostQuestions(base, over, table);
}

interface ChangedRule {
  /** The path in the body: `insurance_content.rx_bin`, `diagnoses[].code`. */
  readonly target: string;
  readonly tree: Tree;
}

function rulesBy(tree: Tree, rule: string, target: string): ChangedRule[] {
  if (tree.kind === 'object')
    return tree.entries.flatMap(([key, inner]) => rulesBy(inner, rule, target === '' ? key : `${target}.${key}`));
  const own = tree.rule === rule ? [{ target, tree }] : [];
  if (tree.kind === 'each') return [...own, ...rulesBy(tree.item, rule, `${target}[]`)];
  if (tree.kind === 'concat') return [...own, ...tree.lists.flatMap((list) => rulesBy(list, rule, target))];
  return own;
}

/**
 * Refuses a path that reads no role, or a role that the base does not read. The encounter of an order, for example, may
 * be sensitive.
 */
function wrongReads<T>(tree: Tree, target: string, base: Mapping<T>): OverlayProblem[] {
  if (tree.kind !== 'from') return [];
  return tree.sources.flatMap(({ path }, index) => {
    const at = [...overlayPath(target), 'from', index];
    const reads = readsOf(path.tree, target.includes('[]') ? [{ role: '', members: [] }] : []);
    const foreign = reads.find(({ role }) => role !== '' && !base.plan.roles.includes(role));
    if (foreign !== undefined)
      return [{ path: at, reason: `the request does not read %${foreign.role}; a site reads the roles that it reads` }];
    if (reads.length === 0 || endsInLiteral(path.tree))
      return [{ path: at, reason: 'this finds a value that is not in the chart; write it as a constant' }];
    return [];
  });
}

/**
 * Refuses a constant where the base sends nothing, follows another field, asks a person, or reads the patient or order.
 */
function writtenValue<T>(tree: Tree, target: string, base: Mapping<T>, table: RoleTable): OverlayProblem[] {
  if (tree.kind !== 'constant') return [];
  const path = [...overlayPath(target), 'constant'];
  const before = treeAt(base.tree, target);
  if (before?.kind === 'omit') return [{ path, reason: `the mapping sends nothing here by itself: ${before.reason}` }];
  if (before?.kind === 'from' && before.follows !== undefined)
    return [{ path, reason: 'it says the same as another field in other words; a constant would contradict it' }];
  if (isRequired(base.schema, target))
    return [
      {
        path,
        reason: 'where it is missing in the chart a person is asked; a constant would be sent for every patient',
      },
    ];
  const whose = rolesAt(base, target).find((role) => isOfOrder(role, table));
  if (whose === undefined) return [];
  return [{ path, reason: `it is read from %${whose}; a constant would be sent for every patient and every order` }];
}

// Payers use the birth date to tell patients with the same name apart, and no other date in a chart means the same.
const birthDate = '%patient.birthDate';

function otherBirthDate<T>(tree: Tree, target: string, base: Mapping<T>): OverlayProblem[] {
  if (tree.kind !== 'from' || !expressionsOf(treeAt(base.tree, target)).includes(birthDate)) return [];
  const index = tree.sources.findIndex(({ path }) => path.expression !== birthDate);
  return index < 0
    ? []
    : [{ path: [...overlayPath(target), 'from', index], reason: `it is read as the mapping reads it: ${birthDate}` }];
}

/**
 * Whether a role is the patient, the order, or a part of either. Resources that the patient or the order refers to do
 * not count.
 */
function isOfOrder(role: string, table: RoleTable): boolean {
  const rule = table.rules[role];
  if (rule === undefined) return false;
  if (rule.kind === 'given') return true;
  if (rule.kind !== 'first' && rule.kind !== 'every' && rule.kind !== 'pick' && rule.kind !== 'together') return false;
  const reads = rule.paths.flatMap((path) => readsOf(compilePath(path).tree));
  return reads.every((read) => isOfOrder(read.role, table));
}

// A leaf of these roles must not read another source, because the role checks that its sources agree, keeps leaves
// together, or asks a person.
const held: ReadonlySet<RoleRule['kind']> = new Set(['agree', 'together', 'joined', 'derive', 'reasons']);

function readPast<T>(target: string, base: Mapping<T>, over: LaidRules, table: RoleTable): OverlayProblem[] {
  const top = target.split('[')[0] ?? target;
  return base.plan.leaves
    .filter((leaf) => isWithin(leaf.target, top))
    .flatMap((leaf) => {
      const [before, isList] = [rolesOf(leaf), isListAt(base.tree, leaf.target)];
      const kept = before.filter((role) => isList || held.has(table.rules[role]?.kind ?? 'own'));
      if (kept.length === 0) return [];
      const after = rolesOf(over.plan.leaves.find((one) => one.target === leaf.target));
      const lost = kept.filter((role) => !after.includes(role));
      const added = after.filter((role) => !before.includes(role));
      if (lost.length === 0 && added.length === 0) return [];
      return [readElsewhere(target, kept)];
    });
}

function readElsewhere(target: string, roles: readonly string[]): OverlayProblem {
  const names = roles.map((role) => `%${role}`).join(' and ');
  return {
    path: overlayPath(target),
    reason: `it is read from ${names} and from nothing else, so that it fits what belongs to it`,
  };
}

/**
 * Roles of the kinds in `held` compare the mapping's own paths and ask about them. With another path for the quantity,
 * `at most 60` would be sent as 60. A part of a name or an address must not come from another source.
 */
function readOtherwise<T>(tree: Tree, target: string, base: Mapping<T>, table: RoleTable): OverlayProblem[] {
  if (tree.kind !== 'from') return [];
  const top = target.split('[')[0] ?? target;
  const before = base.plan.leaves.filter((leaf) => isWithin(leaf.target, top)).flatMap(rolesOf);
  if (before.some((role) => held.has(table.rules[role]?.kind ?? 'own'))) {
    const own = expressionsOf(treeAt(base.tree, target));
    return tree.sources.flatMap(({ path }, index) =>
      own.includes(path.expression)
        ? []
        : [
            {
              path: [...overlayPath(target), 'from', index],
              reason: `it is read as the mapping reads it: ${own.join(', ')}`,
            },
          ],
    );
  }
  const whole = before.filter((role) => isOneElement(role, table));
  const isForeign = tree.sources.some(({ path }) => readsOf(path.tree, []).some(({ role }) => !before.includes(role)));
  return whole.length > 0 && isForeign ? [readElsewhere(target, whole)] : [];
}

function expressionsOf(tree: Tree | undefined): readonly string[] {
  return tree?.kind === 'from' ? tree.sources.map(({ path }) => path.expression) : [];
}

function isOneElement(role: string, table: RoleTable): boolean {
  const rule = table.rules[role];
  return rule?.kind === 'pick' && rule.types.some((type) => type === 'Address' || type === 'HumanName');
}

function rolesOf(leaf: PlannedLeaf | undefined): string[] {
  return [...new Set(leaf?.reads.map(({ role }) => role) ?? [])];
}

function rolesAt<T>(base: Mapping<T>, target: string): string[] {
  const leaves = base.plan.leaves.filter((leaf) => isWithin(leaf.target, target.split('[')[0] ?? target));
  return [...new Set(leaves.flatMap(rolesOf))];
}

function isListAt(tree: ObjectTree, target: string): boolean {
  const found = treeAt(tree, target);
  return found?.kind === 'each' || found?.kind === 'concat';
}

/** Blocking questions of the base for which the overlay leaves no leaf. */
function lostQuestions<T>(base: Mapping<T>, over: LaidRules, table: RoleTable): OverlayProblem[] {
  const filled = new Set(base.plan.roles.flatMap((role) => [...table.dependsOn(role)]));
  return [...filled].flatMap((role) =>
    table.questions(role).flatMap(({ part, severity }) => {
      const asked = part === undefined ? { role } : { role, part };
      if (severity !== 'blocks' || placeOfQuestion(base.plan, table, asked) === undefined) return [];
      if (placeOfQuestion(over.plan, table, asked) !== undefined) return [];
      const path = lostAt(base, over, role);
      return [
        { path, reason: `nothing reads %${role} any more, so its question would not be asked; name its path too` },
      ];
    }),
  );
}

function lostAt<T>(base: Mapping<T>, over: LaidRules, role: string): readonly PropertyKey[] {
  const readers = base.plan.leaves.filter((leaf) => rolesOf(leaf).includes(role));
  const lost = readers.find(({ target }) =>
    rulesBy(over.tree, over.name, '').some((rule) => isWithin(target, rule.target)),
  );
  return lost === undefined ? [] : overlayPath(lost.target);
}

function treeAt(tree: Tree, target: string): Tree | undefined {
  const [key, ...rest] = target.split('.');
  if (key === undefined || tree.kind !== 'object') return undefined;
  const inner = tree.entries.find(([name]) => name === key.replace(/\[0?\]$/, ''))?.[1];
  if (inner === undefined || rest.length === 0) return inner;
  return treeAt(inner.kind === 'each' ? inner.item : inner, rest.join('.'));
}

function isRequired(schema: z.core.$ZodType, target: string): boolean {
  const found = schemaAt(schema, parseTarget(target.replaceAll('[]', '[0]')));
  return found !== undefined && isObject(found) && found._zod.optin === undefined && found._zod.def.type !== 'nullable';
}

/** The path of a target in an overlay file: `diagnoses`, `items`, `code` for `diagnoses[].code`. */
export function overlayPath(target: string): PropertyKey[] {
  return target.split('.').flatMap((key) => (key.endsWith('[]') ? [key.slice(0, -2), 'items'] : [key]));
}
