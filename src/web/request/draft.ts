import { createHash } from 'node:crypto';
import type { FhirResource } from 'fhir/r4.js';
import type { z } from 'zod';
import { versionOf } from '../../base/mapping-version.ts';
import { type Carried, type CaseKind, type Editable, isEditable, type MappedBy, type Sent } from '../../cases/case.ts';
import { isOffered } from '../../cases/offered.ts';
import { drugTargets } from '../../core/contract/groups.ts';
import { mappingIn } from '../../core/contract/mappings-by-kind.ts';
import { BridgeError, errors } from '../../core/errors.ts';
import type { Edits, Gap, MappingResult, Provenance } from '../../core/mapping/result.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import type { Answers, Candidate, Chart } from '../../core/roles/chart.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type CandidateOrder, candidateOrders, selectChart } from '../../core/roles/select.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pull, Pulls } from '../http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../http/deps.ts';
import { userOf } from '../http/user.ts';
import { diagnosesIn, type KnownCodes, knownCodes } from '../pages/search/search-codes.ts';
import { type AttachedContent, attachedContent, attachedEdits, cardsFor } from './attached.ts';
import { bannerOf } from './banner.ts';
import { withChosenWords } from './chosen.ts';
import { type CoverageFacts, coverageFactsOf } from './coverages.ts';
import { kindPages } from './kind-pages.ts';
import { type Change, changesBetween, type Leaves, leavesOf } from './leaves.ts';
import { entriesFor } from './other-plans.ts';
import { type RulesChange, rulesChangeOf } from './rules-change.ts';
import { answersFor, chartFor } from './support-program.ts';
import { carriedOf, earlierRequest } from './typed/carry.ts';
import { type Entry, entriesBeside, placedEntries } from './typed/entries.ts';
import { workedOut } from './worked-out.ts';

/** What the review page stands on: one order's case, the chart as chosen, and the request made of it. */
export interface Draft {
  readonly kind: CaseKind;
  /** The contract of the request. */
  readonly schema: z.core.$ZodType;
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
  /** What the loaded code file knows of the codes of the request. */
  readonly codes: KnownCodes;
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
  if (!isOffered(kind, launch.site))
    throw new BridgeError(kind === 'benefit-verification' ? 'benefits_not_offered' : 'not_found');
  const pull = await pulls.of(launch, { order, again: request.again ?? false });
  const patient = `Patient/${launch.patient}`;
  const roles = rolesOfSite(deps, launch.site);
  const candidate = candidateOf(deps, pull, launch, order);
  const draft = await deps.cases.openDraft({
    site: launch.site.id,
    patient,
    order: candidate.order,
    kind,
    launch: launch.id,
    banner: bannerOf(roles, pull.entries, launch, deps.clock()),
    title: candidate.label,
    mappedBy: rulesOf(deps, launch, kind).mappedBy,
    by: userOf(launch),
    restricted: isRestricted(deps, pull, roles),
    anew,
    ...(launch.encounter === undefined ? {} : { encounter: `Encounter/${launch.encounter}` }),
  });
  if (!isEditable(draft)) return { sent: draft };
  if (!candidate.fits) throw notOffered(candidate.reason);
  const material = { launch, order, kind, label: candidate.label };
  const made = await readDraft(deps, pulls, material, draft, pull);
  return needsCarrying(made) ? await carryOver(deps, pulls, material, made) : made;
}

/** What opens one draft, whatever its entries. */
interface Opening {
  readonly launch: Launch;
  readonly order: string;
  readonly kind: CaseKind;
  /** The order's own words for the drug. */
  readonly label: string;
}

/** The draft with the notes, files and codes that its entries name. */
async function readDraft(deps: Deps, pulls: Pulls, opening: Opening, draft: Editable, pull: Pull): Promise<Draft> {
  const { launch, order } = opening;
  const full = await pulls.withNotes(launch, pull, { order, ticked: draft.answers.evidence ?? [] });
  const content = await attachedContent(deps, draft);
  const name = `draft|${order}|${opening.kind}`;
  // The rules, and all of the case with what a person entered; what was sent before a draft does not read.
  const { mappedBy } = rulesOf(deps, launch, opening.kind);
  const by = JSON.stringify([mappedBy, launch.site, opening.label, { ...draft, requests: [] }]);
  const made = workedOut(full, { name, by, now: deps.clock() }, () =>
    makeDraft(deps, { ...opening, case: draft, pull: full, content }),
  );
  const codes = await knownCodes(
    deps,
    diagnosesIn(made.values).map(([, code]) => code),
  );
  return { ...made, codes };
}

