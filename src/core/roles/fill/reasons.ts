import type { CodeableConcept, Coding, Condition, Encounter, Reference, Resource } from 'fhir/r4.js';
import { icd10OfCoding } from '../../fhir/codes/icd10.ts';
import { canonicalSystem, systems } from '../../fhir/codes/systems.ts';
import { once } from '../../fhir/once.ts';
import type { Located } from '../../fhir/references/graph.ts';
import { compilePath } from '../../fhirpath/compile.ts';
import { type Item, itemPlace } from '../../fhirpath/item.ts';
import type { Node, Question, Root, Unread } from '../../mapping/input.ts';
import { unreadWords } from '../../mapping/refused.ts';
import type { Look, Option, RefusedValue } from '../../mapping/result.ts';
import type { Candidate, Choice } from '../chart.ts';
import { type CodedReason, codedReason } from '../coded-reason.ts';
import { elementsOfClauses } from '../compile-clauses.ts';
import { compileUnless, type Unless } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot } from '../filled.ts';
import type { Reasons } from '../reasons.ts';
import { holderOf, itemsAt, partOf } from '../subject.ts';
import { candidateSubject } from './choose.ts';
import type { Filler } from './filler.ts';
import { chainsOf, unreadLooks, unreadOf, unreadRefusal } from './unread.ts';

interface Problem extends CodedReason {
  readonly reference: string;
  readonly refusal: string | undefined;
  readonly ofEncounter: boolean;
  /** Called only if the site's policy would accept the proposal. */
  readonly mayStand: () => boolean;
}

/** The patient's problems, computed on first use, because they are seldom needed when the order states a reason. */
type Problems = () => readonly Problem[];

interface Compiled {
  readonly rule: Reasons;
  readonly unless: Unless;
  readonly unlessConcept: Unless;
  readonly ofEncounter: Unless;
  readonly elsewhere: Unless;
  readonly accept: Unless;
  /** The elements of a Condition that can rule it out. */
  readonly looksAt: readonly string[];
}

/**
 * Fills the role with the diagnoses of a request: a person's answers, or else the stated reasons, or else proposals.
 */
export function compileReasons(rule: Reasons): Filler {
  const { always, ofEncounter, elsewhere } = rule.proposeUnless;
  const compiled: Compiled = {
    rule,
    unless: compileUnless(rule.unless),
    unlessConcept: compileUnless(rule.unlessConcept),
    ofEncounter: compileUnless([...always, ...ofEncounter]),
    elsewhere: compileUnless([...always, ...elsewhere]),
    accept: compileUnless(rule.acceptUnless),
    looksAt: elementsOfClauses([...always, ...ofEncounter, ...elsewhere]),
  };
  const ways = chainsOf([rule.stated.concepts, rule.stated.references]);
  const concepts = compilePath(rule.stated.concepts);
  const references = compilePath(rule.stated.references);
  return (facts, role) => {
    const stated = [
      ...itemsAt(concepts, [], facts).map((item) => named(item, compiled, facts)),
      ...itemsAt(references, [], facts).map((item) => referred(item, compiled, facts)),
    ];
    const problems = once(() => problemsOf(compiled, facts));
    const answers = facts.request.answers.diagnoses ?? [];
    if (answers.length > 0) return answered(role, answers, { stated, problems: problems() }, facts);
    const unread = facts.graph.isMisshapen ? unreadOf(ways, facts) : [];
    if (stated.length === 0 && unread.length > 0) return fromUnread(role, unread);
    if (stated.length === 0) return fromProblems(role, problems(), facts);
    const filled = fromStated(role, stated, problems);
    return unread.length === 0
      ? filled
      : { ...filled, questions: [...(filled.questions ?? []), ofUnread(role, unread)] };
  };
}

interface Stated extends CodedReason {
  /** Why the referenced Condition cannot be a reason. */
  readonly refusal?: string;
  /** The reference has only a display: its target was not read, belongs to another patient, or is not a Condition. */
  readonly isNameOnly?: boolean;
}

function named(item: Item, { unlessConcept }: Compiled, facts: Facts): Stated {
  const coded = statedAt(facts, { value: item.value, source: itemPlace(item) });
  return unlessRefused(coded, unlessConcept(partOf(item), facts));
}

// The codes of a reason that is ruled out are neither sent nor offered.
function unlessRefused(coded: CodedReason, refusal: string | undefined): Stated {
  return refusal === undefined ? coded : { ...coded, codes: [], suggested: [], refusal };
}

