import type { MedicationRequest, Resource } from 'fhir/r4.js';
import { indexChart } from '../fhir/references/graph.ts';
import { isInShape } from '../fhir/shape/is-in-shape.ts';
import type { Clause, Test } from './clauses.ts';
import { defineRoles, type RoleTable } from './define.ts';
import { ordersIn } from './select.ts';

/**
 * Why no request can be made for an order. Undefined if this depends on more than the status, and for other resources.
 */
export type RefusalByStatus = (resource: Resource) => string | undefined;

/**
 * Judges orders by status alone, without reading their charts, for exports in which most orders have ended. The reasons
 * are those of `candidateOrders`, computed once for each status. Returns undefined for orders that are not valid FHIR
 * R4. Must not be used for drafts that a CDS Hooks request names.
 *
 * @example refusalByStatus(roles)(order) // 'it is completed'
 */
export function refusalByStatus({ name, rules, options }: RoleTable): RefusalByStatus {
  const rule = rules.order;
  const [first] = rule?.kind === 'given' ? rule.unless : [];
  if (rule?.kind !== 'given' || first === undefined || !isOfStatusAlone(first)) return () => undefined;
  const order = { ...rule, unless: [first], asks: [], warns: [], label: [] };
  const roles = defineRoles(name, { order }, options);
  const known = new Map<string, string | undefined>();
  return (resource) => {
    const status: unknown = resource.resourceType === 'MedicationRequest' ? Reflect.get(resource, 'status') : undefined;
    if (typeof status !== 'string' || !isInShape(resource)) return undefined;
    if (!known.has(status)) known.set(status, refusalOf(roles, status));
    return known.get(status);
  };
}

function refusalOf(roles: RoleTable, status: string): string | undefined {
  const order = { resourceType: 'MedicationRequest', id: '1', status, subject: { reference: 'Patient/1' } };
  // the other required elements are not read
  const [judged] = ordersIn(indexChart([order as MedicationRequest]), { roles, now: new Date(0), site: {} });
  return judged?.fits === false ? judged.candidate.reason : undefined;
}

/**
 * Whether a clause and its text read only the status. It must be the first clause, because the first clause that holds
 * refuses.
 */
function isOfStatusAlone({ test, text }: Clause): boolean {
  return readsStatusAlone(test) && [...text.matchAll(/\{([^}|]*)/g)].every(([, path]) => path === 'status');
}

function readsStatusAlone(test: Test): boolean {
  if (test.kind === 'any' || test.kind === 'all') return test.tests.every(readsStatusAlone);
  if (test.kind === 'not') return readsStatusAlone(test.test);
  return test.kind === 'namedDraft' || (test.kind === 'oneOf' && test.path === 'status');
}
