import type { Resource } from 'fhir/r4.js';
import type { Entry } from '../../core/fhir/bundle.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { indexChart } from '../../core/fhir/references/graph.ts';
import type { Source } from '../../core/mapping/result.ts';

/**
 * One element of a resource as a line of its tree. Lists have no line of their own; their items are `given[0]`,
 * `given[1]`.
 */
export interface ElementLine {
  /** Id of the line on the page, such as `e12`. */
  readonly id: string;
  /** Example: `given[0]`; for the resource itself, its type. */
  readonly label: string;
  /** Written as in sources: `Patient/1 Patient.name[0].given[0]`. */
  readonly place: string;
  /** The value of a primitive, as JSON. */
  readonly text?: string;
  readonly children: readonly ElementLine[];
}

export interface ResourceTree {
  /** Written as in sources: `Patient/1`. */
  readonly reference: string;
  readonly root: ElementLine;
  /** The bundle has a newer version of this resource. */
  readonly isOlder: boolean;
  /** The page has no room for the elements, so `root` has no children. */
  readonly isCut: boolean;
}

export interface Forest {
  readonly trees: readonly ResourceTree[];
  /**
   * Returns the lines of a value's source. For a value computed from several elements, returns the nearest line that
   * contains all of them. Empty if the resource is not in the bundle.
   */
  readonly find: (source: Source) => readonly ElementLine[];
}

/** Elements that a browser draws and searches without a pause. */
const mostElements = 20_000;
/** FHIR is at most ten levels deep. A much deeper structure is not a chart. */
const deepest = 40;

/** Returns every resource of a bundle as a tree, with the names that selection uses. */
export function growForest(entries: readonly Entry[]): Forest {
  const named = new Map<Resource, string>(
    indexChart(entries).located.map(({ resource, reference }) => [resource, reference]),
  );
  const planter = new Planter();
  const trees = entries.map(({ resource }): ResourceTree => {
    const known = named.get(resource);
    const reference = known ?? `${resource.resourceType}/${resource.id ?? ''}`;
    const isCut = planter.count >= mostElements;
    return {
      reference,
      root: planter.plant(resource, reference, { isOlder: known === undefined, isCut }),
      isOlder: known === undefined,
      isCut,
    };
  });
  return { trees, find: (source) => planter.find(source) };
}

class Planter {
  count = 0;
  private readonly byPlace = new Map<string, ElementLine[]>();

  plant(
    resource: Resource,
    reference: string,
    { isOlder, isCut }: { readonly isOlder: boolean; readonly isCut: boolean },
  ): ElementLine {
    const type = resource.resourceType;
    const id = this.nextId();
    const root = {
      id,
      label: type,
      place: `${reference} ${type}`,
      children: isCut ? [] : this.children({ ...resource }, { reference, path: type, isOlder, depth: 0 }),
    };
    if (!isOlder) this.byPlace.set(root.place, [root]);
    return root;
  }

  find({ resource, path }: Source): readonly ElementLine[] {
    for (let at = path; at !== ''; at = at.replace(/(^|\.)[^.]*$/, '')) {
      const found =
        this.byPlace.get(`${resource} ${at}`) ?? this.byPlace.get(`${resource} ${at.replace(/\[\d+\]$/, '')}`);
      if (found !== undefined) return found;
    }
    return [];
  }

  private children(object: Readonly<Record<string, unknown>>, around: Spot): ElementLine[] {
    const spot = { ...around, depth: around.depth + 1 };
    if (spot.depth > deepest) return [];
    return Object.entries(object).flatMap(([key, value]) => {
      const list: unknown[] = Array.isArray(value) ? value : [];
      if (!Array.isArray(value)) return [this.element(key, value, { ...spot, path: `${spot.path}.${bare(key)}` })];
      const path = `${spot.path}.${bare(key)}`;
      const items = list.flatMap((item, index) =>
        item === null
          ? []
          : [this.element(`${key}[${index}]`, item, { ...spot, path: `${path}[${index}]` }, key === 'contained')],
      );
      if (!spot.isOlder && !this.byPlace.has(`${spot.reference} ${path}`))
        this.byPlace.set(`${spot.reference} ${path}`, items);
      return items;
    });
  }

  private element(label: string, value: unknown, given: Spot, isContained = false): ElementLine {
    const spot = isContained ? containedSpot(value, given) : given;
    const id = this.nextId();
    const place = `${spot.reference} ${spot.path}`;
    const element: ElementLine = isObject(value)
      ? { id, label, place, children: this.children(value, spot) }
      : { id, label, place, text: shortened(value), children: [] };
    if (!spot.isOlder && !this.byPlace.has(place)) this.byPlace.set(place, [element]);
    return element;
  }

  private nextId(): string {
    this.count += 1;
    return `e${this.count}`;
  }
}

interface Spot {
  readonly reference: string;
  readonly path: string;
  readonly isOlder: boolean;
  readonly depth: number;
}

// A contained resource has its own name and paths.
function containedSpot(value: unknown, spot: Spot): Spot {
  if (!isObject(value) || typeof value.resourceType !== 'string') return spot;
  return {
    ...spot,
    reference: `${value.resourceType}/${String(value.id)} in ${spot.reference}`,
    path: value.resourceType,
  };
}

// `_birthDate` has the path of its primitive, `birthDate`.
function bare(key: string): string {
  return key.startsWith('_') ? key.slice(1) : key;
}

const longest = 160;

/** Returns a primitive as JSON. Of a long text, only the beginning. */
export function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… (${text.length.toLocaleString('en-US')} characters)`;
}
