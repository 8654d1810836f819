import { nearest } from '../did-you-mean.ts';
import { systems } from '../fhir/codes/systems.ts';
import { elementsNamed, elementsOf, isA, isPrimitive, isResourceType } from '../fhir/model/model.ts';
import type { BinaryExpression, Expression, Head, PathExpression, PathStep } from '../fhirpath/ast.ts';
import { compilePath } from '../fhirpath/compile.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Tree } from '../mapping/words/tree.ts';
import { pathsOf, type RoleTable } from './define.ts';

/** A possible type of an element. `targets` are the resource types that a Reference may point to; without it, all. */
export interface ElementType {
  readonly type: string;
  readonly targets?: readonly string[];
}

/** The types of each role's nodes: FHIR types (`Patient`, `integer`), or the keys of an object that is not FHIR. */
export type RoleTypes = Readonly<Record<string, readonly string[]>>;

export interface PathIssue {
  /** The path in the body, such as `diagnoses[].code`. */
  readonly to: string;
  readonly rule: string;
  readonly expression: string;
  readonly position: number;
  readonly message: string;
}

/**
 * Checks every step of a mapping's paths against FHIR R4, and reports misspelled elements, impossible types, and
 * comparisons that are never true.
 */
export function checkPaths<T>(mapping: Mapping<T>, roleTypes: RoleTypes): PathIssue[] {
  return checkTree(mapping.tree, { to: '', context: [{ type: any }] }, roleTypes);
}

/**
 * Checks the paths of a table of roles. Paths of clauses and preferences start at the candidates of the role, which is
 * in `to`.
 */
export function checkRolePaths({ name, rules, types }: RoleTable): PathIssue[] {
  return Object.entries(rules).flatMap(([role, rule]) => {
    // The texts of a joined role come from candidates of another type.
    const candidates = rule.kind === 'joined' ? typesOfPath(rule.path, types) : (types[role] ?? []);
    return pathsOf(rule).flatMap(({ expression, relative }) => {
      const { tree } = compilePath(expression);
      const context = (relative ? candidates : [any]).map((type) => ({ type }));
      const checker = new Checker(context, types);
      checker.types(tree, context);
      return checker.issues.map((issue) => ({ ...issue, to: `%${role}`, rule: name, expression }));
    });
  });
}

/**
 * The FHIR types that an expression over roles may find. `*` is any type.
 * @example typesOfPath('%patient.name', roles.types) // ['HumanName']
 */
export function typesOfPath(expression: string, roleTypes: RoleTypes): readonly string[] {
  const context = [{ type: any }];
  return new Checker(context, roleTypes).types(compilePath(expression).tree, context).map(({ type }) => type);
}

const any = '*';
const own = 'role:';
const truth: readonly ElementType[] = [{ type: 'boolean' }];

function checkTree(tree: Tree, at: { to: string; context: readonly ElementType[] }, roleTypes: RoleTypes): PathIssue[] {
  const { to, context } = at;
  if (tree.kind === 'object')
    return tree.entries.flatMap(([key, inner]) =>
      checkTree(inner, { to: to === '' ? key : `${to}.${key}`, context }, roleTypes),
    );
  if (tree.kind === 'each') {
    const checker = new Checker(context, roleTypes);
    const item = checker.types(tree.path.tree, context);
    return [
      ...checker.issues.map((issue) => ({ ...issue, to, rule: tree.rule, expression: tree.path.expression })),
      ...checkTree(tree.item, { to: `${to}[]`, context: item }, roleTypes),
    ];
  }
  if (tree.kind === 'concat') return tree.lists.flatMap((list) => checkTree(list, at, roleTypes));
  if (tree.kind !== 'from') return [];
  return [...tree.sources, ...(tree.beside ?? [])].flatMap(({ path, transform }) => {
    const checker = new Checker(context, roleTypes);
    const types = checker.types(path.tree, context);
    if (transform === undefined) checker.single(types, path.tree.position);
    return checker.issues.map((issue) => ({ ...issue, to, rule: tree.rule, expression: path.expression }));
  });
}

class Checker {
  readonly issues: { position: number; message: string }[] = [];

  constructor(
    private readonly root: readonly ElementType[],
    private readonly roleTypes: RoleTypes,
  ) {}