function statedAt(facts: Facts, { value, source }: { value: unknown; source: ReturnType<typeof itemPlace> }): Stated {
  const concept = value as CodeableConcept; // the path finds MedicationRequest.reasonCode (R4), whose shape was checked
  return codedReason(facts.request.site, source === undefined ? { value } : { value, source }, concept);
}

function referred(item: Item, { unless }: Compiled, facts: Facts): Stated {
  const holder = holderOf(item, facts);
  const reference = item.value as Reference; // the path finds MedicationRequest.reasonReference (R4)
  const condition = holder === undefined ? undefined : facts.resolve(reference, holder, 'Condition');
  if (condition === undefined) {
    const { display } = reference;
    const value = display === undefined ? undefined : { text: display };
    return { ...statedAt(facts, { value, source: itemPlace(item) }), isNameOnly: true };
  }
  return unlessRefused(ofCondition(condition, facts), unless(candidateSubject(condition), facts));
}

function ofCondition(condition: Located<Condition>, facts: Facts): CodedReason {
  const { resource, reference } = condition;
  const version = resource.meta?.versionId;
  const place = { resource: reference, path: 'Condition.code' };
  const node = { value: resource.code, source: version === undefined ? place : { ...place, version } };
  return codedReason(facts.request.site, node, resource.code);
}

function fromStated(role: string, stated: readonly Stated[], problems: Problems): Filled {
  const nodes = distinctCodes(stated.filter(({ codes }) => codes.length === 1)).map(({ node }) => node);
  const reason =
    nodes.length > 0
      ? 'stated as the reason of the order'
      : 'the order’s stated reason must be coded by a person; other problems do not replace it';
  const candidates = () => {
    const cited = new Set(stated.map(({ node }) => node.source?.resource));
    const others = problems().filter(({ reference }) => !cited.has(reference));
    return [...stated.map(statedCandidate), ...others.map(candidateOf)];
  };
  const uncoded = stated.filter(isUncoded).map(({ node }) => node);
  const root =
    nodes.length > 0
      ? { nodes, note: reason, uncoded }
      : new FilledRoot(nodes, { looks: () => looksAt(stated) }, undefined, uncoded);
  return {
    root,
    choice: () => choiceOf(role, nodes, reason, candidates()),
    questions: statedQuestions(role, stated, problems, nodes.length > 0),
  };
}

// Reasons with several codes are left out, because a person chooses one of the codes.
function isUncoded({ codes, refusal, isNameOnly, node }: Stated): boolean {
  return codes.length === 0 && refusal === undefined && isNameOnly !== true && node.value !== undefined;
}

function statedQuestions(role: string, stated: readonly Stated[], problems: Problems, isSent: boolean): Question[] {
  const several = stated.filter(({ codes }) => codes.length > 1);
  const refused = stated.filter(({ refusal }) => refusal !== undefined);
  const uncoded = stated.filter(({ codes, refusal }) => codes.length === 0 && refusal === undefined);
  const left = [...uncoded, ...several, ...refused];
  if (left.length === 0) return [];
  const options = optionsOf([...several, ...uncoded, ...sameWords(uncoded, problems())]);
  if (isSent) {
    const reasons = left.map(quoted).join(', ');
    const message = `Another stated reason has no single ICD-10-CM code and is not sent: ${reasons}.`;
    return [{ ...codeQuestion(role, message, options), severity: 'warns', reason: 'uncertain' }];
  }
  const looks = looksAt(stated);
  if (several.length > 0)
    return [
      codeQuestion(role, 'The order’s reason has several ICD-10-CM codes. Choose those that apply.', options, looks),
    ];
  const what =
    uncoded.length > 0
      ? `The order says ${[...uncoded, ...refused].map(quoted).join(', ')}. Find its ICD-10-CM code.`
      : `The order’s stated reason cannot be used: ${refused.map(quoted).join(', ')}. Enter the code for it.`;
  return [codeQuestion(role, what, options, looks)];
}

// Problems with one code and the label of an uncoded reason. They are offered, but a person has to choose.
function sameWords(uncoded: readonly Stated[], problems: readonly Problem[]): Problem[] {
  const words = new Set(uncoded.map(({ label }) => label.toLowerCase()));
  return problems.filter(
    ({ label, codes, refusal }) => refusal === undefined && codes.length === 1 && words.has(label.toLowerCase()),
  );
}

