import { dayText } from '../../fhir/time/day-text.ts';
import { isWithin } from '../../mapping/target.ts';
import { drugKey, ingredientsInName } from '../ingredients.ts';
import type { AnswerKnowledge } from '../knowledge.ts';
import type { Place, Sheet } from '../sheet.ts';
import { shownSheet } from '../shown.ts';
import { type Cost, costs, type JudgedCondition, judgeCondition } from './judge.ts';
import type { CriterionRow } from './words.ts';

export interface CriteriaAbout {
  readonly payer: string;
  /** The ingredients of the ordered drug. */
  readonly drug: string;
  /** Whether `ingredient` is the drug called `name` or belongs to the class called `name`. */
  readonly isNamed: (ingredient: string, name: string) => boolean;
  /** Today at the site, as `2026-11-21`. */
  readonly day: string;
  readonly ticked?: ReadonlySet<string>;
}

export interface JudgedCriterion extends JudgedCondition {
  readonly row: CriterionRow;
  readonly read: readonly Place[];
}

/**
 * Judges a site's criteria against the answers sheet: first those not met, then the unknown ones by cost, then those
 * met. A verdict never blocks a request. Sensitive rows count only when ticked, and what a person states never meets a
 * criterion.
 *
 * @example judgeCriteria(rows, sheet, { payer: 'Evergreen Mutual', drug: 'tofacitinib', isNamed, day: '2026-11-21' })
 */
export function judgeCriteria(rows: readonly CriterionRow[], sheet: Sheet, about: CriteriaAbout): JudgedCriterion[] {
  const { body, places } = shownSheet(sheet, about);
  return rows
    .filter((row) => isAbout(row, about))
    .map((row): JudgedCriterion => {
      const stale = whyNotKnown(row, about.day);
      const judged: JudgedCondition =
        stale === undefined
          ? judgeCondition(row.condition, { body, isNamed: about.isNamed })
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

// A row counts only if it states its source, its reader and the day it was read, and has not expired.
function whyNotKnown({ source, readOn, readBy, validUntil }: CriterionRow, day: string): string | undefined {
  if (source === undefined || readOn === undefined || readBy === undefined)
    return 'the row does not say where it was read, when and by whom';
  return validUntil !== undefined && validUntil < day ? `the row was valid until ${dayText(validUntil)}` : undefined;
}

function rankOf({ verdict, cost }: { readonly verdict: JudgedCondition['verdict']; readonly cost?: Cost }): number {
  if (verdict === 'not met') return -1;
  return verdict === 'met' ? costs.length + 1 : costs.indexOf(cost ?? 'somewhere in the chart');
}

/**
 * Returns the function that matches names in a criteria file: a class by its row in the knowledge tables, a drug by any
 * of its names.
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
