import type { CodeableConcept, Condition } from 'fhir/r4.js';
import type { EvidenceChart } from '../evidence/evidence-chart.ts';
import type { DrugClass } from '../evidence/knowledge.ts';
import { evidenceChartOf } from '../evidence/role.ts';
import { type Privacy, privacyOf } from '../evidence/sensitive-reach.ts';
import { orderedDrug } from '../evidence/therapies.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { AnswerPolicy } from '../roles/policy.ts';
import { ingredientsOf } from './ingredients.ts';
import { type AnswerKnowledge, usualPolicy } from './knowledge.ts';

/** What every cell of the sheet is worked out from: the chart around one order, and what is known. */
export interface Around {
  readonly chart: EvidenceChart;
  readonly knowledge: AnswerKnowledge;
  readonly policy: Policy;
  readonly privacy: Privacy;
  /** The ordered drug by its ingredients: `adalimumab`. */
  readonly ordered: string;
  /** The classes that it belongs to. */
  readonly classes: readonly DrugClass[];
}

/** What the site decides, and what is usual where it does not. */
export interface Policy {
  readonly continuingDays: number;
  readonly longestGap: number;
  readonly countCombinations: boolean;
  readonly windows: Readonly<Record<string, number>>;
}

function policyOf({ continuingDays, longestGap, countCombinations, windows = {} }: AnswerPolicy = {}): Policy {
  return {
    continuingDays: continuingDays ?? usualPolicy.continuingDays,
    longestGap: longestGap ?? usualPolicy.longestGap,
    countCombinations: countCombinations ?? usualPolicy.countCombinations,
    windows,
  };
}

/** What is asked around the order of a request; undefined where its order cannot be used. */
export function aroundOf(facts: Facts, knowledge: AnswerKnowledge): Around | undefined {
  const chart = evidenceChartOf(facts);
  if (chart === undefined) return undefined;
  const ordered = ingredientsOf(orderedDrug(chart), knowledge.drugs);
  return {
    chart,
    knowledge,
    policy: policyOf(facts.request.site.answers),
    privacy: privacyOf(chart, knowledge.evidence.sensitivity),
    ordered,
    classes: knowledge.evidence.classesOf(ordered),
  };
}

/** How a drug stands to the ordered one. */
export const relations = ['same class', 'usually before it', 'for this diagnosis'] as const;
export type Relation = (typeof relations)[number];

/** By a row of the knowledge alone: a class that nobody knows relates nothing. */
export function relationByClass(
  { classes }: Around,
  ingredients: string,
): { readonly relation: Relation; readonly class: string } | undefined {
  const same = classes.find(({ holds }) => holds(ingredients));
  if (same !== undefined) return { relation: 'same class', class: same.name };
  const before = classes.find(({ comesFirst }) => comesFirst(ingredients));
  return before === undefined ? undefined : { relation: 'usually before it', class: before.name };
}

/** What the order is for: the concepts that its role holds, each with the Condition that says the same. */
export interface Indication {
  readonly concept: CodeableConcept;
  readonly node: Node;
  readonly condition: Located<Condition> | undefined;
}

/** What the drug is for. A proposal that nobody confirmed is none. */
export function indicationsOf({ chart }: Around, facts: Facts): Indication[] {
  const { nodes, kind } = facts.root('diagnosis');
  if (kind === 'proposed') return [];
  const conditions = chart.mine('Condition');
  return nodes.map((node) => {
    const concept = node.value as CodeableConcept; // what the role holds
    const own = conditions.find(({ reference }) => reference === node.source?.resource);
    const condition = own ?? conditions.find(({ resource }) => stands(resource) && isSame(concept, resource.code));
    return { concept, node, condition };
  });
}

function stands({ verificationStatus }: Condition): boolean {
  const codes = verificationStatus?.coding?.map(({ code }) => code) ?? [];
  return !codes.some((code) => code === 'refuted' || code === 'entered-in-error');
}

/** Whether two concepts share a code, or are written in the same words. */
export function isSame(one: CodeableConcept | undefined, other: CodeableConcept | undefined): boolean {
  const codes = new Set(codesOf(one));
  if (codesOf(other).some((code) => codes.has(code))) return true;
  const [words, others] = [wordsOf(one), wordsOf(other)];
  return words !== undefined && words === others;
}

function codesOf(concept: CodeableConcept | undefined): string[] {
  return (concept?.coding ?? []).flatMap(({ system, code }) =>
    system === undefined || code === undefined ? [] : [`${system}|${code.replace('.', '').toUpperCase()}`],
  );
}

function wordsOf(concept: CodeableConcept | undefined): string | undefined {
  return meaningful(labelOf(concept))?.toLowerCase();
}
