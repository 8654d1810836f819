import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type CaseKind, type Editable, isEditable, type MappedBy, type Sent } from '../cases/case.ts';
import { candidateOrders, selectChart } from '../chart/select.ts';
import { BridgeError, errors } from '../errors.ts';
import type { Edits, Gap, MappingResult, Provenance } from '../mapping/result.ts';
import { runMapping } from '../mapping/run/run.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { versionOf } from '../proof/version.ts';
import type { Chart } from '../roles/chart.ts';
import type { Launch } from '../smart/types.ts';
import { bannerOf } from './banner.ts';
import { withChosenWords } from './chosen.ts';
import { type CoverageFacts, coverageFactsOf } from './coverages.ts';
import { type Deps, rolesOfSite } from './deps.ts';
import { type Entry, entriesBeside, placedEntries } from './entries.ts';
import { enrollmentSections, priorAuthSections } from './labels.ts';
import { type Change, changesBetween, type Leaves, leavesOf } from './leaves.ts';
import type { Pull, Pulls } from './pull.ts';
import { type RulesChange, rulesChangeOf } from './rules-change.ts';

/** What the review page stands on: one order's case, the chart as chosen, and the request made of it. */
export interface Draft {
  readonly kind: CaseKind;
  /** MedicationRequest id. */
  readonly order: string;
  readonly case: Editable;
  /** The drug in the order's own words, or as a person changed it: what lists, Task and letter name once it is sent. */
  readonly title: string;
  readonly chart: Chart;
  readonly result: MappingResult<unknown>;
  /** Leaves of `result`. */
  readonly values: Leaves;
  /** By target, in the order of the body; of a reading that a person chose with its words. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** The same request without anything a person typed. */
  readonly chartValues: Leaves;
  /** What the chart alone leaves to be chosen, each with its options; answered or not. */
  readonly choices: readonly Gap[];
  /** What tells the coverages apart, by reference; empty when there is no choice between several. */
  readonly coverages: ReadonlyMap<string, CoverageFacts>;
  readonly pull: Pull;
  /** What the last pull changed against the one before. */
  readonly changes: readonly Change[];
  /** The rules that filled it. */
  readonly mappedBy: MappedBy;
  /** Set while nobody has looked through it under these rules: it is not sent before. */
  readonly rulesChange: RulesChange | undefined;
  /** What a person entered and no field of the page shows. */
  readonly entriesBeside: readonly Entry[];
}

/**
 * Tells in one text what would be sent; a confirmation carries it, so that nothing else is sent than what was
 * confirmed.
 */
export function digestOf(result: MappingResult<unknown>): string {
  return createHash('sha256')
    .update(JSON.stringify(result.status === 'complete' ? result.body : result.draft))
    .digest('base64url');
}

/**
 * Chart to draft, in the calls that batch and fixtures make too: read, select, map. Edits and answers of the case are
 * kept, whatever the
 * rules were when they were made.
 * Throws `not_found` for an order that is not this patient's, `order_not_candidate` for one that no request can be made
 * for. A request that was sent, or has ended and no new one was asked for (`anew`), is opened as it stands.
 */
export async function openDraft(
  deps: Deps,
  pulls: Pulls,
  request: {
    readonly launch: Launch;
    readonly order: string;
    readonly kind: CaseKind;
    readonly again?: boolean;
    readonly anew?: boolean;
  },
): Promise<Draft | { readonly sent: Sent }> {
  const { launch, order, kind, anew = false } = request;
  const pull = await pulls.of(launch, { order, again: request.again ?? false });
  const patient = `Patient/${launch.patient}`;
  const roles = rolesOfSite(deps, launch.site);
  const choosing = { roles, now: deps.clock(), site: launch.site };
  const candidate = candidateOrders(pull.entries, { ...choosing, patient }).find(
    (one) => one.order === `MedicationRequest/${order}`,
  );
  if (candidate === undefined) throw new BridgeError('not_found', { what: 'the order' });
  const draft = await deps.cases.openDraft({
    site: launch.site.id,
    patient,
    order: candidate.order,
    kind,
    launch: launch.id,
    banner: bannerOf(roles, pull.entries, launch, deps.clock()),
    title: candidate.label,
    mappedBy: rulesOf(deps, launch, kind).mappedBy,
    anew,
    ...(launch.encounter === undefined ? {} : { encounter: `Encounter/${launch.encounter}` }),
  });
  if (!isEditable(draft)) return { sent: draft };
  if (!candidate.fits) throw notOffered(candidate.reason);
  const full = await pulls.withNotes(launch, pull, { order, ticked: draft.answers.evidence ?? [] });
  return makeDraft(deps, { launch, order, kind, case: draft, pull: full, label: candidate.label });
}

