import { typeTexts } from '../../../src/core/fhir/model/r4.generated.ts';
import { findLeaks } from '../../../src/dev/kit/deidentify/check/find-leaks.ts';
import { textLeaves } from '../../../src/dev/kit/deidentify/check/leaves.ts';
import { deidentify } from '../../../src/dev/kit/deidentify/deidentify.ts';
import { canaries, canaryOf, withoutAmounts } from './canaries.ts';

const shiftDays = -70;
const domainResources = Object.keys(typeTexts).filter((type) => typeTexts[type]?.startsWith('rDomainResource'));

/**
 * Where a canary is found again, by type and path, once every resource of FHIR R4 with a canary at each of its elements
 * was de-identified: looked for here, and by the recorder's own check.
 */
export function canariesLeft({ isShort }: { readonly isShort: boolean }): string[] {
  return [...domainResources, 'Binary', 'Bundle', 'Parameters'].flatMap((type) => {
    const canary = canaryOf(type, isShort);
    const { resources } = deidentify([canary], { seed: type, shiftDays, drugNames: ['adalimumab'] });
    const [changed = {}] = resources;
    const told = [...textLeaves(withoutAmounts(changed, type))].filter(({ value, path }) =>
      canaries.some((one) => value.toLowerCase().includes(one) || path.toLowerCase().includes(one)),
    );
    const leaks = findLeaks({ before: [canary], after: [changed], others: {}, shiftDays });
    return [...told.map(({ path }) => `${type} ${path}`), ...leaks];
  });
}
