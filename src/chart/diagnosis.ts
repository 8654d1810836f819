import type { CodeableConcept, Condition } from 'fhir/r4.js';
import { hasCode } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { icd10OfCoding } from '../fhir/icd10.ts';
import { systems } from '../fhir/systems.ts';
import type { Node } from '../mapping/input.ts';
import type { Gap, Option } from '../mapping/result.ts';
import type { Candidate, Choice } from '../roles/chart.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';
import { type Reason, reasonAt } from './reason.ts';

/**
 * The diagnoses of the request: what a person answered; else the order's stated reasons; else, only where the order states none,
 * the encounter's diagnoses and then the active problem list as proposals. A stated reason without an ICD-10-CM code is asked,
 * never replaced by another problem of the patient.
 */
export function chooseDiagnoses(scene: Scene): Decision {
  const problems = problemsOf(scene);
  const candidates = problems.map(candidateOf);
  if (scene.answers.diagnoses !== undefined && scene.answers.diagnoses.length > 0)
    return answered(scene, scene.answers.diagnoses, candidates);
  const stated = statedReasons(scene);
  if (stated.length > 0)
    return fromReasons(stated, [
      ...stated.map(asCandidate),
      ...candidates.filter(({ reference }) => !stated.some(({ node }) => node.source?.resource === reference)),
    ]);
  return fromProblems(scene, problems, candidates);
}

interface Problem extends Reason {
  readonly condition: Located<Condition>;
  readonly refusal: string | undefined;
  /** 0: of the order's encounter; 1: another problem. */
  readonly rank: number;
}

function statedReasons(scene: Scene): Reason[] {
  const { order } = scene;
  const coded = (order.resource.reasonCode ?? []).map((concept, index) =>
    reasonAt(scene, nodeAt(order, concept, `reasonCode[${index}]`), concept),
  );
  const referenced = (order.resource.reasonReference ?? []).map((reference, index) => {
    const condition = scene.resolve(reference, order, 'Condition');
    if (condition === undefined)
      return reasonAt(
        scene,
        nodeAt(order, { text: reference.display }, `reasonReference[${index}]`),
        reference.display === undefined ? undefined : { text: reference.display },
      );
    return reasonAt(scene, nodeAt(condition, condition.resource.code, 'code'), condition.resource.code);
  });
  return [...coded, ...referenced];
}

function fromReasons(stated: readonly Reason[], candidates: readonly Candidate[]): Decision {
  const several = stated.filter(({ codes }) => codes.length > 1);
  const uncoded = stated.filter(({ codes }) => codes.length === 0);
  const single = stated.filter(({ codes }) => codes.length === 1);
  const nodes = distinct(single).map(({ node }) => node);
  const questions: Gap[] = [];
  if (several.length > 0 && nodes.length === 0)
    questions.push(
      askCode('The order’s reason has several ICD-10-CM codes. Choose those that apply.', optionsOf(several), stated),
    );
  else if (nodes.length === 0)
    questions.push(
      askCode(
        `The order states its reason without an ICD-10-CM code (${uncoded.map(quoted).join(', ')}). Enter the code for it.`,
        optionsOf(uncoded),
        stated,
      ),
    );
  else if (uncoded.length + several.length > 0)
    questions.push({
      ...askCode(
        `Another stated reason has no single ICD-10-CM code (${[...uncoded, ...several].map(quoted).join(', ')}); it is not sent.`,
        optionsOf([...several, ...uncoded]),
        [],
      ),
      severity: 'warns',
      reason: 'uncertain',
    });
  const reason =
    nodes.length > 0
      ? 'stated as the reason of the order'
      : 'the order’s stated reason must be coded by a person; other problems do not replace it';
  return {
    roots: { diagnosis: nodes.length > 0 ? rootOf(nodes, { note: reason }) : emptyRoot(...looksAt(stated)) },
    choices: [choice(nodes, reason, candidates)],
    questions,
  };
}

