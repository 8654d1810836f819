import type { MedicationRequest, Resource } from 'fhir/r4.js';
import { indexChart } from '../fhir/references/graph.ts';
import { isInShape } from '../fhir/shape/is-in-shape.ts';
import type { Clause, Test } from './clauses.ts';
import { defineRoles, type RoleTable } from './define.ts';
import { ordersIn } from './select.ts';

/** Why no request can be made for an order; undefined if more than its status decides, and for other resources. */
export type RefusalByStatus = (resource: Resource) => string | undefined;

/**
 * Returns the reasons of a role table, in the words of `candidateOrders`, without reading the order's chart: for
 * exports, in which most orders have ended. Each status is judged once. Undefined for orders that are not in the form
 * of FHIR R4. Must not be asked about orders that a CDS Hooks request names as drafts.
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

/** Whether a clause and its words read only the status. The clause that is listed first refuses first. */
function isOfStatusAlone({ test, text }: Clause): boolean {
  return readsStatusAlone(test) && [...text.matchAll(/\{([^}|]*)/g)].every(([, path]) => path === 'status');
}

function readsStatusAlone(test: Test): boolean {
  if (test.kind === 'any' || test.kind === 'all') return test.tests.every(readsStatusAlone);
  if (test.kind === 'not') return readsStatusAlone(test.test);
  return test.kind === 'namedDraft' || (test.kind === 'oneOf' && test.path === 'status');
}