  types(tree: Expression, context: readonly ElementType[]): readonly ElementType[] {
    if (tree.kind === 'binary') return this.binary(tree, context);
    if (tree.kind === 'path') return this.path(tree, context);
    const operand = this.types(tree.operand, context);
    const narrowed = this.asked(operand, tree.type, tree.position);
    return tree.operator === 'is' ? truth : narrowed;
  }

  /** Without a transform, a value must be a JSON primitive. */
  single(types: readonly ElementType[], position: number): void {
    const parts = types.filter(({ type }) => !this.isOpen(type) && !isPrimitive(type));
    if (types.length > 0 && parts.length === types.length)
      this.say(position, `${names(parts)} has parts; name one of them or use a transform`);
  }

  private path(tree: PathExpression, context: readonly ElementType[]): readonly ElementType[] {
    let types = this.head(tree.head, context);
    for (const [index, step] of tree.steps.entries())
      types = this.step(step, types, { context, first: index === 0 && tree.head.kind === 'context' });
    return types;
  }

  private head(head: Head, context: readonly ElementType[]): readonly ElementType[] {
    if (head.kind === 'group') return this.types(head.inner, context);
    if (head.kind === 'empty') return [];
    if (head.kind === 'literal')
      return [
        {
          type:
            typeof head.value === 'object'
              ? 'dateTime'
              : typeof head.value === 'number'
                ? 'decimal'
                : typeof head.value,
        },
      ];
    return head.kind === 'variable' ? this.variable(head.name, head.position) : context;
  }

  private variable(name: string, position: number): readonly ElementType[] {
    if (Object.hasOwn(systems, name)) return [{ type: 'string' }];
    const given = this.roleTypes[name];
    if (given === undefined) {
      this.say(
        position,
        `there is no role %${name}${nearest(name, [...Object.keys(this.roleTypes), ...Object.keys(systems)], '%')}`,
      );
      return [{ type: any }];
    }
    return this.isShape(given) ? [{ type: `${own}${name}` }] : given.map((type) => ({ type }));
  }

  private isShape(given: readonly string[]): boolean {
    return given.some(
      (name) => !/^[A-Z]/.test(name) && !['boolean', 'integer', 'decimal', 'string', 'date', 'dateTime'].includes(name),
    );
  }

  private step(
    step: PathStep,
    types: readonly ElementType[],
    at: { context: readonly ElementType[]; first: boolean },
  ): readonly ElementType[] {
    if (step.kind === 'index') return types;
    if (step.kind === 'typed') {
      const narrowed = this.asked(types, step.type, step.position);
      return step.name === 'is' ? truth : narrowed;
    }
    if (step.kind === 'call') return this.call(step, types, at.context);
    const narrows = at.first && isResourceType(step.name) && this.root === at.context;
    return narrows ? this.narrowed(types, step.name, step.position) : this.member(step.name, types, step.position);
  }

  private member(name: string, types: readonly ElementType[], position: number): readonly ElementType[] {
    const found = types.map(({ type }) => this.elementOf(type, name));
    const known = found.filter((inner) => inner !== undefined);
    if (known.length === 0 && types.length > 0) this.say(position, this.unknown(name, types));
    return known.length === 0 ? [{ type: any }] : unique(known.flat());
  }

  private elementOf(type: string, name: string): readonly ElementType[] | undefined {
    if (type === any) return [{ type: any }];
    if (type.startsWith(own))
      return this.roleTypes[type.slice(own.length)]?.includes(name) === true ? [{ type: any }] : undefined;
    if (isPrimitive(type))
      return name === 'extension' ? [{ type: 'Extension' }] : name === 'id' ? [{ type: 'string' }] : undefined;
    const found = elementsNamed(type, name);
    return found.length === 0 ? undefined : found;
  }

  private unknown(name: string, types: readonly ElementType[]): string {
    const candidates = types.flatMap(({ type }) =>
      type.startsWith(own)
        ? (this.roleTypes[type.slice(own.length)] ?? [])
        : [...(elementsOf(type)?.values() ?? [])].map((element) => element.name),
    );
    const isChoice = (candidate: string) =>
      types.some(({ type }) => (this.elementOf(type, candidate)?.length ?? 0) > 1);
    const choice = candidates.find(
      (candidate) => name.startsWith(candidate) && /^[A-Z]/.test(name.slice(candidate.length)) && isChoice(candidate),
    );
    const hint = choice === undefined ? nearest(name, candidates) : `; write ${choice}.ofType(...)`;
    return `${names(types)} has no element ${name}${hint}`;
  }

