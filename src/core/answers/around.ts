import type { Annotation, CodeableConcept, Condition, Dosage } from 'fhir/r4.js';
import { readSig } from '../drug/dosage/read-sig.ts';
import { icd10Of, isOfOne } from '../evidence/asked-tests.ts';
import type { Drug } from '../evidence/drug.ts';
import type { EvidenceChart } from '../evidence/evidence-chart.ts';
import type { DrugClass, DrugUse } from '../evidence/knowledge.ts';
import { evidenceChartOf } from '../evidence/role.ts';
import { type Privacy, privacyOf } from '../evidence/sensitive-reach.ts';
import { orderedDrug } from '../evidence/therapies.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import { once } from '../fhir/once.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Today } from '../fhir/time/today.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { AnswerPolicy } from '../roles/policy.ts';
import { ingredientsOf } from './ingredients.ts';
import { type AnswerKnowledge, usualPolicy } from './knowledge.ts';
import { isAfter, isLater } from './resource-date.ts';

/** The input of every cell of the answers sheet. */
export interface Around {
  readonly chart: EvidenceChart;
  readonly knowledge: AnswerKnowledge;
  readonly policy: Policy;
  readonly privacy: Privacy;
  /** The ingredients of the ordered drug: `adalimumab`. */
  readonly ordered: string;
  /** The ICD-10-CM codes of the order's indications, as written but without the dot. */
  readonly codes: () => readonly string[];
  /** The classes and groups that the ordered drug belongs to for its indications and directions. */
  readonly classes: () => readonly DrugClass[];
}

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

/**
 * The chart without anything dated after the day of the request. A later note keeps its index but loses its text. A
 * MedicationStatement that ended later gets the status `unknown` and no end.
 */
function asOfToday(chart: EvidenceChart): EvidenceChart {
  const { today, order, mine } = chart;
  return {
    ...chart,
    order: withoutLaterNotes(order, today),
    mine: (type) =>
      mine(type)
        .filter(({ resource }) => !isLater(resource, today))
        .map((located) => withoutLaterEnd(withoutLaterNotes(located, today), today)),
  };
}

function withoutLaterEnd<Of extends Located>(located: Of, today: Today): Of {
  const { resource } = located;
  if (resource.resourceType !== 'MedicationStatement' || !isAfter(resource.effectivePeriod?.end, today)) return located;
  if (resource.status !== 'completed' && resource.status !== 'stopped') return located;
  const { statusReason: _reason, effectivePeriod: { end: _end, ...effectivePeriod } = {}, ...known } = resource;
  return { ...located, resource: { ...known, status: 'unknown', effectivePeriod } } as Of;
}

function withoutLaterNotes<Of extends Located>(located: Of, today: Today): Of {
  const { note } = located.resource as { readonly note?: unknown };
  if (!Array.isArray(note) || !note.some(({ time }: Annotation) => isAfter(time, today))) return located;
  const kept = note.map((one: Annotation) => (isAfter(one.time, today) ? { text: '' } : one));
  return { ...located, resource: { ...located.resource, note: kept } } as Of;
}

/** Undefined when the order cannot be used. */
export function aroundOf(facts: Facts, knowledge: AnswerKnowledge): Around | undefined {
  const whole = evidenceChartOf(facts);
  if (whole === undefined) return undefined;
  const chart = asOfToday(whole);
  const ordered = ingredientsOf(orderedDrug(chart), knowledge.drugs);
  const codes = once(() => indicationsOf({ chart }, facts).flatMap(codesOfIndication));
  const rowsOf = knowledge.evidence.classesOf;
  return {
    chart,
    knowledge,
    policy: policyOf(facts.request.site.answers),
    // A later security label makes an earlier resource sensitive too, so the whole chart is read here.
    privacy: privacyOf(whole, knowledge.evidence.sensitivity),
    ordered,
    codes,
    classes: once(() => {
      const { dosageInstruction = [] } = chart.order.resource;
      return fitting(rowsOf(ordered), codes(), { drugs: [orderedDrug(chart)], dosages: dosageInstruction });
    }),
  };
}

export const relations = [
  'same class',
  'same group',
  'usually tried first',
  'for this diagnosis',
  'same ingredient, other form',
] as const;
export type Relation = (typeof relations)[number];

/** A relation, with the class or group that both drugs share. */
export interface Related {
  readonly relation: Relation;
  readonly class?: string;
}

interface Usage {
  readonly drugs: readonly Drug[];
  readonly dosages: readonly Dosage[];
}

