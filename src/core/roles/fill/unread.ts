import type { Resource } from 'fhir/r4.js';
import {
  isNamed,
  type UnreadElement,
  unreadAt,
  unreadInItems,
  unreadMembers,
} from '../../fhir/shape/unread-elements.ts';
import type { Question, Root, Unread } from '../../mapping/input.ts';
import { unreadRefused } from '../../mapping/refused.ts';
import type { Look } from '../../mapping/result.ts';
import type { Choice } from '../chart.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot } from '../filled.ts';

/** The role and the elements at the start of a path, as in `%order.dispenseRequest.quantity`. */
export interface Chain {
  readonly role: string;
  readonly elements: readonly string[];
}

/**
 * The role and the elements at the start of each path in these expressions.
 * @example chainsOf(['%order.medication.ofType(CodeableConcept)']) // [{ role: 'order', elements: ['medication'] }]
 */
export function chainsOf(expressions: readonly string[]): Chain[] {
  return expressions.flatMap((expression) =>
    [...expression.matchAll(/%(\w+)((?:\.[a-z]\w*\b(?!\())*)/g)].map(([, role = '', elements = '']) => {
      return { role, elements: elements.split('.').slice(1) };
    }),
  );
}

/**
 * The chains that a role is read from. With `isKept`, values that were found are kept even if another source could not
 * be read.
 */
export interface ReadFrom {
  readonly chains: readonly Chain[];
  readonly isKept: boolean;
}

/**
 * Returns the role unchanged, or empty if an element that it is read from could not be read. The element is in the
 * chart, so other data must not take its place.
 */
export function unlessUnread(filled: Filled, role: string, { chains, isKept }: ReadFrom, facts: Facts): Filled {
  const unread = isKept && filled.root.nodes.length > 0 ? none : unreadBefore(filled, chains, facts);
  return unread.length === 0 ? withMembers(filled, facts) : new UnreadRole(role, unread, filled);
}

/** Why a candidate cannot be judged: an element that a clause reads could not be read. */
export function unreadRefusal(reference: string, resource: Resource, elements: readonly string[], facts: Facts) {
  const stated = facts.graph.isMisshapen ? facts.graph.statedOf(reference) : undefined;
  if (stated === undefined) return undefined;
  const element = elements.find((one) => unreadAt(stated, resource, [one]).length > 0);
  return element === undefined ? undefined : `its ${element} could not be read`;
}

export function unreadOf(chains: readonly Chain[], facts: Facts): readonly Unread[] {
  return chains.flatMap((chain) => unreadOn(chain, facts));
}

/** The elements that could not be read on the chains up to the one that found the value. */
function unreadBefore(filled: Filled, chains: readonly Chain[], facts: Facts): readonly Unread[] {
  const [node] = filled.root.nodes;
  for (const chain of chains) {
    const found = [...unreadOn(chain, facts), ...unreadInItemsOf(chain, facts)].filter(({ source }) =>
      isInPlaceOf(source.path, filled),
    );
    if (found.length > 0) return found;
    if (node !== undefined && facts.resource(chain.role)?.reference === node.source?.resource) break;
  }
  return none;
}

// If other parts were found, a part with an unread member matters only if a clause ruled it out. The unread member may
// be the reason.
function isInPlaceOf(path: string, filled: Filled): boolean {
  const part = /^[^.]+\.(\w+\[\d+\])(?:\.|$)/.exec(path)?.[1];
  if (part === undefined || filled.root.nodes.length === 0) return true;
  return filled.choice?.()?.candidates.some(({ reference, fits }) => !fits && reference.endsWith(`#${part}`)) === true;
}

function unreadOn({ role, elements }: Chain, facts: Facts): readonly Unread[] {
  const { unread = none, nodes } = facts.root(role);
  const [element] = elements;
  if (nodes.length === 0) return unread;
  if (element === undefined) return none;
  const located = facts.resource(role);
  if (located === undefined || isPart(nodes[0]?.source))
    return unread.filter(({ member }) => member !== undefined && isNamed(member, element));
  const stated = facts.graph.statedOf(located.reference);
  if (stated === undefined) return none;
  const { resourceType } = located.resource;
  return unreadAt(stated, located.resource, elements).map((one) => unreadIn(located.reference, resourceType, one));
}

function unreadInItemsOf({ role, elements }: Chain, facts: Facts): readonly Unread[] {
  const located = isPart(facts.root(role).nodes[0]?.source) ? undefined : facts.resource(role);
  const stated = located === undefined ? undefined : facts.graph.statedOf(located.reference);
  if (located === undefined || stated === undefined) return none;
  const { resourceType } = located.resource;
  return unreadInItems(stated, located.resource, elements).map((one) => unreadIn(located.reference, resourceType, one));
}

function isPart(source: { readonly path: string } | undefined): boolean {
  return source?.path.includes('.') === true;
}

function unreadIn(resource: string, type: string, { path, value }: UnreadElement): Unread {
  return { value, source: { resource, path: `${type}.${path}` } };
}

const none: readonly Unread[] = [];

/** Adds to the role the unread members of its node. */
function withMembers(filled: Filled, facts: Facts): Filled {
  const [node] = filled.root.nodes;
  const stated = node?.source === undefined ? undefined : facts.graph.statedOf(node.source.resource);
  if (node?.source === undefined || stated === undefined) return filled;
  const { resource, path } = node.source;
  const whole = elementAt(stated, path);
  const unread = unreadMembers(whole, node.value).map((member): Unread => {
    return { member, value: Reflect.get(Object(whole), member), source: { resource, path: `${path}.${member}` } };
  });
  return unread.length === 0 ? filled : new PartlyUnread(filled, unread);
}

function elementAt(resource: unknown, path: string): unknown {
  const names = [...path.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
  return names.reduce<unknown>(
    (value, name) => (value === undefined ? value : Reflect.get(Object(value), name)),
    resource,
  );
}

class UnreadRole implements Filled {
  readonly root: Root;

  constructor(
    private readonly role: string,
    unread: readonly Unread[],
    private readonly filled: Filled,
  ) {
    this.root = { nodes: [], unread, looks: unreadLooks(role, unread) };
  }

  choice(): Choice | undefined {
    const { role } = this;
    const isChosen = this.filled.choice?.() !== undefined;
    return isChosen ? { role, reason: 'the chart has it in a form that was not read', candidates: [] } : undefined;
  }
}

/** The lookup to report for a search that ended at an unread element. */
export function unreadLooks(role: string, unread: readonly Unread[]): Look[] {
  const steps = [{ step: 'of the form of FHIR R4', items: 0 }];
  return [{ expression: `%${role}`, steps, refused: unread.map(unreadRefused) }];
}

class PartlyUnread implements Filled {
  readonly root: Root;
  readonly refusal?: string;

  constructor(
    private readonly filled: Filled,
    unread: readonly Unread[],
  ) {
    this.root = new PartlyUnreadRoot(filled.root, unread);
    if (filled.refusal !== undefined) this.refusal = filled.refusal;
  }

  get questions(): readonly Question[] {
    return this.filled.questions ?? [];
  }

  choice() {
    return this.filled.choice?.();
  }

  warnings() {
    return this.filled.warnings?.() ?? [];
  }
}

class PartlyUnreadRoot extends FilledRoot {
  constructor(
    root: Root,
    readonly unread: readonly Unread[],
  ) {
    super(root.nodes, { looks: () => root.looks, note: () => root.note }, root.kind);
  }
}
