import { createHash } from 'node:crypto';
import type { Entry } from '../../core/fhir/bundle.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import type { MappingResult } from '../../core/mapping/result.ts';
import { describeMapping } from '../../core/mapping/review/describe-mapping.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import type { SiteConceptMap } from '../../core/roles/concept-map.ts';
import { pathsOf, type RoleTable } from '../../core/roles/define.ts';
import type { SitePolicy } from '../../core/roles/policy.ts';
import { findLeaks } from './deidentify/check/find-leaks.ts';
import { type Deidentified, deidentify } from './deidentify/deidentify.ts';
import type { FixtureRequest } from './fixture.ts';

export interface RecordRequest {
  /** The resources of one patient, and the resources that they refer to. */
  readonly entries: readonly Entry[];
  readonly order: string;
  /**
   * Has the form of a case's `request.json`. Its dates and identifier systems are replaced together with the chart's.
   */
  readonly request: Partial<FixtureRequest> & { readonly now: string };
  /** Reads documents, selects and maps, as a launch does. */
  readonly map: (
    entries: readonly Entry[],
    request: { readonly order: string; readonly now: string; readonly site: Readonly<Record<string, unknown>> },
  ) => MappingResult<unknown> | Promise<MappingResult<unknown>>;
  /** An unpredictable text. It is never stored. */
  readonly seed: string;
  readonly shiftDays: number;
  /**
   * Texts in the expressions of the mapping and its roles (`textsNamedBy`), such as the URL of an extension. These
   * texts are kept.
   */
  readonly named?: readonly string[];
  /** Drug names of the mapping's knowledge. They are kept where a drug is stated. */
  readonly drugNames?: readonly string[];
  /** Directions of the order (`sigsOf`) that a person has reviewed and that identify nobody. */
  readonly keptSigs?: readonly string[];
}

export interface Recorded {
  /** The contents of a new case folder, by file name. */
  readonly files: Readonly<Record<string, unknown>>;
  /**
   * Why nothing may be written: identifying data of the chart is still in the output (`Patient/patient-1
   * name[0].family: a word of a name`), or the mapping result differs from that of the original chart. Values are never
   * shown.
   */
  readonly refusals: readonly string[];
}

/**
 * Returns a chart as a case folder, without data that identifies the patient, the prescriber or the practice.
 * `expected.json` has what the mapping gives now. A person must check it against the FHIR data before keeping the case.
 */
export async function recordFixture(recording: RecordRequest): Promise<Recorded> {
  const { entries, order, request, map, shiftDays, named = [], drugNames = [], keptSigs = [] } = recording;
  const kept = { order, sigs: keptSigs };
  const before = entries.map(({ resource }) => resource);
  const { resources, replace } = deidentify(before, { ...recording, kept });
  const changed = resources.map((resource, index) => entryOf(resource, entries[index]?.fullUrl, replace));
  const site = request.site ?? { country: 'USA', diagnoses: 'ask' };
  const asked = {
    ...request,
    order: replace.reference(order),
    now: replace.date(request.now),
    site: siteWith(site, replace),
  };
  const was = await map(entries, { order, now: request.now, site });
  const is = await map(changed, asked);
  const files = {
    'bundle.json': { resourceType: 'Bundle', type: 'collection', entry: changed },
    'request.json': asked,
    'expected.json': { 'prior-auth': { body: is.status === 'complete' ? is.body : is.draft, gaps: gapsOf(is) } },
  };
  // Resources are compared one by one with their originals, so bundle.json is left out except for its fullUrls.
  const others = { ...files, 'bundle.json': { fullUrls: changed.map(({ fullUrl }) => fullUrl) } };
  const othersBefore = [request, was.status === 'complete' ? was.body : was.draft];
  const leaks = findLeaks({ before, after: resources, others, othersBefore, shiftDays, kept, named, drugNames });
  return {
    files,
    refusals: [
      ...leaks.map((leak) => `still found at ${leak}`),
      ...changes(
        shapeOf(was, (name) => renamed(name, replace)),
        shapeOf(is),
      ),
    ],
  };
}

function entryOf(resource: Entry['resource'], fullUrl: string | undefined, replace: Replace): Entry {
  return fullUrl === undefined ? { resource } : { resource, fullUrl: replace.reference(fullUrl) };
}

type Replace = Deidentified<unknown>['replace'];

/**
 * Returns the directions of an order that a person must review before they are kept: every different text of its dosage
 * instructions. `mark` is a hash of these texts. A form that sends it back proves that these texts were shown.
 */
