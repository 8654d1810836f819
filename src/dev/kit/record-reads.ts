import type { MappingInput, Node, Root } from '../../core/mapping/input.ts';

/** A mapping input that records which elements are read. Slow; for coverage only. */
export interface RecordedInput {
  readonly input: MappingInput;
  /**
   * Returns the elements of the chart's resources that are not in `read`, without indexes (`Patient.maritalStatus`). Of
   * an unread part, only its topmost element is listed.
   */
  readonly unread: (read: ReadonlySet<string>) => string[];
  /** Every element read so far, without indexes. */
  readonly read: ReadonlySet<string>;
  /** Every element read so far, with resource and indexes: `Patient/1 Patient.name[1].family`. */
  readonly touched: ReadonlySet<string>;
}

// Elements that every resource may have and that no request needs.
const administrative = ['resourceType', 'id', 'meta', 'text', 'implicitRules', 'language', 'contained'];

/**
 * Returns a copy of the input that records each read. The elements of `roles` count as present even if no rule reads
 * the role.
 */
export function recordReads(input: MappingInput, roles: readonly string[] = []): RecordedInput {
  const read = new Set<string>();
  const touched = new Set<string>();
  const present: { value: unknown; path: string }[] = [];
  const recorded = (node: Node): Node => {
    const path = general(node.source?.path ?? '');
    if (node.source !== undefined && node.whole !== true) present.push({ value: node.value, path });
    const place = node.source === undefined ? '' : `${node.source.resource} ${node.source.path}`;
    if (node.source !== undefined) touched.add(place);
    return {
      ...node,
      source: node.source,
      value: watched(structuredClone(node.value), { path, place }, { read, touched }),
    };
  };
  const roots = new Map<string, Root | undefined>();
  const root: MappingInput['root'] = (role) => {
    if (!roots.has(role)) {
      const whole = input.root(role);
      roots.set(role, whole === undefined ? undefined : new RecordedRoot(whole, whole.nodes.map(recorded)));
    }
    return roots.get(role);
  };
  for (const role of roles) root(role);
  const resolve: MappingInput['resolve'] = (reference, from) => {
    const target = input.resolve(structuredClone(plain(reference)), from);
    return target === undefined ? undefined : recorded(target);
  };
  return {
    input: { root, resolve, questions: (roles) => input.questions(roles) },
    touched,
    read,
    unread: (all) => [
      ...new Set(
        present.filter(({ path }) => !path.includes('.')).flatMap(({ value, path }) => unreadIn(value, path, all)),
      ),
    ],
  };
}

/** A root with recording nodes. `note` and `looks` are computed on access. */
class RecordedRoot implements Root {
  readonly nodes: readonly Node[];
  readonly #root: Root;

  constructor(root: Root, nodes: readonly Node[]) {
    this.#root = root;
    this.nodes = nodes;
  }

  get kind(): Root['kind'] {
    return this.#root.kind;
  }

  get note(): string | undefined {
    return this.#root.note;
  }

  get looks(): Root['looks'] {
    return this.#root.looks;
  }
}

interface Spot {
  /** The element's path without indexes. */
  readonly path: string;
  /** The element's path with its resource and indexes. */
  readonly place: string;
}

function watched(
  value: unknown,
  { path, place }: Spot,
  into: { readonly read: Set<string>; readonly touched: Set<string> },
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key, receiver) => {
      const inner: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || !Object.hasOwn(target, key) || (Array.isArray(target) && key === 'length'))
        return inner;
      const here = Array.isArray(target)
        ? { path, place: `${place}[${key}]` }
        : { path: `${path}.${key}`, place: `${place}.${key}` };
      into.read.add(here.path);
      into.touched.add(here.place);
      return watched(inner, here, into);
    },
  });
}

// structuredClone cannot clone a proxy, so the value is first copied by way of JSON. It is always a FHIR Reference, so
// that costs little.
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

function unreadIn(value: unknown, path: string, read: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unreadIn(item, path, read));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = `${path}.${key}`;
    if (!path.includes('.') && administrative.includes(key)) return [];
    return read.has(here) ? unreadIn(inner, here, read) : [here];
  });
}

/**
 * Adds the element of a source and all elements that contain it: `Patient.name[0].given[0]` adds `Patient.name` and
 * `Patient.name.given`.
 */
export function addSource(source: string, read: Set<string>): void {
  const parts = general(source).split('.');
  for (let length = 2; length <= parts.length; length += 1) read.add(parts.slice(0, length).join('.'));
}

function general(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}
