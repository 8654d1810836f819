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

/** What the review page is made from: an order's case, the chart with its choices, and the request that they give. */
export interface Draft {
  readonly kind: CaseKind;
  readonly schema: z.core.$ZodType;
  readonly order: string;
  readonly case: Editable;
  /** The drug as the order or a person states it. Lists, the Task and letters use it after sending. */
  readonly title: string;
  /** The drug as the order states it. */
  readonly orderWords: string;
  /** All names that the order has for the drug; empty if a person changed the drug. */
  readonly drugNames: readonly string[];
  readonly chart: Chart;
  readonly result: MappingResult<unknown>;
  readonly values: Leaves;
  /** By target, in the order of the body, with a note for each option that a person chose. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** The same request without a person's entries. */
  readonly chartResult: MappingResult<unknown>;
  /** The leaves of `chartResult`. */
  readonly chartValues: Leaves;
  /** The choices that the chart leaves open, with their options, even if a person has answered them. */
  readonly choices: readonly Gap[];
  /** The facts that distinguish the coverages, by reference; empty if there is only one. */
  readonly coverages: ReadonlyMap<string, CoverageFacts>;
  readonly pull: Pull;
  /** The values that the last refresh from the chart changed. */
  readonly changes: readonly LeafChange[];
  readonly mappedBy: MappedBy;
  /** Present until a person has reviewed the draft under the current rules. Until then it cannot be sent. */
  readonly rulesChange: RulesChange | undefined;
  /** The rows of the loaded code file for the codes of the request. */
  readonly codes: KnownCodes;
  /** If the practice has sent the entered NPI only under another prescriber's name, that name. */
  readonly npiSentFor?: string | undefined;
  /** Entries of people that no field of the page shows. */
  readonly entriesBeside: readonly UnshownEntry[];
}

/** The digest of the content to send. The confirmation form has it, so that only the confirmed content is sent. */
export function digestOf(result: MappingResult<unknown>): string {
  return fingerprintOf(result.status === 'complete' ? result.body : result.draft);
}

/** What is known of a draft before its case is opened. */
export interface DraftOpening {
  readonly launch: Launch;
  readonly order: string;
  readonly kind: CaseKind;
  /** The drug as the order states it. */
  readonly label: string;
}

interface Material extends DraftOpening {
  readonly case: Editable;
  readonly pull: Pull;
  readonly content: AttachedContent;
}

/**
 * Makes the draft from the case's edits and answers, without network access. The chart is selected with the answers and
 * then mapped twice: without and with the entries.
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

/** The chart with the choices of the answers, and the entries that apply to the chosen plan. */
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
  // An attached photo of the card replaces the card images in the chart.
  const chart = cards.length === 0 ? asItStands : chosenChart(deps, rules, material, 'without images');
  return { one, entered, edits, chart };
}

/** The draft as it would be with other answers. Nothing is read from the EHR or saved. */
export function draftWith(deps: Deps, launch: Launch, draft: Draft, answers: Answers): Omit<Draft, 'codes'> {
  const { order, kind, orderWords } = draft;
  const one = { ...draft.case, answers, attached: [] };
  // The cache is keyed by this object. With a copy, the draft's own chart stays cached.
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
