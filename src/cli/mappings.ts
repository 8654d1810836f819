import { type Command, InvalidArgumentError, Option } from 'commander';
import { mappings } from '../../mappings/index.ts';
import { loadSites, type Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { wholeDate } from '../fhir/time/date-time.ts';
import { isTimeZone, machineTimeZone, noonOf } from '../fhir/time/time-zone.ts';
import type { Clock } from '../log.ts';
import type { MappingResult } from '../mapping/result.ts';
import { runMapping } from '../mapping/run/run.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { ObjectTree } from '../mapping/words/tree.ts';
import { loadOverlays } from '../overlay/load-overlays.ts';
import type { Registry } from '../overlay/registry.ts';
import { type Kind, kinds } from '../overlay/site-overlay.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { rolesFor } from '../roles/roles-for.ts';
import type { Io } from './io.ts';

export interface MappingOptions {
  readonly mapping?: string;
  readonly site?: string;
  readonly sites?: string;
  readonly now?: string;
  readonly timeZone?: string;
}

/** The options by which a command learns what to map with. */
export function addMappingOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mapping <name>', 'mapping or overlay to use')
        .choices(mappingNames())
        .default(undefined, 'the site’s, else prior-auth'),
    )
    .option('--site <id>', 'use this site of the sites file: its mapping, country, fax and policies')
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)')
    .option('--now <date>', 'the day to judge by, as YYYY-MM-DD (default: today)', checkDay)
    .option(
      '--time-zone <name>',
      'the zone whose days count, such as America/New_York (default: the site’s, else the machine’s)',
      checkTimeZone,
    );
}

/** The options that name a site whose overlay takes part. */
export interface SiteOptions {
  readonly site?: string;
  readonly sites?: string;
}

/** `--site` and `--sites`, for commands that work on rules and on no chart. */
export function addSiteOptions(command: Command, what: string): Command {
  return command
    .option('--site <id>', what)
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)');
}

/** The mappings with those of one site, and the names of the site's. */
export interface SiteMappings {
  readonly registry: Registry;
  readonly names: Readonly<Record<Kind, string>>;
  readonly site?: Site;
}

/**
 * The mappings as they are, or with the overlay of a site. Throws config_invalid for a site that is not there and for a
 * mistake in its overlay.
 */
export function mappingsOf({ site: id, sites }: SiteOptions, io: Io): SiteMappings {
  if (id === undefined) return { registry: mappings, names: { 'prior-auth': 'prior-auth', enrollment: 'enrollment' } };
  const found = findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const { registry, sites: loaded } = loadOverlays(mappings, [found]);
  const site = loaded[0] ?? found;
  return { registry, names: site.mappings, site };
}

/**
 * The mapping that was named, or the site's; `prior-auth` and `enrollment` name the kind. Throws config_invalid for any
 * other name.
 */
export function namedMapping(
  { registry, names }: SiteMappings,
  named: string | undefined,
): { readonly name: string; readonly kind: Kind } {
  const name =
    named === undefined || named === 'prior-auth' || named === 'enrollment' ? names[named ?? 'prior-auth'] : named;
  const kind = kinds.find((one) => Object.hasOwn(registry[one], name));
  if (kind !== undefined) return { name, kind };
  const all = kinds.flatMap((one) => Object.keys(registry[one]));
  throw new BridgeError('config_invalid', { mapping: name }, { next: `Name one of: ${all.join(', ')}.` });
}

export function mappingNames(): string[] {
  return [mappings['prior-auth'], mappings.enrollment].flatMap((named) => Object.keys(named));
}

export interface ChosenMapping {
  readonly name: string;
  readonly kind: 'prior-auth' | 'enrollment';
  readonly roles: RoleTable;
  readonly site: SitePolicy & { readonly timeZone: string };
  readonly map: (chart: Chart) => MappingResult<unknown>;
  /** The rules, for what reads them beside a run. */
  readonly tree: ObjectTree;
}

export function chooseMapping(options: MappingOptions, io: Io): ChosenMapping {
  const chosen = mappingsOf(options, io);
  const { registry, site } = chosen;
  const timeZone = options.timeZone ?? site?.timeZone ?? machineTimeZone();
  const { name, kind } = namedMapping(chosen, options.mapping);
  const run = kind === 'prior-auth' ? runnerOf(registry['prior-auth'][name]) : runnerOf(registry.enrollment[name]);
  return {
    name,
    roles: rolesFor(registry, name),
    kind,
    site: { ...(site ?? { country: 'USA', diagnoses: 'ask' }), timeZone },
    ...run,
  };
}

function runnerOf<T>(mapping: Mapping<T> | undefined): Pick<ChosenMapping, 'map' | 'tree'> {
  if (mapping === undefined) throw new BridgeError('internal', { reason: 'namedMapping names one that is there' });
  return { map: (chart) => runMapping(mapping, chart), tree: mapping.tree };
}

/** The site of a sites file as it stands there; throws config_invalid when it is not. */
export function findSite(id: string, path: string): Site {
  const sites = loadSites(path);
  const site = sites.find((one) => one.id === id);
  if (site === undefined)
    throw new BridgeError(
      'config_invalid',
      { site: id, sites: path },
      { next: `Name one of: ${sites.map((one) => one.id).join(', ')}.` },
    );
  return site;
}

/** Noon of the given day in the site's zone: the same day in every comparison by date. Without one, the present. */
export function dayOf(day: string | undefined, clock: Clock, { timeZone }: { readonly timeZone: string }): Date {
  return day === undefined ? clock() : new Date(noonOf(day, timeZone));
}

function checkDay(text: string): string {
  if (wholeDate(text) !== text) throw new InvalidArgumentError('It is not a day written as YYYY-MM-DD.');
  return text;
}

/** For commander: the name, when a zone has it. */
export function checkTimeZone(text: string): string {
  if (!isTimeZone(text)) throw new InvalidArgumentError('It is not the name of a time zone, such as America/New_York.');
  return text;
}