function fromProblems(scene: Scene, problems: readonly Problem[], candidates: readonly Candidate[]): Decision {
  const usable = problems.filter(({ refusal }) => refusal === undefined);
  const ofEncounter = usable.filter(({ rank }) => rank === 0);
  const considered = ofEncounter.some(({ codes }) => codes.length > 0) ? ofEncounter : usable;
  const coded = distinct(considered.filter(({ codes }) => codes.length === 1));
  const several = considered.filter(({ codes }) => codes.length > 1);
  const options = optionsOf([...coded, ...several, ...considered.filter(({ suggested }) => suggested.length > 0)]);
  if (coded.length === 0) {
    const question = askCode(
      usable.length === 0
        ? 'The order states no reason and the chart has no active problem. Enter the ICD-10-CM code.'
        : 'The order states no reason and no active problem has one ICD-10-CM code. Enter the code.',
      options,
      [],
    );
    const none = emptyRoot(
      look('%order.reasonCode', [
        ['MedicationRequest', 1],
        ['reasonCode', 0],
      ]),
      look('active problems', [
        ['Condition', problems.length],
        ['active', usable.length],
        ['where(code.coding.system = %icd10)', 0],
      ]),
    );
    return {
      roots: { diagnosis: none },
      choices: [choice([], 'the order states no reason, and no problem can be proposed', candidates)],
      questions: [question],
    };
  }
  const where =
    ofEncounter.length > 0 && considered === ofEncounter
      ? 'a diagnosis of the order’s encounter'
      : 'an active problem of the patient';
  const nodes = coded.map(({ node }) => node);
  const accepted = scene.site.diagnoses === 'accept-single' && coded.length === 1 && several.length === 0;
  const note = accepted
    ? `the order states no reason; ${where}, the only one, accepted by the site’s policy`
    : `the order states no reason; proposed because it is ${where}`;
  const confirm: Gap = {
    target: 'diagnoses',
    severity: 'blocks',
    reason: 'unconfirmed',
    message: 'The order states no reason. Choose the diagnoses that this drug is for.',
    looks: [],
    options,
  };
  return {
    roots: { diagnosis: rootOf(nodes, { note, ...(accepted ? {} : { kind: 'proposed' as const }) }) },
    choices: [choice(nodes, note, candidates)],
    questions: accepted ? [] : [confirm],
  };
}

// A code that a problem of the chart holds is cited from there; any other code was typed.
function answered(scene: Scene, answers: readonly string[], candidates: readonly Candidate[]): Decision {
  const problems = [...statedReasons(scene), ...problemsOf(scene)];
  const conditions = new Map(scene.mine('Condition').map((condition) => [condition.reference, condition]));
  const nodes: Node[] = [];
  const uncoded: string[] = [];
  let typed = false;
  for (const answer of answers) {
    const condition = conditions.get(answer);
    const code = condition === undefined ? icd10OfCoding({ system: systems.icd10, code: answer }) : undefined;
    const known = code === undefined ? undefined : problems.find(({ codes }) => codes.includes(code));
    const reason =
      condition === undefined
        ? undefined
        : reasonAt(scene, nodeAt(condition, condition.resource.code, 'code'), condition.resource.code);
    if (reason?.codes.length === 1) nodes.push(reason.node);
    else if (known !== undefined && code !== undefined) nodes.push(narrowed(known.node, code));
    else if (code !== undefined) {
      nodes.push({ value: { coding: [{ system: systems.icd10, code }] } });
      typed = true;
    } else uncoded.push(answer);
  }
  const reason = typed ? 'entered by a person' : 'chosen by a person';
  return {
    roots: {
      diagnosis:
        nodes.length === 0
          ? emptyRoot()
          : rootOf(nodes, { note: reason, ...(typed ? { kind: 'entered' as const } : {}) }),
    },
    choices: [choice(nodes, reason, candidates)],
    questions: questionsOn(uncoded),
  };
}

// What was typed and is no code, and a problem that was chosen and has none, are asked in their own words.
function questionsOn(uncoded: readonly string[]): Gap[] {
  const typed = uncoded.filter((answer) => !answer.includes('/'));
  const kind = typed.length === 1 ? 'an ICD-10-CM code' : 'ICD-10-CM codes';
  return [
    ...(typed.length === 0
      ? []
      : [askCode(`Not ${kind}: ${typed.join(', ')}. Correct the entry, or clear the field.`, [], [])]),
    ...(typed.length === uncoded.length
      ? []
      : [askCode('A chosen diagnosis has no ICD-10-CM code. Enter the code.', [], [])]),
  ];
}

// Of several codes only the chosen one stays, each at its own index, so that the source names the right coding.
function narrowed(node: Node, code: string): Node {
  const concept = node.value as CodeableConcept;
  return {
    ...node,
    value: { ...concept, coding: concept.coding?.map((coding) => (icd10OfCoding(coding) === code ? coding : {})) },
  };
}

