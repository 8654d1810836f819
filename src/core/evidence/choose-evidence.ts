import { once } from '../fhir/once.ts';
import type { Located } from '../fhir/references/graph.ts';
import { dayText } from '../fhir/time/day-text.ts';
import type { Node, Root } from '../mapping/input.ts';
import type { Candidate, Choice } from '../roles/chart.ts';
import { allergies } from './allergies.ts';
import { codesOfOrder, testsAsked } from './asked-tests.ts';
import { nodeOf } from './cite.ts';
import { evidenceDay } from './dates.ts';
import { diagnosisFindings } from './diagnoses.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import type { Finding } from './finding.ts';
import type { Knowledge } from './knowledge.ts';
import { notes } from './notes.ts';
import { privacyOf } from './sensitive-reach.ts';
import { suggestionFor } from './suggest.ts';
import { results } from './test-results.ts';
import { orderedDrug, therapies } from './therapies.ts';

/** The findings that are sent, and the findings that could be sent. Both are computed on first access. */
export interface ChosenEvidence {
  /** The nodes of `%evidence`, one for each finding that is sent. `chooseEvidence` describes their shape. */
  readonly root: Root;
  /** Every finding with the reason why it is or is not sent. Undefined when the chart has no findings. */
  readonly choice: () => Choice | undefined;
}

/** The findings in the chart that could support the request, in display order. */
export function findingsOf(chart: EvidenceChart, knowledge: Knowledge): readonly Finding[] {
  const privacy = privacyOf(chart, knowledge.sensitivity);
  return [
    ...diagnosisFindings(chart, knowledge, privacy),
    ...therapies(chart, privacy),
    ...allergies(chart, privacy),
    ...results(chart, knowledge, privacy),
    ...notes(chart, privacy),
  ];
}

/**
 * Chooses the findings to send: those that a person ticked. Until a person has chosen, none are sent, or those
 * suggested for this drug if the site's policy allows it. Sensitive findings, and findings whose sensitivity is
 * unknown, are sent only when a person ticks them.
 *
 * A node of the root has one member, the finding's kind (`%evidence.test`), with `title`, `type`, `date`, `name` and
 * the members of the kind:
 * - `diagnosis`: `source`, `condition`
 * - `therapy`: `start`, `firstOrdered`, `stop`, `status`, `stopReasons`, `remark`, `daysWithoutSupply`, and `entries`
 *   with `source`, `kind`, `product` and the resource as `order`, `statement` or `dispense`
 * - `allergy`: `source`, `allergy`, `reactions`
 * - `test`: `results` with `source`, `observation` and the `components` that have a value
 * - `note`: `source`, the resource as `document` or `report`, `text`, `shortened`, `remark`, and `pdf` (base64) if
 *   the note is a single PDF
 */
export function chooseEvidence(chart: EvidenceChart, knowledge: Knowledge): ChosenEvidence {
  const offers = once(() => offersOf(chart, knowledge));
  const nodes = once(() => offers().flatMap((offer) => (offer.candidate.taken === true ? [sentNode(offer)] : [])));
  const canTake = chart.ticked === undefined ? chart.takesSuggested : chart.ticked.length > 0;
  return {
    root: new EvidenceRoot(canTake ? nodes : () => [], takenBy(chart)),
    choice: () => choiceOf(offers(), chart),
  };
}

// The getter of an object literal would keep the chart in memory, so this is a class.
class EvidenceRoot implements Root {
  readonly note: string;
  readonly #nodes: () => readonly Node[];

  constructor(nodes: () => readonly Node[], note: string) {
    this.#nodes = nodes;
    this.note = note;
  }

  get nodes(): readonly Node[] {
    return this.#nodes();
  }
}

function takenBy({ ticked, takesSuggested }: EvidenceChart): string {
  return ticked === undefined && takesSuggested ? 'suggested, and taken by the site’s policy' : 'ticked by a person';
}

function choiceOf(offers: readonly Offer[], chart: EvidenceChart): Choice | undefined {
  if (offers.length === 0) return undefined;
  const taken = offers.filter(({ candidate }) => candidate.taken === true).length;
  const reason = taken === 0 ? 'nothing is sent unless it is ticked' : `${taken} of ${offers.length} ${takenBy(chart)}`;
  return { role: 'evidence', reason, candidates: offers.map(({ candidate }) => candidate) };
}

interface Offer {
  readonly finding: Finding;
  /** The member whose reference stands for the whole finding when a person ticks it. */
  readonly located: Located;
  readonly candidate: Candidate;
}

function offersOf(chart: EvidenceChart, knowledge: Knowledge): readonly Offer[] {
  const findings = findingsOf(chart, knowledge);
  const { name } = orderedDrug(chart);
  const classes = findings.length === 0 ? [] : knowledge.classesOf(name);
  const tests = testsAsked(name, classes, codesOfOrder(chart));
  const ticks = new Set(chart.ticked);
  return findings.map((finding) => {
    // A finding that a person ticked stays ticked when newer members are added.
    const ticked = finding.members.find(({ reference }) => ticks.has(reference));
    const located = ticked ?? finding.members[0] ?? chart.order;
    const suggestion = suggestionFor({ classes, tests }, finding);
    const isWanted =
      chart.ticked === undefined ? chart.takesSuggested && suggestion !== undefined : ticked !== undefined;
    return { finding, located, candidate: candidateOf(finding, { located, suggestion, isWanted, ticked }) };
  });
}

function candidateOf(
  finding: Finding,
  {
    located,
    suggestion,
    isWanted,
    ticked,
  }: {
    readonly located: Located;
    readonly suggestion: string | undefined;
    readonly isWanted: boolean;
    readonly ticked: Located | undefined;
  },
): Candidate {
  const { title, date, detail, sensitive, unjudged, type } = finding;
  const refusal = undatedFor(date) ?? finding.unfit;
  const isTaken = refusal === undefined && isWanted;
  const takenReason = ticked === undefined ? 'taken by the site’s policy' : 'ticked by a person';
  return {
    reference: located.reference,
    label: date === undefined ? title : `${title}, ${dayText(date.value)}`,
    fits: refusal === undefined,
    reason: refusal ?? (isTaken ? takenReason : openReason(finding, suggestion)),
    group: type,
    suggested: suggestion !== undefined,
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(unjudged === undefined ? {} : { unjudged }),
    ...(detail === undefined ? {} : { detail }),
    ...(isTaken ? { taken: true } : {}),
  };
}

// An item is sent with its date, which must be a full date.
function undatedFor(date: Finding['date']): string | undefined {
  if (date === undefined) return 'it has no date';
  if (evidenceDay(date) !== undefined) return undefined;
  return `the chart says only ${dayText(date.value)}; to be sent it needs a full date`;
}

function openReason({ sensitive, unjudged }: Finding, suggestion: string | undefined): string {
  if (sensitive !== undefined) return `sensitive (${sensitive}): sent only when you tick it`;
  if (unjudged !== undefined) return `${unjudged}: sent only when you tick it`;
  return suggestion === undefined ? 'not ticked' : `suggested: ${suggestion}`;
}

function sentNode({ finding, located }: Offer): Node {
  const { kind, title, type, date, saying } = finding;
  const cited = saying === undefined || saying.includes(located) ? located : (saying[0] ?? located);
  return nodeOf({ [kind]: { title, type, date, ...finding.facts() } }, cited);
}
