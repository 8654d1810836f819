import type { FhirResource, Patient, Reference } from 'fhir/r4.js';
import { isObject } from '../fhir/is-object.ts';
import type { Graph, Located } from '../fhir/references/graph.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import { type Today, todayAt } from '../fhir/time/today.ts';
import type { Environment } from '../fhirpath/environment.ts';
import { holderPlaceOf } from '../fhirpath/item.ts';
import type { Node, Question, Root } from '../mapping/input.ts';
import { environmentOf } from '../mapping/run/environment.ts';
import type { Chart, Choice } from './chart.ts';
import type { RoleTable } from './define.ts';
import type { Facts, RoleRequest } from './facts.ts';
import { itemOfResource } from './fill/choose.ts';
import { unlessGiven } from './fill/not-given.ts';
import { unlessUnread } from './fill/unread.ts';
import type { Filled } from './filled.ts';
import { subjectNode } from './subject.ts';

/**
 * The roles of one request, each filled on first use. The result does not depend on the order of the resources.
 * References to resources of other patients do not resolve.
 */
export class RoleRun implements Chart {
  /** Indexed by the number of the role in its table, because a chart fills nearly all roles. */
  private readonly filled: (Filled | undefined)[];
  /** Created on the first read of a choice, because most charts are mapped without one. */
  private chosen: Map<string, Choice> | undefined;
  private readonly facts: Facts;

  constructor(
    private readonly table: RoleTable,
    graph: Graph,
    request: RoleRequest,
    /** Warnings that do not come from a role. */
    private readonly found: () => readonly string[],
  ) {
    this.filled = new Array(table.names.length); // at its final length, so that it is not copied while it grows
    this.facts = new RoleFacts(this, graph, request, table);
  }

  get environment(): Environment {
    return this.facts.environment;
  }

  get patient(): string {
    return this.facts.request.patient;
  }

  get order(): string {
    return this.facts.request.order;
  }

  get today(): string {
    return this.facts.today.day;
  }

  /** The same request and resources with the roles of another table. */
  under(roles: RoleTable): RoleRun {
    return new RoleRun(roles, this.facts.graph, this.facts.request, this.found);
  }

  get decodedAt(): Graph['decodedAt'] {
    return this.facts.graph.decodedAt;
  }

  root(role: string): Root {
    return this.fill(role).root;
  }

  fillRole(place: number): void {
    this.fillAt(place);
  }

  choice(role: string): Choice | undefined {
    const known = this.chosen?.get(role);
    if (known !== undefined) return known;
    const choice = this.fill(role).choice?.();
    if (choice === undefined) return undefined;
    this.chosen ??= new Map();
    this.chosen.set(role, choice);
    return choice;
  }

  refusal(role: string): string | undefined {
    return this.fill(role).refusal;
  }

  get choices(): readonly Choice[] {
    return this.table.names.flatMap((role) => this.choice(role) ?? []);
  }

  get warnings(): readonly string[] {
    const ofRoles = this.table.names.flatMap((role) => this.fill(role).warnings?.() ?? []);
    return [...this.found(), ...ofRoles];
  }

  questions(roles: readonly string[]): readonly Question[] {
    const asked: Question[] = [];
    for (const place of this.table.closureOf(roles)) {
      const { questions } = this.fillAt(place);
      if (questions !== undefined && questions.length > 0) asked.push(...questions);
    }
    return asked;
  }

  resolve(reference: unknown, from: Node): Node | undefined {
    const { graph } = this.facts;
    const holder = from.source === undefined ? undefined : graph.find(from.source.resource);
    const pointer = typeof reference === 'string' ? { reference } : reference;
    if (holder === undefined || !isObject(pointer)) return undefined;
    const target = graph.resolve(pointer, holder);
    if (target === undefined || !graph.isOpenTo(target.resource, this.patient)) return undefined;
    return subjectNode(itemOfResource(target));
  }