/** The relation comes from the knowledge tables, so a drug without a row has none. */
export function relationByClass(around: Around, ingredients: string, usage?: Usage): Related | undefined {
  const { knowledge, codes } = around;
  const own = fitting(knowledge.evidence.classesOf(ingredients), codes(), usage);
  const shared = around.classes().filter((one) => own.includes(one));
  const same = shared.find(({ kind }) => kind === 'class') ?? shared[0];
  if (same !== undefined) return { relation: `same ${same.kind}`, class: same.name };
  const isBefore = around.classes().some(({ comesFirst }) => comesFirst(ingredients));
  return isBefore ? { relation: 'usually tried first' } : undefined;
}

function fitting(rows: readonly DrugClass[], codes: readonly string[], usage?: Usage): DrugClass[] {
  const use = useIn(usage?.dosages);
  const words = usage && wordsIn(usage);
  const possible = rows
    .filter(({ diagnoses }) => codes.length === 0 || isOfOne(codes, diagnoses))
    // A name without a product, such as an allergy, fits rows of every form.
    .filter(({ says }) => says === undefined || (words?.some((text) => says.test(text)) ?? true));
  const uses = new Set(possible.flatMap((row) => row.use ?? []));
  // When the rows are for different uses, a row with a use is kept only if the directions state that use.
  return possible.filter((row) => row.use === undefined || uses.size < 2 || row.use === use);
}

function wordsIn({ drugs, dosages }: Usage): string[] {
  const names = drugs.flatMap(({ product, coded }) => [product, ...coded].map(({ value }) => value));
  return [...names, ...dosages.flatMap(({ text, route }) => [text ?? '', labelOf(route) ?? ''])];
}

function useIn(dosages: readonly Dosage[] = []): DrugUse | undefined {
  if (dosages.some(isAsNeeded)) return 'as needed';
  const isRegular = ({ timing, text }: Dosage) =>
    timing?.repeat !== undefined || readSig(text ?? '')?.rate !== undefined;
  return dosages.some(isRegular) ? 'regular' : undefined;
}

function isAsNeeded({ asNeededBoolean, asNeededCodeableConcept, text = '' }: Dosage): boolean {
  return asNeededBoolean === true || asNeededCodeableConcept !== undefined || forAttack.test(text);
}

const forAttack =
  /\b(?:as needed|when needed|if needed|prn|at (?:the )?(?:onset|first sign)|for (?:an )?(?:acute )?attacks?)\b/i;

/** An indication of the order, with the Condition that has the same concept. */
export interface Indication {
  readonly concept: CodeableConcept;
  readonly node: Node;
  readonly condition: Located<Condition> | undefined;
}

/** An unconfirmed proposal does not count as an indication. */
export function indicationsOf({ chart }: Pick<Around, 'chart'>, facts: Facts): Indication[] {
  const { nodes, kind, uncoded = [] } = facts.root('diagnosis');
  if (kind === 'proposed') return [];
  const conditions = chart.mine('Condition');
  const found = (node: Node): Indication => {
    const concept = node.value as CodeableConcept;
    const own = conditions.find(({ reference }) => reference === node.source?.resource);
    const condition =
      own ?? conditions.find(({ resource }) => isNotRefuted(resource) && isSame(concept, resource.code));
    return { concept, node, condition };
  };
  const known = nodes.filter((node) => !isLaterProblem(node, chart));
  return [...known.map(found), ...uncoded.map(found).filter(isWorded)];
}

// A problem recorded after the day of the request is ignored, unless the order names it as its reason.
function isLaterProblem({ source }: Node, { mine, order, resolve }: EvidenceChart): boolean {
  if (source?.resource.startsWith('Condition/') !== true) return false;
  const { reasonReference = [] } = order.resource;
  const named = reasonReference.map((reference) => resolve(reference, order, 'Condition'));
  return ![...mine('Condition'), ...named].some((one) => one?.reference === source.resource);
}

// An uncoded indication counts only if it has text: a reader cannot interpret a bare code of another system.
function isWorded({ concept }: Indication): boolean {
  const words = concept.text ?? concept.coding?.find(({ display }) => display !== undefined)?.display;
  return meaningful(words) !== undefined;
}

/** The ICD-10-CM codes of an indication, and of the Condition that has the same concept. */
export function codesOfIndication({ concept, condition }: Indication): string[] {
  return [...icd10Of(concept), ...icd10Of(condition?.resource.code)];
}

function isNotRefuted({ verificationStatus }: Condition): boolean {
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