/**
 * The draft that these entries would make of the chart as it is now; nothing is stored. Throws as `openDraft` does for
 * its order.
 */
export async function draftOf(
  deps: Deps,
  pulls: Pulls,
  { launch, case: one }: { readonly launch: Launch; readonly case: Editable },
): Promise<Draft> {
  const order = one.order.replace('MedicationRequest/', '');
  const pull = await pulls.of(launch, { order });
  const candidate = candidateOf(deps, pull, launch, order);
  if (!candidate.fits) throw notOffered(candidate.reason);
  return readDraft(deps, pulls, { launch, order, kind: one.kind, label: candidate.label }, one, pull);
}

function candidateOf(deps: Deps, pull: Pull, { site, patient }: Launch, order: string): CandidateOrder {
  const now = deps.clock();
  const choosing = { roles: rolesOfSite(deps, site), now, site, patient: `Patient/${patient}` };
  const candidates = workedOut(pull, { name: 'orders', now }, () => candidateOrders(pull.entries, choosing));
  const candidate = candidates.find((one) => one.order === `MedicationRequest/${order}`);
  if (candidate === undefined) throw new BridgeError('not_found', { what: 'the order' });
  return candidate;
}

function isRestricted({ clock }: Deps, pull: Pull, { options: { isSensitive } }: RoleTable): boolean {
  return workedOut(pull, { name: 'restricted', now: clock() }, () =>
    pull.entries.some(({ resource }) => isSensitive(resource as FhirResource)),
  );
}

// Once, before anybody has chosen anything.
function needsCarrying({ kind, case: { state, attempt, answers, carried } }: Draft): boolean {
  const isUntouched = state === 'draft' && attempt === 0 && answers.evidence === undefined && carried === undefined;
  return kind === 'prior-auth' && isUntouched;
}

/** The draft with what the patient's last request for the drug had, as far as the chart still has it. */
async function carryOver(deps: Deps, pulls: Pulls, opening: Opening, made: Draft): Promise<Draft> {
  const { case: one, pull } = made;
  const earlier = await earlierRequest(deps, opening.launch, made);
  const ticked = earlier?.items.flatMap(({ references }) => references) ?? [];
  // what could not be read is not gone: it is looked for again when the draft is opened the next time
  if (ticked.some((reference) => pull.unread.includes(reference.split('/')[0] ?? ''))) return made;
  const looked = { ...one, answers: { ...one.answers, evidence: ticked } };
  const candidates = ticked.length === 0 ? [] : candidatesOf(await readDraft(deps, pulls, opening, looked, pull));
  const carried: Carried = earlier === undefined ? { kept: [], dropped: [] } : carriedOf(earlier, candidates);
  // What the site's policy takes by itself is taken as well: a list of ticks stands in its place.
  const taken = candidatesOf(made).flatMap((candidate) => (candidate.taken === true ? [candidate.reference] : []));
  const evidence = [...new Set([...taken, ...carried.kept])];
  const saved = await deps.cases.saveDraft(one.id, ({ answers, carried: known, sheet }) => {
    // A colleague has chosen meanwhile, or the same was done in another window.
    if (known !== undefined || answers.evidence !== undefined) return {};
    return {
      carried,
      ...(carried.kept.length === 0 ? {} : { answers: { ...answers, evidence } }),
      ...(carried.answers === true ? { sheet: { goes: true, ...sheet } } : {}),
    };
  });
  if (!isEditable(saved)) throw new BridgeError('case_already_sent', { case: one.id });
  return carried.kept.length === 0 ? { ...made, case: saved } : await readDraft(deps, pulls, opening, saved, pull);
}

function candidatesOf({ chart }: Draft): readonly Candidate[] {
  return chart.choice('evidence')?.candidates ?? [];
}

// The reason is for who chose the order; further facts on a page are for the operator.
function notOffered(reason: string): BridgeError {
  return new BridgeError(
    'order_not_candidate',
    { reason },
    { next: `Of this order: ${reason}. ${errors.order_not_candidate.next}` },
  );
}

