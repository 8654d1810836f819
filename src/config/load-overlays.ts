import { readFileSync } from 'node:fs';
import type { CriterionRow } from '../core/answers/criteria/words.ts';
import { mappingKinds, type NamesByKind } from '../core/contract/kinds.ts';
import { contractOf, priorAuthContracts, type Spoken } from '../core/contract/profiles.ts';
import { nearest } from '../core/did-you-mean.ts';
import { BridgeError } from '../core/errors.ts';
import { layOverlay, type SiteRules } from '../core/overlay/lay-overlay.ts';
import { layNamed, namesOf, sentenceOf, withSiteRules } from '../core/overlay/named-overlays.ts';
import { readOverlay } from '../core/overlay/read-overlay.ts';
import type { Registry } from '../core/overlay/registry.ts';
import type { OverlayProblem } from '../core/overlay/site-overlay.ts';
import type { Site } from './config.ts';
import { loadCriteria } from './load-criteria.ts';

/** The sites, whose `mappings` now name their compiled overlays, and the registry with these overlays. */
export interface LoadedOverlays<S> {
  readonly sites: readonly S[];
  readonly registry: Registry;
  /** The payers' criteria of each site, by the site's id. */
  readonly criteria: Readonly<Record<string, readonly CriterionRow[]>>;
}

/** The settings of a site that select its rules; without `service`, the profile `documented` applies. */
export type SiteWithRules = Pick<Site, 'id' | 'mappings' | 'overlay' | 'criteria'> & { readonly service?: Spoken };

/**
 * Compiles the overlay of every site, checks it, and adds it to the registry as `<kind>@<name>`; also loads each site's
 * criteria. Throws one config_invalid with every mistake of every overlay, each with file, line, column and key. It
 * also reports a missing mapping, and a mapping for another profile than that of the site's service.
 */
export function loadOverlays<S extends SiteWithRules>(registry: Registry, written: readonly S[]): LoadedOverlays<S> {
  const sites = written.map((site) => ({ ...site, mappings: mappingNamesOf(site) }));
  const problems = sites.flatMap((site) => [...unknownMappings(registry, site), ...otherProfile(registry, site)]);
  const files = new Map<string, string>();
  const criteria = Object.fromEntries(sites.map((site) => [site.id, criteriaOf(site, registry, problems)]));
  let loaded: LoadedOverlays<S> = { registry, sites: [], criteria };
  for (const site of sites) {
    const rules =
      site.overlay === undefined || problems.length > 0 ? undefined : rulesOf(site, registry, files, problems);
    loaded = {
      criteria,
      registry: rules === undefined ? loaded.registry : withSiteRules(loaded.registry, rules),
      sites: [...loaded.sites, rules === undefined ? site : { ...site, mappings: namesOf(rules) }],
    };
  }
  if (problems.length > 0) throw new BridgeError('config_invalid', { problems });
  return loaded;
}

function criteriaOf({ id, criteria }: SiteWithRules, registry: Registry, problems: string[]): readonly CriterionRow[] {
  const read = criteria === undefined ? { rows: [] } : loadCriteria(criteria, registry.answerNames);
  if ('rows' in read) return read.rows;
  problems.push(...read.problems.map((problem) => `site ${id}: ${problem}`));
  return [];
}

function rulesOf(
  { id, overlay = '', mappings }: SiteWithRules,
  registry: Registry,
  files: Map<string, string>,
  problems: string[],
): SiteRules | undefined {
  const read = readSiteOverlay(overlay, registry, mappings);
  if ('problems' in read) {
    problems.push(...read.problems.map((problem) => `site ${id}: ${problem}`));
    return undefined;
  }
  // Two sites may share an overlay file, but two files must not have the same name.
  for (const name of Object.values(namesOf(read))) {
    const other = files.get(name) ?? overlay;
    files.set(name, overlay);
    if (other !== overlay) problems.push(`site ${id}: ${overlay}: name: the overlay ${other} is called so too`);
  }
  return read;
}

/** Returns the rules of one overlay: of a JSON file, or of an overlay in TypeScript by its name. */
export function readSiteOverlay(
  overlay: string,
  registry: Registry,
  bases: NamesByKind,
): SiteRules | { readonly problems: readonly string[] } {
  if (!overlay.endsWith('.json')) return layNamed(overlay, registry, bases);
  const text = textOf(overlay);
  if ('reason' in text) return { problems: [`${overlay} cannot be read: ${text.reason}`] };
  const read = readOverlay(text.text, registry, bases);
  const said = (found: readonly OverlayProblem[]) => ({
    problems: found.map((problem) => {
      const { line, column } = read.at(problem.path);
      return `${overlay}:${line}:${column}: ${sentenceOf(problem)}`;
    }),
  });
  if ('problems' in read) return said(read.problems);
  const laid = layOverlay(read.overlay, registry, bases);
  return 'problems' in laid ? said(laid.problems) : laid;
}

function textOf(file: string): { readonly text: string } | { readonly reason: string } {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (cause) {
    return { reason: cause instanceof Error ? cause.message : 'unknown reason' };
  }
}

function unknownMappings(registry: Registry, { id, mappings }: SiteWithRules): string[] {
  return mappingKinds.flatMap((kind) => {
    const names = Object.keys(registry[kind]);
    if (names.includes(mappings[kind])) return [];
    return [`site ${id}: there is no ${kind} mapping ${mappings[kind]}${nearest(mappings[kind], names)}`];
  });
}

/**
 * The name of the mapping of each kind. The name `prior-auth` is replaced by that of the package's mapping for the
 * service's profile.
 */
export function mappingNamesOf({ mappings, service }: Omit<SiteWithRules, 'id'>): NamesByKind {
  const isPackages = mappings['prior-auth'] === 'prior-auth' && service !== undefined;
  return isPackages ? { ...mappings, 'prior-auth': contractOf(service).mapping } : mappings;
}

/** Reports a mapping whose requests the site's service would refuse. */
function otherProfile(registry: Registry, { id, mappings, service = documented }: SiteWithRules): string[] {
  const name = mappings['prior-auth'];
  const schema = Object.hasOwn(registry['prior-auth'], name) ? registry['prior-auth'][name]?.schema : undefined;
  const made = priorAuthContracts.find((contract) => contract.schema === schema);
  const wanted = contractOf(service);
  if (schema === undefined || made === wanted) return [];
  const makes = made === undefined ? 'no profile' : spokenOf(made);
  return [
    `site ${id}: mappings.prior-auth: ${name} makes requests of ${makes}; ` +
      `the service of this site has ${spokenOf(wanted)}, which ${wanted.mapping} makes`,
  ];
}

const documented: Spoken = { profile: 'documented', prescription: 'named' };

/** Example: `the profile current with the drug coded`. */
export function spokenOf({ profile, prescription }: Spoken): string {
  return profile === 'documented' ? `the profile ${profile}` : `the profile ${profile} with the drug ${prescription}`;
}
