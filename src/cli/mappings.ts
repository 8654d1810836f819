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

/** The mappings including those of one site, and the names of the site's. */
export interface SiteMappings {
  readonly registry: Registry;
  readonly names: NamesByKind;
  readonly site?: Site;
  /** The payers' criteria that the site has loaded. */
  readonly criteria: readonly CriterionRow[];
}

/**
 * The package's mappings, or those with a site's overlay. Throws config_invalid for an unknown site and for a mistake
 * in its overlay.
 */
export function mappingsOf({ site: id, sites }: SiteOptions, io: Pick<Io, 'env'>): SiteMappings {
  if (id === undefined) return { registry: mappings, names: baseNames, criteria: [] };
  const found = findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const { registry, sites: loaded, criteria } = loadOverlays(mappings, [found]);
  const site = loaded[0] ?? found;
  return { registry, names: site.mappings, site, criteria: criteria[id] ?? [] };
}

/**
 * The mapping of the given name, or the site's; a kind such as `prior-auth` is also accepted. Throws config_invalid for
 * any other name.
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

/** A site's answers sheet, and the rules that it is checked against. */
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
  /** The roles that it reads. */
  readonly reads: readonly string[];
  /** The rules, for use outside a run. */
  readonly tree: ObjectTree;
  /** The contract of the mapping's result. */
  readonly schema: z.ZodType;
  /** The same site's answers sheet. */
  readonly answers: SiteAnswers;
  /** The version of its rules and roles, including the site's overlays. */
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

/** A site of a sites file; throws config_invalid if the file does not have it. */
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

/**
 * Noon of the given day in the site's time zone, which is the same day in every comparison by date. Without a day, the
 * current time.
 */
export function momentOf(day: string | undefined, clock: Clock, { timeZone }: { readonly timeZone: string }): Date {
  return day === undefined ? clock() : new Date(noonOf(day, timeZone));
}