  private call(
    step: PathStep & { kind: 'call' },
    types: readonly ElementType[],
    context: readonly ElementType[],
  ): readonly ElementType[] {
    const inner = ['where', 'exists', 'all', 'iif'].includes(step.name) ? types : context;
    const args = step.args.map((argument) => this.types(argument, inner));
    switch (step.name) {
      case 'where':
      case 'first':
      case 'last':
      case 'tail':
      case 'distinct':
        return types;
      case 'extension':
        return [{ type: 'Extension' }];
      case 'resolve':
        return this.resolved(types, step.position);
      case 'count':
        return [{ type: 'integer' }];
      case 'iif':
        return unique(args.slice(1).flat());
      default:
        return truth;
    }
  }

  private resolved(types: readonly ElementType[], position: number): readonly ElementType[] {
    const references = types.filter(
      ({ type }) => this.isOpen(type) || ['Reference', 'canonical', 'uri', 'url', 'string'].includes(type),
    );
    if (references.length === 0) this.say(position, `${names(types)} is no Reference`);
    const targets = references.flatMap(({ targets: known }) => known ?? [any]);
    return targets.includes(any) || targets.includes('Resource') ? [{ type: any }] : targets.map((type) => ({ type }));
  }

  // FHIR data states the type only of an element with several types. A type test on any other element would fail for
  // every chart.
  private asked(types: readonly ElementType[], wanted: string, position: number): readonly ElementType[] {
    const [only, ...more] = types;
    if (only !== undefined && more.length === 0 && !this.isOpen(only.type) && !isResourceType(only.type))
      this.say(position, `it is always ${only.type} here; only an element of several types can be asked for its type`);
    return this.narrowed(types, wanted, position);
  }

  private narrowed(types: readonly ElementType[], wanted: string, position: number): readonly ElementType[] {
    const possible = types.filter(({ type }) => this.isOpen(type) || isA(type, wanted) || isA(wanted, type));
    if (possible.length === 0) this.say(position, `${wanted} is not one of ${names(types)}`);
    const targets = possible.flatMap((type) => type.targets ?? []);
    return [{ type: wanted, ...(targets.length === 0 ? {} : { targets }) }];
  }

  private binary(tree: BinaryExpression, context: readonly ElementType[]): readonly ElementType[] {
    const [left, right] = [this.types(tree.left, context), this.types(tree.right, context)];
    if (tree.operator === '|') return unique([...left, ...right]);
    if (['=', '!=', 'in', 'contains', '<', '<=', '>', '>='].includes(tree.operator))
      this.comparable(left, right, tree.position);
    return truth;
  }

  private comparable(left: readonly ElementType[], right: readonly ElementType[], position: number): void {
    const [one, other] = [this.kinds(left), this.kinds(right)];
    if (
      one.size === 0 ||
      other.size === 0 ||
      one.has(any) ||
      other.has(any) ||
      [...one].some((kind) => other.has(kind))
    )
      return;
    this.say(position, `${names(left)} never equals ${names(right)}`);
  }

  private kinds(types: readonly ElementType[]): Set<string> {
    return new Set(
      types.map(({ type }) => (this.isOpen(type) ? any : (jsonKinds[type] ?? (isPrimitive(type) ? 'text' : type)))),
    );
  }

  private isOpen(type: string): boolean {
    return type === any;
  }

  private say(position: number, message: string): void {
    this.issues.push({ position, message });
  }
}

const jsonKinds: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  positiveInt: 'number',
  unsignedInt: 'number',
  date: 'date',
  dateTime: 'date',
  instant: 'date',
  time: 'time',
};

function names(types: readonly ElementType[]): string {
  return [
    ...new Set(
      types.map(({ type }) => (type.startsWith(own) ? `%${type.slice(own.length)}` : type === any ? 'a value' : type)),
    ),
  ].join(' or ');
}

function unique(types: readonly ElementType[]): ElementType[] {
  const byType = new Map<string, ElementType>();
  for (const one of types) {
    const known = byType.get(one.type);
    byType.set(
      one.type,
      known === undefined || known.targets === undefined || one.targets === undefined
        ? { type: one.type, ...(known === undefined && one.targets !== undefined ? { targets: one.targets } : {}) }
        : { type: one.type, targets: [...known.targets, ...one.targets] },
    );
  }
  return [...byType.values()];
}

// The usual typing errors: one letter wrong, missing or doubled, or two letters swapped.
