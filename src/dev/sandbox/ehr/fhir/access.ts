import { evalFhirPath } from '@medplum/core';
import type { Resource } from '@medplum/fhirtypes';
import { compartmentExpressions } from './definitions.ts';

/** Create, read, update, delete, search: the letters of SMART v2 scopes. */
export type Action = 'c' | 'r' | 'u' | 'd' | 's';
type Level = 'patient' | 'user' | 'system';

interface Rule {
  readonly level: Level;
  /** A resource type or `*`. */
  readonly type: string;
  readonly actions: ReadonlySet<Action>;
}

export interface Access {
  /** The signed-in user, such as `Practitioner/1`; undefined for a system. */
  readonly user?: string | undefined;
  /** Whether any scope allows this action on this type. */
  mayType(type: string, action: Action): boolean;
  /**
   * Whether a scope allows this action on this resource. A `patient/` scope covers only the token's patient. `owner`:
   * the resource that decides the patient of a Binary with a securityContext.
   */
  may(resource: Resource, action: Action, owner?: Resource): boolean;
  /** The scope that would allow the action, such as `patient/Task.c`, for messages. */
  needed(type: string, action: Action): string;
}

const v1 = { read: 'rs', write: 'cud', '*': 'cruds' } as const;

/**
 * Returns the rules of granted scopes in v1 and v2 form (SMART App Launch 2.2, "Scopes for requesting FHIR Resources").
 * Other scopes give no access.
 */
export function parseScopes(scopes: readonly string[]): Rule[] {
  return scopes.flatMap((scope) => {
    const match = /^(patient|user|system)\/([A-Z][A-Za-z]+|\*)\.(read|write|\*|c?r?u?d?s?)$/.exec(scope);
    if (match === null) return [];
    const [, level, type, letters] = match;
    const actions = letters === 'read' || letters === 'write' || letters === '*' ? v1[letters] : (letters ?? '');
    return [{ level: level as Level, type: type ?? '', actions: new Set([...actions] as Action[]) }];
  });
}

/** `patient`: the id of the launch patient. If undefined, `patient/` scopes give no access. */
export function accessOf(scopes: readonly string[], patient: string | undefined, user?: string): Access {
  const rules = parseScopes(scopes);
  const giving = (type: string, action: Action) =>
    rules.filter((rule) => (rule.type === type || rule.type === '*') && rule.actions.has(action));
  return {
    user,
    mayType: (type, action) => giving(type, action).length > 0,
    may: (resource, action, owner = resource) =>
      giving(resource.resourceType, action).some(
        (rule) => rule.level !== 'patient' || (patient !== undefined && reachesPatient(owner, action, patient)),
      ),
    needed: (type, action) => {
      const ofUser = patient === undefined ? 'user' : 'patient';
      return `${rules.some((rule) => rule.level === 'system') ? 'system' : ofUser}/${type}.${action}`;
    },
  };
}

function reachesPatient(resource: Resource, action: Action, patient: string): boolean {
  const reads = action === 'r' || action === 's';
  if (resource.resourceType === 'Patient') return resource.id === patient;
  if (compartmentExpressions(resource.resourceType).length === 0) return reads;
  const patients = patientsOf(resource);
  // A write must concern only this patient. A resource that is read may refer to another patient, as a Coverage does to
  // its subscriber.
  return patients.has(patient) && (reads || patients.size === 1);
}

/** Ids of the patients whose compartment contains the resource. */
export function patientsOf(resource: Resource): ReadonlySet<string> {
  const references = compartmentExpressions(resource.resourceType)
    .flatMap((expression) => evalFhirPath(expression, resource))
    .flatMap((found) =>
      typeof found === 'object' && found !== null && 'reference' in found && typeof found.reference === 'string'
        ? [found.reference]
        : [],
    );
  return new Set(
    references.flatMap((reference) => /^Patient\/([A-Za-z0-9.-]+)(?:\/_history\/.+)?$/.exec(reference)?.[1] ?? []),
  );
}
