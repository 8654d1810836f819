import type { SiteConceptMap } from '../config.ts';
import type { Entry } from '../fhir/bundle.ts';
import type { MappingResult } from '../mapping/result.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { deidentify } from './deidentify/deidentify.ts';
import type { FixtureRequest } from './fixture.ts';

export interface RecordRequest {
  /** Of one patient, and what they lead to. */
  readonly entries: readonly Entry[];
  readonly order: string;
  /** As a fixture's `request.json`; its dates and identifier systems are replaced along with the chart's. */
  readonly request: Partial<FixtureRequest> & { readonly now: string };
  /** Reads documents, selects and maps as everywhere else. */
  readonly map: (
    entries: readonly Entry[],
    request: { readonly order: string; readonly now: string; readonly site: Readonly<Record<string, unknown>> },
  ) => MappingResult<unknown> | Promise<MappingResult<unknown>>;
  /** Unpredictable, and not kept anywhere. */
  readonly seed: string;
  readonly shiftDays: number;
}

export interface Recorded {
  /** Contents by file name, for a new fixture folder. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Why nothing may be written: an original value is still there, or the mapping answers otherwise than for the original. */
  readonly refusals: readonly string[];
}

/**
 * A chart as a fixture folder without what identifies the patient, the prescriber or the practice.
 * The expectation files hold what the mapping gives today: whoever keeps the fixture reads them against the FHIR first.
 */
export async function recordFixture(recording: RecordRequest): Promise<Recorded> {
  const { entries, order, request, map } = recording;
  const { resources, survivors, replace } = deidentify(
    entries.map(({ resource }) => resource),
    recording,
  );
  const changed = entries.map(
    ({ fullUrl }, index): Entry => ({
      resource: resources[index]!,
      ...(fullUrl === undefined ? {} : { fullUrl: replace.reference(fullUrl) }),
    }),
  );
  const site = request.site ?? { country: 'USA', diagnoses: 'ask' };
  const asked = {
    ...request,
    order: replace.reference(order),
    now: replace.date(request.now),
    site: siteWith(site, replace.system),
  };
  const before = await map(entries, { order, now: request.now, site });
  const after = await map(changed, asked);
  return {
    files: {
      'bundle.json': { resourceType: 'Bundle', type: 'collection', entry: changed },
      'request.json': asked,
      'prior-auth.json': after.status === 'complete' ? after.body : after.draft,
      'prior-auth.gaps.json': gapsOf(after),
    },
    refusals: [...survivors.map((place) => `an original value is still at ${place}`), ...changes(before, after)],
  };
}

const policies = ['country', 'mrnSystem', 'timeZone', 'fax', 'diagnoses', 'evidence'] as const;

/** Of a site only what selection and mapping read; its addresses and client are nobody's business in a case, nor who made its maps. */
export function recordedPolicy(site: SitePolicy): Readonly<Record<string, unknown>> {
  const maps = (site.conceptMaps ?? []).map(({ resourceType, status, group }) => ({ resourceType, status, group }));
  const stated = policies.flatMap((key) => (site[key] === undefined ? [] : [[key, site[key]] as const]));
  return { ...Object.fromEntries(stated), ...(maps.length === 0 ? {} : { conceptMaps: maps }) };
}

function siteWith(
  site: Readonly<Record<string, unknown>>,
  system: (original: string) => string,
): Record<string, unknown> {
  return {
    ...site,
    ...(typeof site.mrnSystem === 'string' ? { mrnSystem: system(site.mrnSystem) } : {}),
    ...(site.fax === undefined ? {} : { fax: '555-0199' }),
    ...(Array.isArray(site.conceptMaps)
      ? { conceptMaps: (site.conceptMaps as SiteConceptMap[]).map((map) => withSystems(map, system)) }
      : {}), // recordedPolicy put them there, or a case that passed its schema
  };
}

// The practice's own code systems get the names that they have in the bundle.
function withSystems(map: SiteConceptMap, system: (original: string) => string): SiteConceptMap {
  return { ...map, group: map.group.map((group) => ({ ...group, source: system(group.source) })) };
}

/** The same leaves from the same paths by the same rules, and the same gaps: only values and ids may differ. */
function changes(before: MappingResult<unknown>, after: MappingResult<unknown>): string[] {
  const [was, is] = [shapeOf(before), shapeOf(after)];
  const lost = was.filter((line) => !is.includes(line)).map((line) => `the mapping no longer answers: ${line}`);
  const gained = is.filter((line) => !was.includes(line)).map((line) => `the mapping now answers: ${line}`);
  return [...lost, ...gained];
}

function shapeOf(result: MappingResult<unknown>): string[] {
  const leaves = result.provenance.map(
    ({ target, kind, source, expression }) => `${target} ${kind} ${source?.path ?? ''} ${expression ?? ''}`,
  );
  const gaps = gapsOf(result).map(({ target, severity, reason }) => `gap ${target} ${severity} ${reason}`);
  return [result.status, ...leaves, ...gaps];
}

function gapsOf(result: MappingResult<unknown>): { target: string; severity: string; reason: string }[] {
  return result.gaps
    .map(({ target, severity, reason }) => ({ target, severity, reason }))
    .sort((left, right) => left.target.localeCompare(right.target));
}
