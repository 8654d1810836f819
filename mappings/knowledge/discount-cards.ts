import type { Reviewed } from '../../src/core/fhir/sensitivity.ts';

/**
 * Cards that charts list as coverage but that are not plans: they lower the price at the pharmacy counter, and no prior
 * authorization is requested from them. If a row matches a real plan by mistake, a person can still choose the plan.
 */
export interface DiscountCardRow extends Reviewed {
  /** `kind`: a type of card; `name`: the name of a card. */
  readonly says: 'kind' | 'name';
  readonly keys: readonly string[];
}

const written = 'compiled from general knowledge; not reviewed';
const names = 'names of pharmacy discount cards, from general knowledge; not reviewed';
const review = 'none';

export const discountCards: readonly DiscountCardRow[] = [
  {
    says: 'kind',
    keys: ['copay card', 'copay coupon', 'copay savings card', 'copay assistance card', 'copay discount card'],
    source: written,
    review,
  },
  { says: 'kind', keys: ['discount card', 'savings card', 'manufacturer coupon'], source: written, review },
  {
    says: 'name',
    keys: ['goodrx', 'singlecare', 'wellrx', 'buzzrx', 'cleverrx', 'familywize', 'rxsaver', 'optum perks', 'inside rx'],
    source: names,
    review,
  },
];

// A card's words may follow the name of a manufacturer or drug ("Xeljanz copay card"). A plan that also offers such a
// card has more words ("Evergreen PPO with copay card").
const ofPlan = '(?:no|not|with|without|and|or|plus|plan|ppo|hmo|epo|pos|hsa|fsa|insurance|health|medicare|medicaid)\\b';
const inFront = `(?:(?!${ofPlan})\\S+ ){0,2}`;
const behind = '(?: (?:program|only))?';
const besideName = '(?: (?:gold|discount|savings|prescription|drug|card|coupon|program))*';

/** Matches a text or code that names only a discount card. */
export const discountCardWords = new RegExp(
  `^\\s*(?:${inFront}(?:${keysOf('kind')})${behind}|(?:${keysOf('name')})${besideName})\\s*$`,
  'i',
);

function keysOf(says: DiscountCardRow['says']): string {
  return discountCards
    .filter((row) => row.says === says)
    .flatMap(({ keys }) => keys)
    .map((key) => key.replace('copay', 'co-?pay').replaceAll(' ', '[ _-]?'))
    .join('|');
}
