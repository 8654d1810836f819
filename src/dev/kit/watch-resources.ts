import type { Entry } from '../../core/fhir/bundle.ts';
import { type Graph, indexChart } from '../../core/fhir/references/graph.ts';
import type { Chart } from '../../core/roles/chart.ts';

/** Resources that record which of their elements are read. */
export interface WatchedResources {
  readonly graph: Graph;
  /** Elements read so far, without indexes: `Coverage.period.end`. */
  readonly read: ReadonlySet<string>;
  /** Elements read so far, with resource and indexes: `Coverage/2 Coverage.class[0].type`. */
  readonly touched: ReadonlySet<string>;
  readonly forget: () => void;
}

/** Returns the same resources, with reads recorded. Slow; for coverage and the playground only. */
export function watchResources(entries: readonly Entry[]): WatchedResources {
  const notes = { read: new Set<string>(), touched: new Set<string>(), known: new WeakMap<object, object>() };
  const watched = entries.map((entry) => {
    const { resourceType: type, id } = entry.resource;
    return { ...entry, resource: watch(entry.resource, { path: type, place: `${type}/${id} ${type}` }, notes) };
  });
  const forget = () => {
    notes.read.clear();
    notes.touched.clear();
  };
  const graph = indexChart(watched);
  // The first access to these reads every element. It is made here, so that it is not recorded after `forget`.
  void graph.located;
  for (const { reference } of graph.ofType('Patient')) graph.passedOver(reference);
  return { graph, read: notes.read, touched: notes.touched, forget };
}

/** Fills every role of a chart with all reasons and questions, as a review page does. */
export function fillRoles(chart: Chart, roles: readonly string[]): void {
  const { choices, warnings } = chart;
  const read = [...choices.flatMap(({ reason, candidates }) => [reason, ...candidates]), ...warnings];
  const looks = roles.map((role) => chart.root(role)?.looks);
  JSON.stringify([read, looks, chart.questions(roles)]);
}

interface Notes {
  readonly read: Set<string>;
  readonly touched: Set<string>;
  /** One proxy for each object, so that identical objects stay identical. */
  readonly known: WeakMap<object, object>;
}

interface Spot {
  readonly path: string;
  readonly place: string;
}

function watch<Value>(value: Value, spot: Spot, notes: Notes): Value {
  if (typeof value !== 'object' || value === null) return value;
  const known = notes.known.get(value);
  if (known !== undefined) return known as Value; // this module made the proxy from the same value
  const proxy = new Proxy(value, {
    get: (target, key, receiver) => {
      const inner: unknown = Reflect.get(target, key, receiver);
      // Comparing or copying a whole object is not recorded as reading its elements.
      if (key === 'toJSON') return () => target;
      if (typeof key !== 'string' || !Object.hasOwn(target, key) || (Array.isArray(target) && key === 'length'))
        return inner;
      const here = Array.isArray(target) ? itemSpot(inner, key, spot) : memberSpot(key, spot);
      notes.read.add(here.path);
      notes.touched.add(here.place);
      return watch(inner, here, notes);
    },
  });
  notes.known.set(value, proxy);
  return proxy;
}

function memberSpot(key: string, { path, place }: Spot): Spot {
  return { path: `${path}.${key}`, place: `${place}.${key}` };
}

// A contained resource is recorded with its own name and paths.
function itemSpot(item: unknown, index: string, { path, place }: Spot): Spot {
  const isContained = typeof item === 'object' && item !== null && 'resourceType' in item;
  if (!isContained) return { path, place: `${place}[${index}]` };
  const type = String(item.resourceType);
  const id = 'id' in item ? String(item.id) : '';
  return { path: type, place: `${type}/${id} in ${place.replace(/ .*$/, '')} ${type}` };
}