// The reason is for who chose the order; further facts on a page are for the operator.
function notOffered(reason: string): BridgeError {
  return new BridgeError(
    'order_not_candidate',
    { reason },
    { next: `Of this order: ${reason}. ${errors.order_not_candidate.next}` },
  );
}

interface Material {
  readonly launch: Launch;
  readonly order: string;
  readonly kind: CaseKind;
  readonly case: Editable;
  readonly pull: Pull;
  /** The order's own words for the drug. */
  readonly label: string;
}

/** The draft as it is with the case's edits and answers; no network. */
export function makeDraft(deps: Deps, { launch, order, kind, case: one, pull, label }: Material): Draft {
  const { map, schema, mappedBy } = rulesOf(deps, launch, kind);
  const edits = placedEntries(one.edits, schema);
  const select = ({ entries, readings }: Pick<Pull, 'entries' | 'readings'>, answers = one.answers) =>
    selectChart(entries, {
      readings,
      roles: rolesOfSite(deps, launch.site),
      patient: `Patient/${launch.patient}`,
      order: `MedicationRequest/${order}`,
      now: deps.clock(),
      site: launch.site,
      answers,
      submission: one.id,
    });
  const chart = select(pull);
  const result = map(chart, edits);
  const alone = Object.keys(edits).length === 0 ? result : map(chart, {});
  const chartValues = bodyLeaves(alone);
  const before = pull.before === undefined ? undefined : bodyLeaves(map(select(pull.before), {}));
  const values = bodyLeaves(result);
  const choices = alone.gaps.filter(({ options = [] }) => options.length > 0);
  const provenance = withChosenWords(result.provenance, choices, values);
  return {
    kind,
    order,
    case: one,
    title: titleOf(label, edits, values),
    chart,
    result,
    values,
    provenance: new Map(provenance.map((entry) => [entry.target, entry])),
    chartValues,
    choices,
    coverages: coverageFactsOf(kind, chart, (coverage) => {
      const chosen = select(pull, { ...one.answers, coverage });
      return { chart: chosen, values: bodyLeaves(map(chosen, {})) };
    }),
    pull,
    changes: before === undefined ? [] : changesBetween(before, chartValues),
    mappedBy,
    rulesChange: rulesChangeOf(one, mappedBy, values),
    entriesBeside: entriesBeside(one.edits, kind === 'prior-auth' ? priorAuthSections : enrollmentSections, schema),
  };
}

const drugFields = ['prescription.drug_name', 'prescription.strength', 'prescription.dose_form'];

// A letter that names the order's drug, after another one was asked for, would tell the chart of an approval that was
// never given.
function titleOf(label: string, edits: Edits, values: Leaves): string {
  return drugFields.some((field) => field in edits)
    ? drugFields.flatMap((field) => values.get(field) ?? []).join(' ')
    : label;
}

function bodyLeaves(result: MappingResult<unknown>): Leaves {
  return leavesOf(result.status === 'complete' ? result.body : result.draft);
}

/** The site's mapping for one kind of request, ready to run. */
interface RequestRules {
  readonly mappedBy: MappedBy;
  readonly schema: z.core.$ZodType;
  readonly map: (chart: Chart, edits: Edits) => MappingResult<unknown>;
}

function rulesOf({ mappings }: Deps, { site }: Launch, kind: CaseKind): RequestRules {
  const name = site.mappings[kind];
  const rules = kind === 'prior-auth' ? runnable(mappings['prior-auth'][name]) : runnable(mappings.enrollment[name]);
  if (rules === undefined) throw new BridgeError('mapping_invalid', { site: site.id, mapping: name });
  return rules;
}

function runnable<T>(mapping: Mapping<T> | undefined): RequestRules | undefined {
  if (mapping === undefined) return undefined;
  return {
    mappedBy: { mapping: mapping.name, version: versionOf(mapping) },
    schema: mapping.schema,
    map: (chart, edits) => runMapping(mapping, chart, { edits }),
  };
}
