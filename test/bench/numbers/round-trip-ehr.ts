import { setTimeout as pause } from 'node:timers/promises';
import type { CapabilityStatement, Resource } from 'fhir/r4.js';
import type { FhirApi } from '../../../src/core/fhir/api.ts';

/** An EHR in memory that answers each request after a while, and counts in how many round trips it was asked. */
export interface RoundTripEhr {
  readonly api: FhirApi;
  /** Every request, as `Type?query` or `Type/id`, in order. */
  readonly asked: readonly string[];
  /** Round trips that waited for one another: requests that are under way together are one. */
  readonly rounds: () => number;
}

/** `includes`: whether it takes and states `_include` and `_revinclude`. Its CapabilityStatement is known already. */
export function roundTripEhr(
  resources: readonly Resource[],
  { base, includes, delayMs }: { readonly base: string; readonly includes: boolean; readonly delayMs: number },
): RoundTripEhr {
  const byReference = new Map(resources.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
  const asked: string[] = [];
  let answered = 0;
  const answer = async <T>(request: string, found: T): Promise<T> => {
    asked.push(request);
    const round = answered + 1;
    await pause(delayMs);
    answered = Math.max(answered, round);
    return found;
  };
  const written = () => Promise.reject(new Error('reading only'));
  const api: FhirApi = {
    base,
    scopes: ['patient/*.rs', 'user/*.rs'],
    capabilities: async () => statementOf(includes),
    // the resource of that name is of that type
    read: <T extends Resource>(type: T['resourceType'], id: string) =>
      answer(`${type}/${id}`, byReference.get(`${type}/${id}`) as T | undefined),
    search: async (type, params) => {
      const found = resources.filter((one) => one.resourceType === type);
      const isIncluding = params.some(([name]) => /^_(rev)?include/.test(name));
      const all = isIncluding ? withReferenced(found, byReference) : found;
      return await answer(`${type}?${new URLSearchParams([...params].map(([name, value]) => [name, value]))}`, {
        resources: all,
        truncated: false,
        warnings: [],
      });
    },
    batch: (urls) =>
      answer(
        `batch of ${urls.length}`,
        urls.map((url) => byReference.get(url) ?? { status: 404 }),
      ),
    create: written,
    readVersion: written,
    update: written,
    patch: written,
    delete: written,
  };
  return { api, asked, rounds: () => answered };
}

/** What is found with everything that it refers to, and what that refers to: practices behind a role, payers. */
function withReferenced(found: readonly Resource[], all: ReadonlyMap<string, Resource>): Resource[] {
  const reached = new Set(found);
  for (const resource of reached) {
    for (const [, reference = ''] of JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g)) {
      const target = all.get(reference);
      if (target !== undefined && target.resourceType !== 'Patient') reached.add(target);
    }
    if (resource.resourceType !== 'Practitioner') continue;
    for (const other of all.values())
      if (other.resourceType === 'PractitionerRole' && JSON.stringify(other).includes(`"Practitioner/${resource.id}"`))
        reached.add(other);
  }
  return [...reached];
}

function statementOf(includes: boolean): CapabilityStatement {
  const types = ['MedicationRequest', 'Coverage', 'PractitionerRole', 'Practitioner', 'MedicationStatement'] as const;
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-01-01',
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        resource: types.map((type) => ({
          type,
          ...(includes ? { searchInclude: ['*'], searchRevInclude: ['*'] } : {}),
        })),
      },
    ],
  };
}
