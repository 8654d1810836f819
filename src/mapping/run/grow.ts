import { isObject } from '../../fhir/is-object.ts';
import { systems } from '../../fhir/systems.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import { EvaluationError } from '../../fhirpath/error.ts';
import { type Item, placeOf } from '../../fhirpath/item.ts';
import { extensionsOf } from '../../fhirpath/member.ts';
import type { Root } from '../input.ts';
import type { Provenance } from '../result.ts';
import type { Transformed } from '../words/rules.ts';
import type { AllTree, CompiledSource, ConstantTree, EachTree, FromTree, ObjectTree, Tree } from '../words/tree.ts';

/** A body with the origin of every leaf, before edits are applied and paths are known. */
export type Grown = GrownLeaf | GrownObject | GrownArray | Refused;

export interface GrownLeaf {
  readonly kind: 'leaf';
  readonly value: unknown;
  readonly origin: LeafOrigin;
}

export type LeafOrigin = Omit<Provenance, 'target'>;

export interface GrownObject {
  readonly kind: 'object';
  readonly fields: Map<string, Grown>;
  /** The item that an `each` made this of, and the rules that made it. */
  readonly item?: Item;
  readonly rules?: ObjectTree;
}

export interface GrownArray {
  readonly kind: 'array';
  readonly items: (Grown | undefined)[];
  /** How many nodes the `each` found and could make nothing of. */
  readonly unused: number;
}

/** Values were found and none was taken. */
export interface Refused {
  readonly kind: 'refused';
}

/** What a rule made of a chart. `found`: something was read, not only defaults (constants, literals, later sources from the site); `missed`: a rule that reads found nothing. */
interface Growth {
  readonly grown: Grown | undefined;
  readonly found: boolean;
  readonly missed: boolean;
}

const nothing: Growth = { grown: undefined, found: false, missed: true };
const refused: Growth = { grown: { kind: 'refused' }, found: false, missed: true };
const omitted: Growth = { grown: undefined, found: false, missed: false };

/** Runs the rules. An optional part that would hold only defaults while its readers found nothing is left out. */
export function grow(tree: Tree, context: Items, environment: Environment): Growth {
  switch (tree.kind) {
    case 'from':
      return growFrom(tree, context, environment);
    case 'each':
      return growEach(tree, context, environment);
    case 'all':
      return growAll(tree, context, environment);
    case 'object':
      return growObject(tree, context, environment);
    case 'constant':
      return growConstant(tree);
    case 'omit':
      return omitted;
  }
}

function growConstant(tree: ConstantTree): Growth {
  return {
    grown: { kind: 'leaf', value: tree.value, origin: { kind: 'constant', rule: tree.rule, note: tree.reason } },
    found: false,
    missed: false,
  };
}

function growObject(tree: ObjectTree, context: Items, environment: Environment, item?: Item): Growth {
  const fields = new Map<string, Grown>();
  let [found, missed, filled] = [false, false, false];
  for (const [key, inner] of tree.entries) {
    const growth = grow(inner, context, environment);
    if (growth.grown !== undefined) fields.set(key, growth.grown);
    if (growth.grown !== undefined && growth.grown.kind !== 'refused') filled = true;
    found ||= growth.found;
    missed ||= growth.missed;
  }
  if (fields.size === 0) return missed ? nothing : omitted;
  const kept = filled && (found || !missed || !tree.optional);
  return {
    grown: {
      kind: 'object',
      fields: kept ? fields : onlyRefusals(fields),
      ...(item === undefined ? {} : { item, rules: tree }),
    },
    found,
    missed,
  };
}

// What was found and not taken is told even when the part it belongs to is left out.
function onlyRefusals(fields: ReadonlyMap<string, Grown>): Map<string, Grown> {
  return new Map(
    [...fields].filter(([, grown]) => grown.kind === 'refused' || (grown.kind === 'object' && !hasValue(grown))),
  );
}

/** Whether there is any value in it. */
export function hasValue(grown: Grown | undefined): boolean {
  if (grown === undefined || grown.kind === 'refused') return false;
  if (grown.kind === 'leaf') return true;
  return (grown.kind === 'array' ? grown.items : [...grown.fields.values()]).some(hasValue);
}