interface Material extends Opening {
  readonly case: Editable;
  readonly pull: Pull;
  readonly content: AttachedContent;
}

/** The draft as it is with the case's edits and answers; no network. */
export function makeDraft(
  deps: Deps,
  { launch, order, kind, case: stored, pull, label, content }: Material,
): Omit<Draft, 'codes'> {
  const { map, schema, mappedBy } = rulesOf(deps, launch, kind);
  const given = answersFor(kind, launch.site, stored.edits, stored.answers);
  const select = ({ entries, readings, unread }: Pick<Pull, 'entries' | 'readings' | 'unread'>, answers = given) =>
    selectChart(entries, {
      readings,
      unread,
      roles: rolesOfSite(deps, launch.site),
      patient: `Patient/${launch.patient}`,
      order: `MedicationRequest/${order}`,
      now: deps.clock(),
      site: launch.site,
      answers,
      submission: stored.id,
    });
  const offered = (made: Chart) => chartFor(kind, launch.site, stored.edits, made);
  const asItStands = offered(select(pull));
  const chosenPlan = asItStands.choice('coverage')?.chosen;
  const one = entriesFor(stored, chosenPlan);
  const entered = placedEntries(one.edits, schema);
  const { takesCards } = kindPages[kind];
  const cards = takesCards ? cardsFor(one.attached, chosenPlan) : [];
  // A photo of the card that a person attached stands in place of the chart's images.
  const chart =
    cards.length === 0 ? asItStands : offered(select({ ...pull, readings: { ...pull.readings, images: {} } }));
  const edits = {
    ...entered,
    ...(takesCards ? attachedEdits(one.attached, cards, { content, schema }) : {}),
  };
  const result = map(chart, edits);
  const alone = Object.keys(edits).length === 0 ? result : map(chart, {});
  const chartValues = bodyLeaves(alone);
  const before = pull.before === undefined ? undefined : bodyLeaves(map(select(pull.before), {}));
  const values = bodyLeaves(result);
  const choices = alone.gaps.filter(({ options = [] }) => options.length > 0);
  const provenance = withChosenWords(result.provenance, choices, values);
  return {
    kind,
    schema,
    order,
    case: one,
    title: titleOf(label, entered, values),
    chart,
    result,
    values,
    provenance: new Map(provenance.map((entry) => [entry.target, entry])),
    chartValues,
    choices,
    coverages: coverageFactsOf(kind, chart, (coverage) => {
      const chosen = select(pull, { ...given, coverage });
      return { chart: chosen, values: bodyLeaves(map(chosen, {})) };
    }),
    pull,
    changes: before === undefined ? [] : changesBetween(before, chartValues),
    mappedBy,
    rulesChange: rulesChangeOf(one, mappedBy, values),
    entriesBeside: entriesBeside(one.edits, kindPages[kind].sections, schema),
  };
}

/** The draft as it would be with other answers; nothing is read or saved. */
export function draftWith(deps: Deps, launch: Launch, draft: Draft, answers: Answers): Omit<Draft, 'codes'> {
  const { order, kind, pull, title } = draft;
  const one = { ...draft.case, answers, attached: [] };
  return makeDraft(deps, { launch, order, kind, label: title, case: one, pull, content: new Map() });
}

/** The leaves of the request that the chart alone makes of another order of the patient. */
export function valuesOfOrder(deps: Deps, launch: Launch, { entries, readings, unread }: Pull, order: string): Leaves {
  const chart = selectChart(entries, {
    readings,
    unread,
    roles: rolesOfSite(deps, launch.site),
    patient: `Patient/${launch.patient}`,
    order,
    now: deps.clock(),
    site: launch.site,
  });
  return bodyLeaves(rulesOf(deps, launch, 'prior-auth').map(chart, {}));
}

// A letter that names the order's drug, after another one was asked for, would tell the chart of an approval that was
// never given.
function titleOf(label: string, edits: Edits, values: Leaves): string {
  return drugTargets.some((leaf) => leaf in edits)
    ? drugTargets.flatMap((leaf) => values.get(leaf) ?? []).join(' ')
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
  const rules = runnable(mappingIn(mappings, kind, name));
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
