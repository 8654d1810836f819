import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { Rung } from '../config.ts';
import { grants } from '../fhir/scopes.ts';

/** The resource types that the bridge may write. */
export type Writable = 'Task' | 'DocumentReference' | 'Communication';

/** What the EHR lets us do with one type. */
export interface Reach {
  /** How a resource of ours can be found again; `none` when the EHR offers or grants no search. */
  readonly search: 'identifier' | 'patient' | 'none';
  /** Reading and updating are both offered and granted. */
  readonly update: boolean;
  readonly conditionalCreate: boolean;
}

/** A type in reach, or why it is not. */
export type Step = { readonly reach: Reach } | { readonly reason: string };

/**
 * From what the EHR states and what was granted. `refused` are types that it advertises and has refused, with the
 * reason.
 */
export function stepOf(
  type: Writable,
  statement: CapabilityStatement,
  scopes: readonly string[],
  refused: ReadonlyMap<string, string>,
): Step {
  const past = refused.get(type);
  if (past !== undefined) return { reason: past };
  const stated = statement.rest
    ?.find((rest) => rest.mode === 'server')
    ?.resource?.find((resource) => resource.type === type);
  if (!offers(stated, 'create')) return { reason: `the EHR offers no ${type}.create` };
  if (!grants(scopes, type, 'c')) return { reason: `no scope ${type}.c` };
  return {
    reach: {
      search: searchOf(stated, grants(scopes, type, 's')),
      update:
        offers(stated, 'read') && offers(stated, 'update') && grants(scopes, type, 'r') && grants(scopes, type, 'u'),
      conditionalCreate: stated?.conditionalCreate === true,
    },
  };
}

export type Carrier = { readonly type: 'DocumentReference' | 'Communication' } & Step;

/**
 * The site's list of rungs against this EHR: the Task wherever it is listed, and in their order what may carry the
 * outcome.
 * Rungs after `worklist` are not tried: from there on the case page alone shows the outcome.
 */
export function planOf(
  rungs: readonly Rung[],
  stepTo: (type: Writable) => Step,
): { readonly task: Step; readonly carriers: readonly Carrier[] } {
  const listed = tried(rungs);
  const task: Step = listed.includes('task+document') ? stepTo('Task') : { reason: 'the site asks for no Task' };
  const types = [...new Set(listed.map((rung) => (rung === 'communication' ? 'Communication' : 'DocumentReference')))];
  return { task, carriers: types.map((type) => ({ type, ...stepTo(type) })) };
}

/** The rungs before `worklist`. */
export function tried(rungs: readonly Rung[]): readonly Rung[] {
  return rungs.includes('worklist') ? rungs.slice(0, rungs.indexOf('worklist')) : rungs;
}

function searchOf(stated: CapabilityStatementRestResource | undefined, granted: boolean): Reach['search'] {
  if (!granted || !offers(stated, 'search-type')) return 'none';
  return stated?.searchParam?.some((parameter) => parameter.name === 'identifier') === true ? 'identifier' : 'patient';
}

function offers(resource: CapabilityStatementRestResource | undefined, code: string): boolean {
  return resource?.interaction?.some((interaction) => interaction.code === code) ?? false;
}