// A reason that could not be read is still a reason, so it is not replaced by another problem of the patient.
function fromUnread(role: string, unread: readonly Unread[]): Filled {
  const looks = unreadLooks(role, unread);
  const reason = 'the order’s stated reason could not be read; other problems do not replace it';
  return {
    root: { nodes: [], unread, looks },
    choice: () => choiceOf(role, [], reason, []),
    questions: [ofUnread(role, unread)],
  };
}

/** The question offers the codes that are inside the unread element, for a person to confirm. */
function ofUnread(role: string, unread: readonly Unread[]): Question {
  // R5’s `reason` replaces both `reasonCode` and `reasonReference`, so both paths find it, and the Set removes the
  // duplicate.
  const quotes = [...new Set(unread.flatMap((one) => unreadWords(one.value) ?? []))].map((words) => `“${words}”`);
  const said = quotes.length === 0 ? '' : ` (${quotes.join(', ')})`;
  const message =
    `The order’s reason could not be read: it is not in the form of FHIR R4${said}. ` + 'Enter its ICD-10-CM code.';
  const codes = unread
    .flatMap(({ value }) => codingsIn(value))
    .flatMap((coding) => {
      const code = icd10OfCoding(coding);
      return code === undefined
        ? []
        : [{ value: code, label: `${code} ${coding.display ?? ''}`.trim(), reason: notCertain }];
    });
  const options = [...new Map(codes.map((one) => [one.value, one])).values()];
  return codeQuestion(role, message, options, unreadLooks(role, unread));
}

const notCertain = 'stands in what could not be read';

function codingsIn(value: unknown, depth = 0): Coding[] {
  if (typeof value !== 'object' || value === null || depth > 6) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => codingsIn(item, depth + 1));
  const { system, code, display } = value as Readonly<Record<string, unknown>>;
  const words = typeof display === 'string' ? { display } : {};
  if (typeof system === 'string' && typeof code === 'string')
    return [{ system: canonicalSystem(system), code, ...words }];
  return Object.values(value).flatMap((inner: unknown) => codingsIn(inner, depth + 1));
}

function problemsOf(compiled: Compiled, facts: Facts): Problem[] {
  const encounter = facts.resource<Encounter>(compiled.rule.encounter);
  const ranks = new Map(
    (encounter?.resource.diagnosis ?? []).map((diagnosis, index) => [
      encounter === undefined ? undefined : facts.resolve(diagnosis.condition, encounter, 'Condition')?.reference,
      diagnosis.rank ?? index + 1,
    ]),
  );
  const problems = facts.mine('Condition').map((condition): Problem => {
    const ofEncounter = ranks.has(condition.reference) || isOfVisit(condition, facts);
    const unless = ofEncounter ? compiled.ofEncounter : compiled.elsewhere;
    const refusal =
      unless(candidateSubject(condition), facts) ??
      unreadRefusal(condition.reference, condition.resource, compiled.looksAt, facts);
    const mayStand = () => compiled.accept(candidateSubject(condition), facts) === undefined;
    return { ...ofCondition(condition, facts), reference: condition.reference, refusal, ofEncounter, mayStand };
  });
  const rank = ({ ofEncounter, reference }: Problem) => (ofEncounter ? (ranks.get(reference) ?? 99) : 1000);
  return problems.toSorted((left, right) => rank(left) - rank(right));
}

// The references are compared, because the Encounter itself may be missing from the export.
function isOfVisit(condition: Located<Condition>, facts: Facts): boolean {
  const order = facts.resource<Resource & { encounter?: Reference }>('order');
  const [visit, stated] = [order?.resource.encounter, condition.resource.encounter];
  if (order === undefined || visit === undefined || stated === undefined) return false;
  return facts.graph.sameTarget(visit, order, stated, condition);
}

