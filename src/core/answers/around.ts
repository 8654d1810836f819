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

/** The input of every cell of the sheet: the chart around one order, and the knowledge. */
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

/** The site's numbers, or the defaults where it states none. */
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

/** The input for the order of a request; undefined when the order cannot be used. */
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

/** How a drug relates to the ordered one. */
export const relations = ['same class', 'usually before it', 'for this diagnosis'] as const;
export type Relation = (typeof relations)[number];

/** Only a row of the knowledge relates drugs: an unknown class relates none. */
export function relationByClass(
  { classes }: Around,
  ingredients: string,
): { readonly relation: Relation; readonly class: string } | undefined {
  const same = classes.find(({ holds }) => holds(ingredients));
  if (same !== undefined) return { relation: 'same class', class: same.name };
  const before = classes.find(({ comesFirst }) => comesFirst(ingredients));
  return before === undefined ? undefined : { relation: 'usually before it', class: before.name };
}

/** The indications of the order: the concepts of its role, each with the Condition that says the same. */
export interface Indication {
  readonly concept: CodeableConcept;
  readonly node: Node;
  readonly condition: Located<Condition> | undefined;
}

/** The indication of the drug. A proposal that nobody confirmed does not count. */
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

/** Whether two concepts share a code or have the same text. */
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