export function sigsOf(
  entries: readonly Entry[],
  order: string,
): { readonly sigs: readonly string[]; readonly mark: string } {
  const resource = entries
    .map((entry) => entry.resource)
    .find(({ resourceType, id }) => `${resourceType}/${id}` === order);
  const dosages: unknown = resource === undefined ? [] : Reflect.get(resource, 'dosageInstruction');
  const texts = (Array.isArray(dosages) ? dosages : [])
    .filter(isObject)
    .flatMap(({ text, patientInstruction }) => [text, patientInstruction])
    .filter((text) => typeof text === 'string');
  const sigs = [...new Set(texts)];
  return { sigs, mark: createHash('sha256').update(JSON.stringify(sigs)).digest('hex').slice(0, 6) };
}

/**
 * The quoted texts in the expressions of a mapping and of a role table, such as URLs of extensions, codes and systems.
 */
export function textsNamedBy<T>(mapping: Mapping<T>, { rules }: RoleTable): string[] {
  const ofMapping = describeMapping(mapping).flatMap(({ from }) => from.map(({ expression }) => expression));
  const ofRoles = Object.values(rules).flatMap((rule) => pathsOf(rule).map(({ expression }) => expression));
  const quoted = [...ofMapping, ...ofRoles].flatMap((expression) => [...expression.matchAll(/'([^']*)'/g)]);
  return [...new Set(quoted.map(([, text = '']) => text))];
}

const policies = ['country', 'mrnSystem', 'timeZone', 'fax', 'diagnoses', 'evidence'] as const;

/**
 * Returns the settings of a site that selection and mapping read. Addresses, the client and the authors of ConceptMaps
 * are left out.
 */
export function recordedPolicy(site: SitePolicy): Readonly<Record<string, unknown>> {
  const maps = (site.conceptMaps ?? []).map(({ resourceType, status, group }) => ({ resourceType, status, group }));
  const stated = policies.flatMap((key) => (site[key] === undefined ? [] : [[key, site[key]] as const]));
  return { ...Object.fromEntries(stated), ...(maps.length === 0 ? {} : { conceptMaps: maps }) };
}

function siteWith(site: Readonly<Record<string, unknown>>, replace: Replace): Record<string, unknown> {
  const changed = { ...site };
  if (typeof site.mrnSystem === 'string') changed.mrnSystem = replace.system(site.mrnSystem);
  if (site.fax !== undefined) changed.fax = '555-0199';
  // from recordedPolicy, or from a case that its schema has checked
  if (Array.isArray(site.conceptMaps))
    changed.conceptMaps = (site.conceptMaps as SiteConceptMap[]).map((map) => renamedMap(map, replace));
  return changed;
}

// The practice's codes and code systems get the same names as in the bundle. Displays are left out, since nothing reads
// them.
function renamedMap(map: SiteConceptMap, replace: Replace): SiteConceptMap {
  return {
    ...map,
    group: map.group.map((group) => ({
      ...group,
      source: replace.system(group.source),
      element: group.element.map((element) => ({ ...element, code: replace.code(group.source, element.code) })),
    })),
  };
}

/**
 * Only values and ids may differ from the original result. Leaves must come from the same places by the same rules,
 * with the same gaps.
 */
function changes(was: readonly string[], is: readonly string[]): string[] {
  const lost = was.filter((line) => !is.includes(line)).map((line) => `the mapping no longer answers: ${line}`);
  const gained = is.filter((line) => !was.includes(line)).map((line) => `the mapping now answers: ${line}`);
  return [...lost, ...gained];
}

// A contained resource is named with its container: `Medication/m in MedicationRequest/9`.
function renamed(name: string, { reference }: Replace): string {
  const [inner = '', holder] = name.split(' in ');
  if (holder === undefined) return reference(name);
  const [type, id] = inner.split('/');
  return `${type}/${reference(`#${id}`).slice(1)} in ${reference(holder)}`;
}

/** `nameOf` returns the name of a resource in the recorded chart. */
function shapeOf(result: MappingResult<unknown>, nameOf = (name: string) => name): string[] {
  const leaves = result.provenance.map(({ target, kind, source, expression }) =>
    [target, kind, ...(source === undefined ? [] : [nameOf(source.resource), source.path]), expression ?? ''].join(' '),
  );
  const gaps = gapsOf(result).map(({ target, severity, reason }) => `gap ${target} ${severity} ${reason}`);
  return [result.status, ...leaves, ...gaps];
}

function gapsOf(result: MappingResult<unknown>): { target: string; severity: string; reason: string }[] {
  return result.gaps
    .map(({ target, severity, reason }) => ({ target, severity, reason }))
    .sort((left, right) => left.target.localeCompare(right.target));
}
