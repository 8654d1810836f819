import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { newest } from '../evidence/dates.ts';
import { presentReasons } from '../evidence/finding.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { type Indication, indicationsOf, type Related } from './around.ts';
import {
  type Attempt,
  asOf,
  courseOfAttempt,
  directionsIn,
  earlierAttempts,
  fillsOf,
  type History,
  isOfOrdered,
} from './history.ts';
import { areOtherForms, isOtherForm } from './other-form.ts';
import { relationOf } from './relation.ts';
import { areMeasuredOtherwise, isSameStrength, takenEntries } from './taken-products.ts';
import { proofOf } from './trials.ts';

/**
 * Other drugs that the patient takes now: drugs of the same class or group, drugs that usually come before the ordered
 * one, and drugs for the same diagnosis. Also the ordered drug itself in another form. One node for each form.
 */
export function concurrentAround(around: Answering, facts: Facts): Node[] {
  const indications = indicationsOf(around, facts);
  return around
    .histories()
    .filter(({ isSample }) => !isSample)
    .flatMap((history) => {
      return isOfOrdered(history, around) ? inOtherForm(history, around) : ofOther(history, indications, around);
    });
}

function ofOther(history: History, indications: readonly Indication[], around: Answering): Node[] {
  const taken = takenNow(history.entries, history, around);
  const entries = taken.flatMap((attempt) => attempt.entries);
  const related = relationOf(history.ingredients, entries, indications, around);
  return related === undefined ? [] : taken.flatMap((attempt) => nodesOf(attempt, related, around));
}

// An earlier form without an active order or remaining supply is not taken now, even if the chart states no end.
function inOtherForm(history: History, around: Answering): Node[] {
  const entries = history.entries.filter((entry) => isOtherForm(entry, around));
  return takenNow(entries, history, around)
    .filter(({ entries: own, spans }) => {
      const isActive = own.some(({ kind, status }) => kind !== 'dispense' && status.value === 'active');
      return isActive || (spans.at(-1)?.to ?? '') >= around.chart.today.day;
    })
    .flatMap((attempt) => nodesOf(attempt, { relation: 'same ingredient, other form' }, around));
}

/**
 * The last trial of each form, if ongoing. The entry taken last may be in none of these although the drug as a whole is
 * ongoing. The forms are then names of one product, so all entries are one trial.
 */
function takenNow(entries: readonly TherapyEntry[], history: History, around: Answering): Attempt[] {
  const isNow = (attempt: Attempt) => !courseOfAttempt(attempt, around).isOver;
  const lastOf = (own: readonly TherapyEntry[]) => earlierAttempts({ ...history, entries: own }, around).slice(-1);
  const forms = formsIn(entries, around).flatMap(lastOf).filter(isNow);
  const [whole] = lastOf(entries).filter(isNow);
  const last = whole && takenEntries(whole.entries, around).at(-1);
  const isOfForm = last === undefined || forms.some((form) => form.entries.includes(last));
  return whole === undefined || isOfForm ? forms : [whole];
}

function formsIn(entries: readonly TherapyEntry[], around: Answering): TherapyEntry[][] {
  const namesOf = ({ drug: { product, coded } }: TherapyEntry) => [product, ...coded].map(({ value }) => value).join();
  const areOther = ([one]: readonly TherapyEntry[], [other]: readonly TherapyEntry[]) =>
    one !== undefined && other !== undefined && (areOtherForms(one, other, around) || areMeasuredOtherwise(one, other));
  const forms: TherapyEntry[][][] = [];
  for (const product of Map.groupBy(entries, namesOf).values()) {
    // A product whose name has no form joins the last form before it.
    const own = forms.findLast((form) => !form.some((other) => areOther(other, product)));
    if (own === undefined) forms.push([product]);
    else own.push(product);
  }
  const members = forms.map((form) => new Set(form.flat()));
  return members.map((own) => entries.filter((entry) => own.has(entry)));
}

function nodesOf(attempt: Attempt, related: Related, around: Answering): Node[] {
  const { entries } = attempt;
  const last = takenEntries(entries, around).at(-1);
  if (last === undefined) return [];
  // `since` is about the current strength, so it comes from the entries with that strength.
  const own = entries.filter((entry) => isSameStrength(entry, last));
  const course = courseOfAttempt({ ...attempt, ended: own }, around);
  const facts = {
    concurrent: {
      drug: last.drug.product,
      ...related,
      proof: proofOf(attempt),
      since: isGapless(own) ? course.start : undefined,
      supplied: isGapless(own) ? undefined : suppliedLast(own, around),
      asOf: asOf(attempt, around, activeOrders(entries)),
      ordered: course.firstOrdered,
      status: course.status,
      directions: together(own.map(directionsIn).findLast((stated) => stated.length > 0)),
      sources: entries.map(({ located }) => cite(located, located.reference)),
      ...presentReasons({ sensitive: sensitivityOf(entries, around.privacy) }),
    },
  };
  return [nodeOf(facts, last.located)];
}

// Fills and doses without a duration may hide gaps, unless an active statement gives a start.
function isGapless(entries: readonly TherapyEntry[]): boolean {
  const supplied = entries.filter(({ kind }) => kind === 'dispense' || kind === 'administration');
  const hasActiveStatement = entries.some(
    ({ kind, status, start }) => kind === 'statement' && status.value === 'active' && start,
  );
  return hasActiveStatement || supplied.slice(0, -1).every((entry) => fillsOf([entry]).length > 0);
}

// An active order counts as taken now, because a pharmacy that is not in the chart may dispense it.
function activeOrders(entries: readonly TherapyEntry[]): Cited<string>[] {
  return entries.flatMap(({ ordered, status }) => (status.value === 'active' ? (ordered ?? []) : []));
}

function suppliedLast(entries: readonly TherapyEntry[], { chart }: Answering): Cited<string> | undefined {
  const days = entries.flatMap(
    ({ kind, start, handedOver }) => handedOver ?? (kind === 'administration' ? start : undefined) ?? [],
  );
  return newest(days, chart.today.timeZone);
}

// Several instructions together describe one regimen.
function together(directions: readonly Cited<string>[] = []): Cited<string> | undefined {
  const [first] = directions;
  return first && new Cited(directions.map(({ value }) => value).join('; '), first.source);
}
