import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { BridgeError } from '../core/errors.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { parseJsonText } from '../core/fhir/text/json-text.ts';
import { changedAt, changedPlace, PlaceStep } from './change-json.ts';

/**
 * `change.json` of a mapping case: another case's chart with changes. A change names a resource and a path in it,
 * `MedicationRequest/m1 dispenseRequest.quantity.value` or `Patient/p1 name[1]`; an index just past the end of a list
 * appends to it.
 *
 * @example
 * { "base": "everything-in-the-chart-is-complete",
 *   "change": [
 *     { "put": "MedicationRequest/m1 dispenseRequest.quantity.value", "value": 6 },
 *     { "remove": "MedicationRequest/m1 dispenseRequest.expectedSupplyDuration" },
 *     { "remove": "Coverage/c1" },
 *     { "add": { "resourceType": "Location", "id": "l1" } }] }
 */
const FixtureChange = z.strictObject({
  base: z.string().regex(/^[\w-]+$/),
  change: z.array(
    z.union([
      PlaceStep,
      z.strictObject({ add: z.looseObject({ resourceType: z.string() }), fullUrl: z.string().optional() }),
    ]),
  ),
});
type FixtureChange = z.infer<typeof FixtureChange>;
type Step = FixtureChange['change'][number];

interface FileEntry {
  readonly resource: Record<string, unknown>;
  readonly fullUrl?: string;
}

/** Whether a folder has a chart: its own bundle, or a change of another case's. */
export function hasChart(folder: string): boolean {
  return existsSync(join(folder, 'bundle.json')) || existsSync(join(folder, 'change.json'));
}

/**
 * The JSON of a case's chart: `bundle.json` unchanged, or the base's chart with the changes applied. Throws
 * `input_unreadable` with the file, and with the place of a change if the base does not have it.
 */
export function readFixtureChart(folder: string, above: readonly string[] = []): unknown {
  const file = join(folder, 'change.json');
  const made = readChange(folder);
  if (made === undefined) return readJsonFile(join(folder, 'bundle.json'));
  const { base, change } = made;
  if (above.includes(base)) throw new BridgeError('input_unreadable', { file, base });
  const chart = readFixtureChart(join(dirname(folder), base), [...above, basename(folder)]);
  // Every entry of a case's bundle has a resource.
  const entries = isObject(chart) && Array.isArray(chart.entry) ? (chart.entry as FileEntry[]) : [];
  return { ...(chart as object), entry: change.reduce((all, step) => changed(all, step, file), entries) };
}

/** The folder of the case whose chart `change.json` changes; undefined for a case with a chart of its own. */
export function baseFolder(folder: string): string | undefined {
  const base = readChange(folder)?.base;
  return base === undefined ? undefined : join(dirname(folder), base);
}

function readChange(folder: string): FixtureChange | undefined {
  const file = join(folder, 'change.json');
  if (existsSync(join(folder, 'bundle.json')) || !existsSync(file)) return undefined;
  const parsed = FixtureChange.safeParse(readJsonFile(file));
  if (parsed.success) return parsed.data;
  throw new BridgeError('input_unreadable', { file, keys: parsed.error.issues.map(({ path }) => path.join('.')) });
}

/**
 * The chart that results from applying a `change.json` to its base. Undefined for any other file, and for a
 * `change.json` next to a `bundle.json`, which is then the chart of the case. Throws `input_unreadable`.
 */
export function readChangedChart(file: string): unknown {
  const folder = dirname(file);
  if (basename(file) !== 'change.json' || existsSync(join(folder, 'bundle.json'))) return undefined;
  const parsed = parseJsonText(readFileSync(file, 'utf8'));
  return 'value' in parsed && FixtureChange.safeParse(parsed.value).success ? readFixtureChart(folder) : undefined;
}

/** Parsed JSON of a file; throws `input_unreadable` with its name. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new BridgeError('input_unreadable', { file: path }, { cause });
  }
}

function changed(entries: readonly FileEntry[], step: Step, file: string): FileEntry[] {
  if ('add' in step) {
    const { add: resource, fullUrl } = step;
    return [...entries, fullUrl === undefined ? { resource } : { resource, fullUrl }];
  }
  const [reference = '', path] = changedPlace(step).split(' ');
  const entry = entries.find(({ resource }) => `${resource.resourceType}/${resource.id}` === reference);
  if (entry === undefined) throw new BridgeError('input_unreadable', { file, place: reference });
  if (path === undefined && 'remove' in step) return entries.filter((one) => one !== entry);
  const resource = path === undefined ? undefined : changedAt(entry.resource, path, step);
  if (resource === undefined) throw new BridgeError('input_unreadable', { file, place: changedPlace(step) });
  return entries.map((one) => (one === entry ? { ...entry, resource } : one));
}
