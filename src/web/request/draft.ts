import type { z } from 'zod';
import type { CaseKind, Editable, MappedBy } from '../../cases/case.ts';
import { fingerprintOf } from '../../cases/signature.ts';
import { drugTargets } from '../../core/contract/groups.ts';
import { titleAmong } from '../../core/drug/display-name.ts';
import type { Edits, Gap, MappingResult, Provenance } from '../../core/mapping/result.ts';
import type { Answers, Chart } from '../../core/roles/chart.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pull } from '../http/chart-reading.ts';
import type { Deps } from '../http/deps.ts';
import type { KnownCodes } from '../pages/search/search-codes.ts';
import { type AttachedContent, attachedEdits, cardsFor } from './attached.ts';
import { changesSince, chosenChart, mapChosen, type RequestRules, rulesOf, withCoverage } from './chart-mapping.ts';
import { withChosenWords } from './chosen.ts';
import { type CoverageFacts, coverageFactsOf } from './coverages.ts';
import { drugNamesIn } from './drug-names.ts';
import { kindPages } from './kind-pages.ts';
import type { LeafChange, Leaves } from './leaves.ts';
import { entriesFor } from './other-plans.ts';
import { type RulesChange, rulesChangeOf } from './rules-change.ts';
import { entriesBeside, placedEntries, type UnshownEntry } from './typed/entries.ts';

/** The basis of the review page: one order's case, the chart with its choices, and the request made from it. */
export interface Draft {
  readonly kind: CaseKind;
  /** The contract of the request. */
  readonly schema: z.core.$ZodType;
  /** MedicationRequest id. */
  readonly order: string;
  readonly case: Editable;
  /** The drug in the order's own words, or as a person changed it; lists, the Task and letters use it after sending. */
  readonly title: string;
  /** The drug in the order's words. */
  readonly orderWords: string;
  /** All names of the drug in the order; none if a person changed the drug. */
  readonly drugNames: readonly string[];
  readonly chart: Chart;
  readonly result: MappingResult<unknown>;
  /** Leaves of `result`. */
  readonly values: Leaves;
  /** By target, in the order of the body; a reading that a person chose has its text. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** The same request without a person's entries. */
  readonly chartResult: MappingResult<unknown>;
  /** The leaves of `chartResult`. */
  readonly chartValues: Leaves;
  /** The choices that the chart leaves open, each with its options, answered or not. */
  readonly choices: readonly Gap[];
  /** The facts that distinguish the coverages, by reference; empty if there is only one. */
  readonly coverages: ReadonlyMap<string, CoverageFacts>;
  readonly pull: Pull;
  /** What the last refresh changed. */
  readonly changes: readonly LeafChange[];
  /** The rules that made it. */
  readonly mappedBy: MappedBy;
  /** Set until a person has reviewed the draft under these rules; until then it is not sent. */
  readonly rulesChange: RulesChange | undefined;
  /** The rows of the loaded code file for the codes of the request. */
  readonly codes: KnownCodes;
  /** Another prescriber with whom the practice has sent the entered NPI. */
  readonly npiSentFor?: string | undefined;
  /** Entries of a person that no field of the page shows. */
  readonly entriesBeside: readonly UnshownEntry[];
}

/** The digest of the content to send. A confirmation includes it, so that only the confirmed content is sent. */
export function digestOf(result: MappingResult<unknown>): string {
  return fingerprintOf(result.status === 'complete' ? result.body : result.draft);
}

/** The request to open a draft, independent of its entries. */
export interface DraftOpening {
  readonly launch: Launch;
  /** MedicationRequest id. */
  readonly order: string;
  readonly kind: CaseKind;
  /** The order's own words for the drug. */
  readonly label: string;
}

interface Material extends DraftOpening {
  readonly case: Editable;
  readonly pull: Pull;
  readonly content: AttachedContent;
}

/**
 * The draft from the case's edits and answers, without network access. The chart is selected once for the answers,
 * mapped once unchanged, and once more with the entries.
 */
export function makeDraft(deps: Deps, material: Material): Omit<Draft, 'codes'> {
  const { launch, order, kind, pull, label } = material;
  const rules = rulesOf(deps, launch, kind);
  const { one, entered, edits, chart } = enteredOver(deps, rules, material);
  const alone = mapChosen(deps, rules, chart, { name: 'alone', edits: {} });
  const by = JSON.stringify([entered, one.attached]);
  const full = Object.keys(edits).length === 0 ? alone : mapChosen(deps, rules, chart, { name: 'entered', by, edits });
  const choices = alone.result.gaps.filter(({ options = [] }) => options.length > 0);
  const provenance = withChosenWords(full.result.provenance, choices, full.values);
  const names = drugNamesIn(chart);
  return {
    kind,
    schema: rules.schema,
    order,
    case: one,
    title: isChanged(entered) ? sentName(full.values) : titleAmong(label, names),
    orderWords: label,
    drugNames: isChanged(entered) ? [] : [...new Set([...names, sentName(full.values)])],
    chart,
    result: full.result,
    values: full.values,
    provenance: new Map(provenance.map((entry) => [entry.target, entry])),
    chartResult: alone.result,
    chartValues: alone.values,
    choices,
    coverages: coverageFactsOf(kind, chart, (coverage) => withCoverage(deps, rules, material, coverage)),
    pull,
    changes: changesSince(deps, rules, material, { chart, values: alone.values }),
    mappedBy: rules.mappedBy,
    rulesChange: rulesChangeOf(one, rules.mappedBy, full.values),
    entriesBeside: entriesBeside(one.edits, kindPages[kind].sections, rules.schema),
  };
}

/** The chart with the choices of the answers, and the entries made for the selected plan. */
function enteredOver(deps: Deps, rules: RequestRules, material: Material) {
  const { kind, case: stored, content } = material;
  const { schema } = rules;
  const asItStands = chosenChart(deps, rules, material, 'with images');
  const plan = asItStands.choice('coverage')?.chosen;
  const one = entriesFor(stored, plan);
  const entered = placedEntries(one.edits, schema);
  if (!kindPages[kind].takesCards) return { one, entered, edits: entered, chart: asItStands };
  const cards = cardsFor(one.attached, plan);
  const edits = { ...entered, ...attachedEdits(one.attached, cards, { content, schema }) };
  // An attached photo of the card replaces the chart's images.
  const chart = cards.length === 0 ? asItStands : chosenChart(deps, rules, material, 'without images');
  return { one, entered, edits, chart };
}

/** The draft as it would be with other answers; nothing is read or saved. */
export function draftWith(deps: Deps, launch: Launch, draft: Draft, answers: Answers): Omit<Draft, 'codes'> {
  const { order, kind, orderWords } = draft;
  const one = { ...draft.case, answers, attached: [] };
  // A copy of the pull, so that the chart of the draft itself stays memoized.
  const pull = { ...draft.pull };
  return makeDraft(deps, { launch, order, kind, label: orderWords, case: one, pull, content: new Map() });
}

// If a person requested another drug, a letter that names the order's drug would record an approval that nobody gave.
function sentName(values: Leaves): string {
  return drugTargets.flatMap((leaf) => values.get(leaf) ?? []).join(' ');
}

function isChanged(edits: Edits): boolean {
  return drugTargets.some((leaf) => leaf in edits);
}
