import type { Quantity } from 'fhir/r4.js';
import { isObject } from '../src/core/fhir/is-object.ts';
import type { Follows, Transform } from '../src/core/mapping/words/rules.ts';

/**
 * A quantity follows its unit. If a person chose a different unit than the order's, the order's number no longer
 * applies: two pens are not two milliliters. Counted pieces keep their number under any name, and so does a quantity
 * without a unit.
 *
 * @example following(countedIn('prescription.dispense_unit', dispenseUnit), dispensed)
 */
export function countedIn(target: string, read: Transform<string>): Follows {
  return {
    targets: [target],
    agrees: {
      name: 'countedIn',
      sentence: 'sent only where the order counts in the unit that a person chose, or in none',
      asks: 'the order counts it in another unit. Enter how many of the chosen unit.',
      call(_, entered, element) {
        const chosen = entered.get(target);
        if (!isObject(element) || isPiece(element as Quantity)) return true;
        const stated = read.apply(element);
        if ('refused' in stated) return false;
        return stated.value === chosen || (isCounted(stated.value) && isCounted(chosen));
      },
    },
  };
}

// "1", "{each}", "ea": a count of unspecified things.
function isPiece({ unit, code }: Quantity): boolean {
  return [unit, code].every(
    (text) => text === undefined || /^\W*(?:1|each|ea|count|ct|piece|unit dose)?\W*$/i.test(text),
  );
}

// The service's words for counted units, and the NCIt codes of tablets and capsules.
const counted = new Set<unknown>(['tablet', 'capsule', 'patch', 'film', 'applicator', 'inhaler', 'C48542', 'C48480']);

function isCounted(unit: unknown): boolean {
  return counted.has(unit);
}
