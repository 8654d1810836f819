import { stateCode } from '../../fhir/codes/us-states.ts';
import { isObject } from '../../fhir/is-object.ts';
import type { Facts } from '../facts.ts';
import type { Filled } from '../filled.ts';

const zip = /^\d{5}(?:-?\d{4})?$/;

/**
 * The site's country, for an address without a country that is certainly in the US: it has a ZIP code or a state, and
 * no sign of another country (`ON`, `SW1A 1AA`). Empty without an address.
 */
export function defaultCountry(role: string): (facts: Facts) => Filled {
  return (facts) => {
    const [node] = facts.root(role).nodes;
    const { country } = facts.request.site;
    const isHere = country !== undefined && isObject(node?.value) && isOfTheUs(node.value);
    return { root: { nodes: isHere ? [{ value: country }] : [], kind: 'site' } };
  };
}

function isOfTheUs({ state, postalCode }: Readonly<Record<string, unknown>>): boolean {
  const code = typeof postalCode === 'string' && postalCode.trim() !== '' ? zip.test(postalCode.trim()) : undefined;
  // A number in place of the state is an SSA or FIPS code of payers' records. It is no sign of another country.
  const known = typeof state === 'string' && /\p{L}/u.test(state) ? stateCode(state) !== undefined : undefined;
  return code !== false && known !== false && (code === true || known === true);
}