function fromProblems(role: string, problems: readonly Problem[], facts: Facts): Filled {
  const usable = problems.filter(({ refusal }) => refusal === undefined);
  const ofEncounter = usable.filter((problem) => problem.ofEncounter);
  const isVisit = ofEncounter.some(({ codes }) => codes.length > 0);
  const considered = isVisit ? ofEncounter : usable;
  const coded = distinctCodes(considered.filter(({ codes }) => codes.length === 1));
  const several = considered.filter(({ codes }) => codes.length > 1);
  const options = optionsOf([...coded, ...several, ...considered.filter(({ suggested }) => suggested.length > 0)]);
  const candidates = () => problems.map(candidateOf);
  const isUnread = facts.request.unread?.includes('Condition') === true;
  if (coded.length === 0) return noProposal(role, { problems, usable, options, candidates, isUnread });
  const where = isVisit ? 'a diagnosis of the order’s encounter' : 'an active problem of the patient';
  const nodes = coded.map(({ node }) => node);
  const isOnly =
    facts.request.site.diagnoses === 'accept-single' && coded.length === 1 && several.length === 0 && !isUnread;
  const isAccepted = isOnly && considered.every((problem) => problem.codes.length === 0 || problem.mayStand());
  const note = isAccepted
    ? `the order states no reason; ${where}, the only one, accepted by the site’s policy`
    : `the order states no reason; proposed because it is ${where}`;
  const message = 'The order states no reason. Choose the diagnoses that this drug is for.';
  const confirm: Question = { ...codeQuestion(role, message, options), reason: 'unconfirmed' };
  return {
    root: isAccepted ? { nodes, note } : { nodes, note, kind: 'proposed' },
    choice: () => choiceOf(role, nodes, note, candidates()),
    questions: isAccepted ? [] : [confirm],
  };
}

function noProposal(
  role: string,
  {
    problems,
    usable,
    options,
    candidates,
    isUnread,
  }: {
    readonly problems: readonly Problem[];
    readonly usable: readonly Problem[];
    readonly options: readonly Option[];
    readonly candidates: () => readonly Candidate[];
    /** The patient's problems were not fully read from the EHR. */
    readonly isUnread: boolean;
  },
): Filled {
  const none =
    usable.length === 0
      ? 'The order states no reason and the chart has no active problem. Enter the ICD-10-CM code.'
      : 'The order states no reason and no active problem has one ICD-10-CM code. Enter the code.';
  const message = isUnread
    ? 'The order states no reason, and the patient’s problems could not be read. Refresh from the chart, or enter ' +
      'the ICD-10-CM code.'
    : none;
  const steps = [
    { step: 'Condition', items: problems.length },
    { step: 'active', items: usable.length },
    { step: 'where(code.coding.system = %icd10)', items: 0 },
  ];
  const looks = [{ expression: 'active problems', steps }];
  const reason = 'the order states no reason, and no problem can be proposed';
  return {
    root: { nodes: [], looks },
    choice: () => choiceOf(role, [], reason, candidates()),
    questions: [codeQuestion(role, message, options)],
  };
}

function answered(
  role: string,
  answers: readonly string[],
  { stated, problems }: { readonly stated: readonly Stated[]; readonly problems: readonly Problem[] },
  facts: Facts,
): Filled {
  const conditions = new Map(facts.mine('Condition').map((condition) => [condition.reference, condition]));
  const known = [...stated, ...problems];
  const nodes: Node[] = [];
  const uncoded: string[] = [];
  let isTyped = false;
  for (const answer of answers) {
    const condition = conditions.get(answer);
    const coded = condition === undefined ? undefined : ofCondition(condition, facts);
    const code = condition === undefined ? icd10OfCoding({ system: systems.icd10, code: answer }) : undefined;
    // The source of a code is the reason or problem that has it. Any other code was typed by a person.
    const cited = code === undefined ? undefined : known.find(({ codes }) => codes.includes(code));
    if (coded?.codes.length === 1) nodes.push(coded.node);
    else if (cited !== undefined && code !== undefined) nodes.push(narrowed(cited.node, code));
    else if (code !== undefined) {
      nodes.push({ value: { coding: [{ system: systems.icd10, code }] } });
      isTyped = true;
    } else uncoded.push(answer);
  }
  const reason = isTyped ? 'entered by a person' : 'chosen by a person';
  const root: Root = isTyped ? { nodes, note: reason, kind: 'entered' } : { nodes, note: reason };
  const choice = () => choiceOf(role, nodes, reason, problems.map(candidateOf));
  return { root, choice, questions: answerQuestions(role, uncoded) };
}

