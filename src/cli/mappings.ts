import type { z } from 'zod';
import { mappings } from '../../mappings/index.ts';
import type { Clock } from '../base/log.ts';
import { versionOf } from '../base/mapping-version.ts';
import { loadSites, type Site } from '../config/config.ts';
import { loadOverlays } from '../config/load-overlays.ts';
import type { CriterionRow } from '../core/answers/criteria/words.ts';
import type { AnswerKnowledge } from '../core/answers/knowledge.ts';
import type { AnswersSheet } from '../core/contract/answers-sheet.ts';
import { baseNames, type MappingKind, mappingKinds, type NamesByKind } from '../core/contract/kinds.ts';
import { kindOfMapping, mappingIn } from '../core/contract/mappings-by-kind.ts';
import { BridgeError } from '../core/errors.ts';
import { machineTimeZone, noonOf } from '../core/fhir/time/time-zone.ts';
import type { MappingResult } from '../core/mapping/result.ts';
import { runMappings } from '../core/mapping/run/run.ts';
import type { Mapping } from '../core/mapping/words/define.ts';
import type { ObjectTree } from '../core/mapping/words/tree.ts';
import type { Registry } from '../core/overlay/registry.ts';
import type { Chart } from '../core/roles/chart.ts';
import type { RoleTable } from '../core/roles/define.ts';
import type { SitePolicy } from '../core/roles/policy.ts';
import { rolesFor } from '../core/roles/roles-for.ts';
import type { Io } from './io.ts';
import type { MappingFlags, SiteOptions } from './mapping-options.ts';

/** All mappings with one site's overlay applied, and the name of the site's mapping of each kind. */
export interface SiteMappings {
  readonly registry: Registry;
  readonly names: NamesByKind;
  readonly site?: Site;
  /** The payers' criteria that the site has loaded. */
  readonly criteria: readonly CriterionRow[];
}

/**
 * Returns the package's mappings, with a site's overlay if the options name a site. Throws config_invalid for an
 * unknown site or a mistake in its overlay.
 */
export function mappingsOf({ site: id, sites }: SiteOptions, io: Pick<Io, 'env'>): SiteMappings {
  if (id === undefined) return { registry: mappings, names: baseNames, criteria: [] };
  const found = findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const { registry, sites: loaded, criteria } = loadOverlays(mappings, [found]);
  const site = loaded[0] ?? found;
  return { registry, names: site.mappings, site, criteria: criteria[id] ?? [] };
}

/**
 * Returns the mapping of this name. A kind such as `prior-auth` (the default) stands for the site's mapping of that
 * kind. Throws config_invalid for any other name.
 */
export function namedMapping(
  { registry, names }: SiteMappings,
  named: string | undefined,
): { readonly name: string; readonly kind: MappingKind } {
  const asKind = mappingKinds.find((one) => one === (named ?? 'prior-auth'));
  const name = asKind === undefined ? (named ?? '') : names[asKind];
  const kind = kindOfMapping(registry, name);
  if (kind !== undefined) return { name, kind };
  const all = mappingKinds.flatMap((one) => Object.keys(registry[one]));
  throw new BridgeError('config_invalid', { mapping: name }, { next: `Name one of: ${all.join(', ')}.` });
}

/** A site's answers mapping, and the knowledge and payer criteria used with it. */
export interface SiteAnswers {
  readonly mapping: Mapping<AnswersSheet>;
  readonly roles: RoleTable;
  readonly knowledge: AnswerKnowledge;
  readonly criteria: readonly CriterionRow[];
}

export interface ChosenMapping {
  readonly name: string;
  readonly kind: MappingKind;
  readonly roles: RoleTable;
  readonly site: SitePolicy & { readonly timeZone: string };
  readonly map: (charts: readonly Chart[]) => readonly MappingResult<unknown>[];
  /** The names of the roles that the mapping reads. */
  readonly reads: readonly string[];
  /** The rules as a tree, for commands that inspect single rules. */
  readonly tree: ObjectTree;
  /** The contract that the mapping's requests must satisfy. */
  readonly schema: z.ZodType;
  readonly answers: SiteAnswers;
  /** Returns a version that changes with the rules and roles, including those of the site's overlays. */
  readonly version: () => string;
}

export function chooseMapping(options: MappingFlags, io: Pick<Io, 'env'>): ChosenMapping {
  const chosen = mappingsOf(options, io);
  const { registry, site } = chosen;
  const timeZone = options.timeZone ?? site?.timeZone ?? machineTimeZone();
  const { name, kind } = namedMapping(chosen, options.mapping);
  const run = runnerOf(mappingIn(registry, kind, name));
  return {
    name,
    roles: rolesFor(registry, name),
    kind,
    site: { ...(site ?? { country: 'USA', diagnoses: 'ask' }), timeZone },
    answers: answersOf(chosen),
    ...run,
  };
}

function answersOf({ registry, names, criteria }: SiteMappings): SiteAnswers {
  const mapping = registry.answers[names.answers];
  if (mapping === undefined) throw new BridgeError('config_invalid', { mapping: names.answers });
  return { mapping, roles: rolesFor(registry, names.answers), knowledge: registry.answerKnowledge, criteria };
}

function runnerOf<T>(
  mapping: Mapping<T> | undefined,
): Pick<ChosenMapping, 'map' | 'reads' | 'tree' | 'schema' | 'version'> {
  if (mapping === undefined) throw new BridgeError('internal', { reason: 'namedMapping names one that is there' });
  return {
    map: (charts) => runMappings(mapping, charts),
    reads: mapping.plan.roles,
    tree: mapping.tree,
    schema: mapping.schema,
    version: () => versionOf(mapping),
  };
}

/** Returns a site of a sites file. Throws config_invalid if the file does not have it. */
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

/** Returns noon of `day` in the site's time zone, or the current time if no day is given. */
export function momentOf(day: string | undefined, clock: Clock, { timeZone }: { readonly timeZone: string }): Date {
  return day === undefined ? clock() : new Date(noonOf(day, timeZone));
}