function growEach(tree: EachTree, context: Items, environment: Environment): Growth {
  const nodes = itemsOf(tree.path.run, context, environment);
  if (nodes.length === 0) return nothing;
  const items: Grown[] = [];
  for (const node of nodes) {
    const { grown } =
      tree.item.kind === 'object'
        ? growObject(tree.item, [node], environment, node)
        : grow(tree.item, [node], environment);
    if (grown !== undefined && hasValue(grown)) items.push(grown);
  }
  if (items.length === 0) return refused;
  return { grown: { kind: 'array', items, unused: nodes.length - items.length }, found: true, missed: false };
}

function growAll({ lists }: AllTree, context: Items, environment: Environment): Growth {
  const growths = lists.map((list) => growEach(list, context, environment));
  const arrays = growths.map(({ grown }) => grown).filter((grown) => grown?.kind === 'array');
  if (arrays.length === 0) return growths.find(({ grown }) => grown?.kind === 'refused') ?? nothing;
  const items = arrays.flatMap((array) => array.items);
  const unused = arrays.reduce((sum, array) => sum + array.unused, 0);
  return { grown: { kind: 'array', items, unused }, found: true, missed: false };
}

function growFrom(tree: FromTree, context: Items, environment: Environment): Growth {
  let wasRefused = false;
  for (const source of tree.sources) {
    const items = itemsOf(source.path.run, context, environment);
    for (const item of items) {
      const taken = take(source, item);
      if ('refused' in taken) wasRefused ||= taken.refused !== blank;
      else {
        const origin = originOf(tree, source, { item, others: items.length - 1, taken });
        const isDefault = origin.kind === 'constant' || (origin.kind === 'site' && source !== tree.sources[0]);
        return { grown: { kind: 'leaf', value: taken.value, origin }, found: !isDefault, missed: false };
      }
    }
  }
  return wasRefused ? refused : nothing;
}

const blank = 'blank';

/** What a source makes of one item: its value, or why it is not taken. */
export function take(source: CompiledSource, item: Item): Transformed<unknown> {
  const { value } = item;
  if (value === undefined) return { refused: absentReason(item) };
  if (typeof value === 'string' && value.trim() === '') return { refused: blank };
  if (source.transform !== undefined) return source.transform.apply(value);
  return { value: typeof value === 'string' ? value.trim() : value };
}

// FHIR's data-absent-reason stands beside a primitive without a value.
function absentReason(item: Item): string {
  const code = extensionsOf([item], systems.dataAbsentReason).map((extension) =>
    isObject(extension.value) ? extension.value.valueCode : undefined,
  )[0];
  return typeof code === 'string' && /^[a-z-]+$/.test(code)
    ? `no value (data-absent-reason: ${code})`
    : 'no value, only extensions';
}

// Filled key by key: a chart has dozens of leaves, and each conditional spread would copy the whole.
function originOf(
  tree: FromTree,
  source: CompiledSource,
  { item, others, taken }: { item: Item; others: number; taken: { value: unknown; derived?: boolean; note?: string } },
): LeafOrigin {
  const root = rootOf(item);
  const place = placeOf(item);
  const note =
    taken.note === undefined || root?.note === undefined ? (taken.note ?? root?.note) : `${taken.note}; ${root.note}`;
  const origin: Writable<LeafOrigin> = {
    kind: kindOf(root, item, taken.derived === true),
    rule: tree.rule,
    expression: source.path.expression,
  };
  if (source.transform !== undefined) origin.transform = source.transform.name;
  if (place !== undefined) origin.source = place;
  if (others > 0) origin.others = others;
  if (note !== undefined && note !== '') origin.note = note;
  return origin;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function kindOf(root: Root | undefined, item: Item, derived: boolean): Provenance['kind'] {
  if (root === undefined) return item.parent === undefined ? 'constant' : 'chart';
  const kind = root.kind ?? 'chart';
  return kind === 'chart' && derived ? 'derived' : kind;
}

// The engine puts the Root there when it makes the first item of a chain.
function rootOf(item: Item): Root | undefined {
  return item.origin.tag as Root | undefined;
}

// FHIRPath's "signal an error" is data that cannot answer: the look says so, the value is missing.
function itemsOf(
  run: (context: Items, environment: Environment) => Items,
  context: Items,
  environment: Environment,
): Items {
  try {
    return run(context, environment);
  } catch (error) {
    if (error instanceof EvaluationError) return [];
    throw error;
  }
}
