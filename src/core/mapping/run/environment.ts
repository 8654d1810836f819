import { BridgeError } from '../../errors.ts';
import { type Environment, type Items, variableCount } from '../../fhirpath/environment.ts';
import { holderPlaceOf, Item, type Origin } from '../../fhirpath/item.ts';
import type { MappingInput, Node, Root } from '../input.ts';

/**
 * The environment of expressions for a chart: its roles by name, and resolve() over its resources. Each item of a role
 * keeps the root that it was read from (`rootOf`).
 */
export function environmentOf(input: MappingInput): Environment {
  const roles: (Items | undefined)[] = new Array(variableCount());
  return {
    variable: ({ name, number }) => {
      const known = roles[number];
      if (known !== undefined) return known;
      const root = input.root(name);
      if (root === undefined)
        throw new BridgeError('mapping_invalid', { variable: `%${name}`, reason: 'there is no such role' });
      const items = root.nodes.map((node) => itemOf(node, rootFor(node, root)));
      roles[number] = items;
      return items;
    },
    resolve: (reference) => {
      const source = holderPlaceOf(reference);
      const from = source === undefined ? { value: reference.value } : { value: reference.value, source };
      const target = input.resolve(reference.value, from);
      return target === undefined ? undefined : itemOf(target, reference.origin.tag);
    },
  };
}

/** The root of the role that an item was read from; undefined for literals and results of operators. */
export function rootOf(item: Item): Root | undefined {
  return item.origin.tag as Root | undefined; // only itemOf sets it
}

function rootFor(node: Node, root: Root): Root {
  return node.told === undefined ? root : new RootOfNode(root, node.told);
}

/** A root with details for one of its nodes. The kinds `proposed` and `entered` of the root are kept. */
class RootOfNode implements Root {
  readonly #root: Root;
  readonly #derived: NonNullable<Node['told']>;

  constructor(root: Root, derived: NonNullable<Node['told']>) {
    this.#root = root;
    this.#derived = derived;
  }

  get nodes(): readonly Node[] {
    return this.#root.nodes;
  }

  get kind(): NonNullable<Root['kind']> {
    return this.#root.kind ?? this.#derived.kind;
  }

  get note(): string {
    return this.#root.note === undefined ? this.#derived.note : `${this.#derived.note}; ${this.#root.note}`;
  }
}

/** All five properties are always set, because adding one later takes another allocation. */
class RoleOrigin implements Origin {
  constructor(
    readonly tag: unknown,
    readonly of: Item | undefined,
    readonly place: Origin['place'],
    readonly whole: Origin['whole'],
    readonly parts: Origin['parts'],
  ) {}
}

function itemOf(node: Node, tag: unknown): Item {
  const { value, item, whole, parts } = node;
  return new Item(value, new RoleOrigin(tag, item, item === undefined ? node.source : undefined, whole, parts));
}