  private fill(role: string): Filled {
    const place = this.table.places.get(role);
    return place === undefined ? nothingFilled : this.fillAt(place);
  }

  private fillAt(place: number): Filled {
    const known = this.filled[place];
    if (known !== undefined) return known;
    const role = this.table.names[place] ?? '';
    const filled = this.table.fillers[place]?.(this.facts, role) ?? nothingFilled;
    const checked = this.isWhole() ? filled : this.unlessNotRead(filled, role, place);
    this.filled[place] = checked;
    return checked;
  }

  // True for nearly every chart.
  private isWhole(): boolean {
    const { graph, request } = this.facts;
    return !graph.isMisshapen && (request.unread === undefined || request.unread.length === 0);
  }

  private unlessNotRead(filled: Filled, role: string, place: number): Filled {
    const from = this.table.readFrom[place];
    const isMisshapen = this.facts.graph.isMisshapen && from !== undefined;
    const read = isMisshapen ? unlessUnread(filled, role, from, this.facts) : filled;
    return this.facts.request.unread?.length ? unlessGiven(read, role, this.table, this.facts) : read;
  }
}

const nothingFilled: Filled = { root: { nodes: [] } };

class RoleFacts implements Facts {
  readonly environment: Environment;
  readonly today: Today;
  readonly newestFirst: Facts['newestFirst'];
  readonly isSensitive: Facts['isSensitive'];
  readonly tellsSensitive: Facts['tellsSensitive'];
  /** The patient's resources by type. Several roles use the same type. */
  private readonly own = new Map<string, readonly Located[]>();
  private linkedNames: ReadonlySet<string> | undefined;

  constructor(
    private readonly run: RoleRun,
    readonly graph: Graph,
    readonly request: RoleRequest,
    { options }: RoleTable,
  ) {
    this.isSensitive = options.isSensitive;
    this.tellsSensitive = options.tellsSensitive;
    this.environment = environmentOf(run);
    this.today = todayAt(request.now, request.site.timeZone);
    this.newestFirst = newestFirst(this.today.timeZone);
  }

  root = (role: string): Root => this.run.root(role);

  resource: Facts['resource'] = (role) => {
    const [node] = this.run.root(role).nodes;
    const source = node?.item === undefined ? node?.source : holderPlaceOf(node.item);
    return source === undefined ? undefined : (this.graph.find(source.resource) as never);
  };

  all: Facts['all'] = (type) => this.graph.ofType(type) as never; // ofType returns only this type

  mine: Facts['mine'] = (type) => {
    const known = this.own.get(type);
    if (known !== undefined) return known as never;
    const all = this.all(type) as readonly Located[];
    const own = all.filter(({ resource }) => this.graph.ownerOf(resource) === this.request.patient);
    this.own.set(type, own);
    return own as never;
  };

  linked: Facts['linked'] = (type) => {
    this.linkedNames ??= this.namesOfLinked();
    const names = this.linkedNames;
    if (names.size === 0) return [];
    return this.all(type).filter(({ resource }) => names.has(this.graph.ownerOf(resource as FhirResource) ?? ''));
  };

  resolve: Facts['resolve'] = (reference, from, ...types) => {
    const target = this.graph.resolve(reference, from);
    if (target === undefined || !types.some((type) => type === target.resource.resourceType)) return undefined;
    // its type is one of the requested types
    return this.graph.isOpenTo(target.resource, this.request.patient) ? (target as never) : undefined;
  };

  private namesOfLinked(): ReadonlySet<string> {
    // `request.patient` refers to a Patient
    const patient = this.graph.find(this.request.patient) as Located<Patient> | undefined;
    const links = patient?.resource.link ?? [];
    const nameOf = (other: Reference | undefined) =>
      patient === undefined ? undefined : (this.graph.resolve(other, patient)?.reference ?? other?.reference);
    return new Set(links.flatMap(({ other }) => nameOf(other) ?? []));
  }
}
