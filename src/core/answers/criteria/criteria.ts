import { isWithin } from '../../mapping/target.ts';
import { drugKey, ingredientsInName } from '../ingredients.ts';
import type { AnswerKnowledge } from '../knowledge.ts';
import type { Place, Sheet } from '../sheet.ts';
import { shownOf } from '../shown.ts';
import { type Cost, costs, type Judged, judge } from './judge.ts';
import type { CriterionRow } from './words.ts';

/** Which rows are about a request, and when. */
export interface CriteriaAbout {
  /** The payer's name, as the request carries it. */
  readonly payer: string;
  /** The ordered drug by its ingredients. */
  readonly drug: string;
  /** Whether an ingredient, or the name of a product, is of this drug or belongs to this class. */
  readonly isNamed: (ingredient: string, name: string) => boolean;
  /** The site's day. */
  readonly day: string;
  readonly ticked?: ReadonlySet<string>;
}

/** A criterion and what the chart says of it. */
export interface JudgedCriterion extends Judged {
  readonly row: CriterionRow;
  /** Where the values stand that it was judged by. */
  readonly read: readonly Place[];
}

/**
 * What the sheet says of a site's criteria: first what is documented as not met, then what is unknown, the cheapest to
 * find first, then what is met. They never stop a request. Sensitive rows count only when ticked, and a statement meets
 * nothing.
 *
 * @example judgeCriteria(rows, sheet, { payer: 'Evergreen Mutual', drug: 'tofacitinib', isNamed, day: '2026-11-21' })
 */
export function judgeCriteria(rows: readonly CriterionRow[], sheet: Sheet, about: CriteriaAbout): JudgedCriterion[] {
  const { body, places } = shownOf(sheet, about);
  return rows
    .filter((row) => isAbout(row, about))
    .map((row): JudgedCriterion => {
      const stale = whyNotKnown(row, about.day);
      const judged: Judged =
        stale === undefined
          ? judge(row.condition, { body, isNamed: about.isNamed })
          : { verdict: 'unknown', because: stale, places: [], cost: 'a person says it' };
      const read = places.filter(({ target }) => judged.places.some((part) => isWithin(target, part)));
      return { ...judged, row, read };
    })
    .sort((one, other) => rankOf(one) - rankOf(other));
}

function isAbout(row: CriterionRow, { payer, drug, isNamed }: CriteriaAbout): boolean {
  const plain = (name: string) => name.trim().toLowerCase();
  if (plain(row.payer) !== plain(payer)) return false;
  return isNamed(drug, row.drug ?? row.class ?? '');
}

// What a row says is known only with where it was read, by whom, and while it holds.
function whyNotKnown({ source, readOn, readBy, validUntil }: CriterionRow, day: string): string | undefined {
  if (source === undefined || readOn === undefined || readBy === undefined)
    return 'the row does not say where it was read, when and by whom';
  return validUntil !== undefined && validUntil < day ? `the row was valid until ${validUntil}` : undefined;
}

function rankOf({ verdict, cost }: { readonly verdict: Judged['verdict']; readonly cost?: Cost }): number {
  if (verdict === 'not met') return -1;
  return verdict === 'met' ? costs.length + 1 : costs.indexOf(cost ?? 'somewhere in the chart');
}

/**
 * How names of a criteria file are told: a class by its row of the knowledge, a drug by any of its names.
 *
 * @example namesBy(knowledge)('Humira', 'adalimumab') // true
 */
export function namesBy({ evidence, drugs }: AnswerKnowledge): CriteriaAbout['isNamed'] {
  return (stated, name) => {
    const ingredients = ingredientsInName(stated, drugs);
    const isOfClass = evidence.classNamed(name);
    if (isOfClass !== undefined) return isOfClass.holds(ingredients.join(' / '));
    const keys = new Set(ingredients.map(drugKey));
    return ingredientsInName(name, drugs).some((one) => keys.has(drugKey(one)));
  };
}
