import type { Clause, Test } from './clauses.ts';
import type { RoleTable } from './define.ts';

/**
 * Whether the first clause that rules the resource of a role out looks at its status alone and holds for this one: then
 * it is ruled out with the same words whatever else it says. False for a role that is not filled with the resource that
 * a request names.
 *
 * @example isRuledOutByStatus(mappings.roles, 'order', 'completed') // true
 */
export function isRuledOutByStatus({ rules }: RoleTable, role: string, status: string): boolean {
  const rule = Object.hasOwn(rules, role) ? rules[role] : undefined;
  const first = rule?.kind === 'given' ? rule.unless[0] : undefined;
  return first !== undefined && saysStatusAlone(first) && holdsFor(first.test, status) === true;
}

// `{status}`, `{status|without a status}`
function saysStatusAlone({ text }: Clause): boolean {
  return [...text.matchAll(/\{([^}|]*)/g)].every(([, path]) => path === 'status');
}

/** Whether a test holds for a status; undefined for a test that looks at anything else. */
function holdsFor(test: Test, status: string): boolean | undefined {
  switch (test.kind) {
    case 'oneOf':
      return test.path === 'status' ? !test.values.includes(status) : undefined;
    case 'namedDraft':
      return status === 'draft' ? undefined : false;
    case 'not': {
      const holds = holdsFor(test.test, status);
      return holds === undefined ? undefined : !holds;
    }
    case 'all':
    case 'any': {
      const all = test.tests.map((one) => holdsFor(one, status));
      if (all.includes(undefined)) return undefined;
      return test.kind === 'all' ? !all.includes(false) : all.includes(true);
    }
    default:
      return undefined;
  }
}
