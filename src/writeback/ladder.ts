import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { Rung } from '../config.ts';
import { grants, type Interaction } from '../fhir/scopes.ts';

/** The resource types that the bridge may write. */
export type Writable = 'Task' | 'DocumentReference' | 'Communication';

/** What the EHR lets us do with one type. */
export interface Reach {
  /** How a resource of ours can be found again; `none` when the EHR offers or grants no search. */
  readonly search: 'identifier' | 'patient' | 'none';
  readonly read: boolean;
  /** Each of these three only together with reading. */
  readonly update: boolean;
  readonly patch: boolean;
  readonly delete: boolean;
  readonly conditionalCreate: boolean;
}

/** What can be done with a type, and why nothing new of it can be made; no reason when it can. */
export interface Step {
  readonly type: Writable;
  readonly reach: Reach;
  readonly reason?: string;
}

/**
 * From what the EHR states and what was granted. `refused`: what it advertises and has refused, with the reason, by
 * type (`Task`) for making one, and by type and way (`Task.update`) for changing one.
 */
export function stepOf(
  type: Writable,
  statement: CapabilityStatement,
  scopes: readonly string[],
  refused: ReadonlyMap<string, string>,
): Step {
  const stated = statement.rest
    ?.find((rest) => rest.mode === 'server')
    ?.resource?.find((resource) => resource.type === type);
  const may = (code: string, scope: Interaction) => offers(stated, code) && grants(scopes, type, scope);
  const mayChange = (code: string, scope: Interaction) =>
    may('read', 'r') && may(code, scope) && !refused.has(`${type}.${code}`);
  const reason = refused.get(type) ?? noCreate(type, stated, scopes);
  return {
    type,
    ...(reason === undefined ? {} : { reason }),
    reach: {
      search: searchOf(stated, grants(scopes, type, 's')),
      read: may('read', 'r'),
      update: mayChange('update', 'u'),
      patch: mayChange('patch', 'u'),
      delete: mayChange('delete', 'd'),
      conditionalCreate: stated?.conditionalCreate === true,
    },
  };
}

/**
 * The site's list of rungs against this EHR: the Task wherever it is listed, and in their order what may carry the
 * outcome.
 * Rungs after `worklist` are not tried: from there on the case page alone shows the outcome.
 */
export function planOf(
  rungs: readonly Rung[],
  stepTo: (type: Writable) => Step,
): { readonly task: Step; readonly carriers: readonly Step[] } {
  const listed = tried(rungs);
  const task = stepTo('Task');
  const types = [...new Set(listed.map((rung) => (rung === 'communication' ? 'Communication' : 'DocumentReference')))];
  return {
    task: listed.includes('task+document') ? task : { ...task, reason: 'the site asks for no Task' },
    carriers: types.map((type) => stepTo(type)),
  };
}

/** The rungs before `worklist`. */
export function tried(rungs: readonly Rung[]): readonly Rung[] {
  return rungs.includes('worklist') ? rungs.slice(0, rungs.indexOf('worklist')) : rungs;
}

function noCreate(
  type: Writable,
  stated: CapabilityStatementRestResource | undefined,
  scopes: readonly string[],
): string | undefined {
  if (!offers(stated, 'create')) return `the EHR offers no ${type}.create`;
  return grants(scopes, type, 'c') ? undefined : `no scope ${type}.c`;
}

function searchOf(stated: CapabilityStatementRestResource | undefined, granted: boolean): Reach['search'] {
  if (!granted || !offers(stated, 'search-type')) return 'none';
  return stated?.searchParam?.some((parameter) => parameter.name === 'identifier') === true ? 'identifier' : 'patient';
}

function offers(resource: CapabilityStatementRestResource | undefined, code: string): boolean {
  return resource?.interaction?.some((interaction) => interaction.code === code) ?? false;
}