function problemsOf(scene: Scene): Problem[] {
  const encounter = scene.resolve(scene.order.resource.encounter, scene.order, 'Encounter');
  const named = new Map(
    (encounter?.resource.diagnosis ?? []).map((diagnosis, index) => [
      scene.resolve(diagnosis.condition, encounter ?? scene.order, 'Condition')?.reference,
      diagnosis.rank ?? index + 1,
    ]),
  );
  const problems = scene.mine('Condition').map((condition): Problem => {
    const ofEncounter =
      encounter !== undefined &&
      (named.has(condition.reference) ||
        scene.resolve(condition.resource.encounter, condition, 'Encounter')?.reference === encounter.reference);
    return {
      ...reasonAt(scene, nodeAt(condition, condition.resource.code, 'code'), condition.resource.code),
      condition,
      refusal: refusalOf(scene, condition.resource, ofEncounter),
      rank: ofEncounter ? 0 : 1,
    };
  });
  return problems.sort(
    (left, right) =>
      left.rank - right.rank ||
      (named.get(left.condition.reference) ?? 99) - (named.get(right.condition.reference) ?? 99),
  );
}

function refusalOf(scene: Scene, condition: Condition, ofEncounter: boolean): string | undefined {
  if (scene.sensitivity.ofLabels(condition) !== undefined)
    return 'it carries a security label; only a person may choose it';
  if (hasCode(condition.verificationStatus, 'refuted', 'entered-in-error')) return 'it is refuted or entered in error';
  if (hasCode(condition.verificationStatus, 'differential', 'unconfirmed', 'provisional')) return 'it is not confirmed';
  if (
    hasCode(condition.clinicalStatus, 'inactive', 'resolved', 'remission') ||
    condition.abatementDateTime !== undefined
  )
    return 'it is not active';
  if (condition.clinicalStatus === undefined && !ofEncounter) return 'its clinical status is not known';
  const category = condition.category ?? [];
  if (!ofEncounter && category.length > 0 && category.every((entry) => hasCode(entry, 'encounter-diagnosis')))
    return 'it is a diagnosis of another encounter';
  if (category.length > 0 && category.every((entry) => hasCode(entry, 'sdoh')))
    return 'it is a social need, not a diagnosis';
  return undefined;
}

function candidateOf({ condition, label, refusal, codes, otherwise, node }: Problem): Candidate {
  const coded = codes.length === 0 ? `${otherwise}, no ICD-10-CM code` : codes.join(', ');
  return {
    reference: condition.reference,
    label: `${label} (${coded})`,
    fits: refusal === undefined && codes.length === 1,
    reason: refusal ?? (codes.length === 1 ? `active, ${node.told?.note ?? 'with one ICD-10-CM code'}` : coded),
  };
}

function asCandidate({ node, label, codes, otherwise }: Reason): Candidate {
  const coded = codes.length === 0 ? `${otherwise}, no ICD-10-CM code` : codes.join(', ');
  return {
    reference: node.source?.resource ?? '',
    label: `${label} (${coded})`,
    fits: codes.length === 1,
    reason: `stated as the reason of the order; ${node.told?.note ?? coded}`,
  };
}

function choice(nodes: readonly Node[], reason: string, candidates: readonly Candidate[]): Choice {
  const chosen = nodes.map(({ source }) => source?.resource).filter((resource) => resource !== undefined);
  return {
    role: 'diagnosis',
    ...(chosen.length === 0 ? {} : { chosen: [...new Set(chosen)].join(', ') }),
    reason,
    candidates,
  };
}

function askCode(message: string, options: readonly Option[], stated: readonly Reason[]): Gap {
  return {
    target: 'diagnoses',
    severity: 'blocks',
    reason: 'choice',
    message,
    looks: looksAt(stated),
    ...(options.length === 0 ? {} : { options }),
  };
}

function looksAt(stated: readonly Reason[]): ReturnType<typeof look>[] {
  return stated.map(({ node, codes, otherwise }) =>
    look(
      `${node.source?.resource ?? ''} ${node.source?.path ?? ''}`.trim(),
      [
        ['reason', 1],
        ['coding.where(system = %icd10)', codes.length],
      ],
      codes.length === 0 ? otherwise : 'several codes',
    ),
  );
}

function optionsOf(reasons: readonly Reason[]): Option[] {
  const stated = reasons.flatMap(({ codes, label, node }) =>
    codes.map((code) => ({ value: code, label: `${code} ${label}`, reason: node.source?.resource ?? '' })),
  );
  const offered = reasons.flatMap(({ suggested, label }) =>
    suggested.map(({ code, equivalence, map }) => ({
      value: code,
      label: `${code} for ${label}`,
      reason: `${equivalence} in the site’s ${map}`,
    })),
  );
  return [...stated, ...offered.filter(({ value }) => !stated.some((one) => one.value === value))];
}

function distinct<Item extends Reason>(reasons: readonly Item[]): Item[] {
  return reasons.filter(({ codes }, index) => reasons.findIndex((other) => other.codes[0] === codes[0]) === index);
}

function quoted({ label, otherwise }: Reason): string {
  return `“${label}”, ${otherwise}`;
}