// Typed entries that are not codes and chosen problems without a code get separate questions.
function answerQuestions(role: string, uncoded: readonly string[]): Question[] {
  const typed = uncoded.filter((answer) => !answer.includes('/'));
  const kind = typed.length === 1 ? 'an ICD-10-CM code' : 'ICD-10-CM codes';
  const wrong = `Not ${kind}: ${typed.join(', ')}. Correct the entry, or clear the field.`;
  const questions = typed.length === 0 ? [] : [codeQuestion(role, wrong, [])];
  if (typed.length === uncoded.length) return questions;
  return [...questions, codeQuestion(role, 'A chosen diagnosis has no ICD-10-CM code. Enter the code.', [])];
}

// Only the chosen code is kept, at its own index, so that the source refers to the right coding.
function narrowed(node: Node, code: string): Node {
  const concept = node.value as CodeableConcept; // the node of a reason has its concept
  const coding = concept.coding?.map((one) => (icd10OfCoding(one) === code ? one : {}));
  return { ...node, value: { ...concept, coding } };
}

function candidateOf({ reference, refusal, codes, otherwise, node, ...named }: Problem): Candidate {
  const coded = codes.length === 0 ? `${otherwise}, no ICD-10-CM code` : codes.join(', ');
  const why = codes.length === 1 ? `active, ${node.told?.note ?? 'with one ICD-10-CM code'}` : coded;
  const fits = refusal === undefined && codes.length === 1;
  return { reference, label: `${shownName(codes, named)} (${coded})`, fits, reason: refusal ?? why };
}

function statedCandidate({ node, codes, otherwise, refusal, ...named }: Stated): Candidate {
  const coded = codes.length === 0 ? `${otherwise}, no ICD-10-CM code` : codes.join(', ');
  const reason = refusal ?? `stated as the reason of the order; ${node.told?.note ?? coded}`;
  const shown = refusal === undefined ? `${shownName(codes, named)} (${coded})` : named.label;
  return { reference: node.source?.resource ?? '', label: shown, fits: codes.length === 1, reason };
}

function shownName(codes: readonly string[], { label, nameOf }: Pick<CodedReason, 'label' | 'nameOf'>): string {
  const [code, ...others] = codes;
  return code === undefined || others.length > 0 ? label : nameOf(code);
}

function choiceOf(role: string, nodes: readonly Node[], reason: string, candidates: readonly Candidate[]): Choice {
  const chosen = new Set(nodes.flatMap(({ source }) => source?.resource ?? []));
  return chosen.size === 0
    ? { role, reason, candidates }
    : { role, chosen: [...chosen].join(', '), reason, candidates };
}

function codeQuestion(
  role: string,
  message: string,
  options: readonly Option[],
  looks: readonly Look[] = [],
): Question {
  const question: Question = { role, severity: 'blocks', reason: 'choice', message, looks };
  return options.length === 0 ? question : { ...question, options };
}

function looksAt(stated: readonly Stated[]): Look[] {
  return stated.map((one) => ({
    expression: `${one.node.source?.resource ?? ''} ${one.node.source?.path ?? ''}`,
    steps: [
      { step: 'reason', items: 1 },
      { step: 'coding.where(system = %icd10)', items: one.codes.length },
    ],
    refused: [refusedReason(one)],
  }));
}

function refusedReason({ node: { source }, codes, otherwise, refusal, label }: Stated): RefusedValue {
  const place = source === undefined ? {} : { source };
  if (refusal !== undefined) return { why: 'ruled_out', value: label, ...place, words: refusal };
  if (codes.length > 0) return { why: 'several_codes', value: label, ...place };
  return { why: 'no_code', value: label, ...place, words: otherwise };
}

function optionsOf(reasons: readonly CodedReason[]): Option[] {
  const stated = reasons.flatMap(({ codes, nameOf, node }) =>
    codes.map((code) => ({ value: code, label: `${code} ${nameOf(code)}`, reason: node.source?.resource ?? '' })),
  );
  const offered = reasons.flatMap(({ suggested, label }) =>
    suggested.map(({ code, display, equivalence, map }) => ({
      value: code,
      label: display === undefined ? `${code} for ${label}` : `${code} ${display}`,
      reason: `${equivalence} in the site’s ${map}`,
    })),
  );
  return [...stated, ...offered.filter(({ value }) => !stated.some((one) => one.value === value))];
}

function distinctCodes<Item extends CodedReason>(list: readonly Item[]): Item[] {
  return list.filter(({ codes }, index) => list.findIndex((other) => other.codes[0] === codes[0]) === index);
}

function quoted({ label, otherwise, refusal }: Stated): string {
  return `“${label}” (${refusal ?? otherwise})`;
}
