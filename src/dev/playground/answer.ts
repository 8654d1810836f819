import { mappingKinds } from '../../core/contract/kinds.ts';
import { kindOfMapping, mappingIn } from '../../core/contract/mappings-by-kind.ts';
import { BridgeError } from '../../core/errors.ts';
import type { BundleIssue } from '../../core/fhir/bundle.ts';
import { type Graph, indexChart } from '../../core/fhir/references/graph.ts';
import { machineTimeZone, noonOf } from '../../core/fhir/time/time-zone.ts';
import { todayAt } from '../../core/fhir/time/today.ts';
import type { MappingInput } from '../../core/mapping/input.ts';
import type { Edits, MappingResult } from '../../core/mapping/result.ts';
import { type Explanation, explain } from '../../core/mapping/review/explain-result.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { ObjectTree } from '../../core/mapping/words/tree.ts';
import type { Chart } from '../../core/roles/chart.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type ExplainedRole, explainRoles } from '../../core/roles/explain-roles.ts';
import { rolesFor } from '../../core/roles/roles-for.ts';
import { type CandidateOrder, type ChartRequest, candidateOrders, selectChart } from '../../core/roles/select.ts';
import { readDocuments } from '../../ehr/documents/read-documents.ts';
import type { Deps } from '../../web/http/deps.ts';
import { recordReads } from '../kit/record-reads.ts';
import { fillRoles, watchResources } from '../kit/watch-resources.ts';
import { type BodyLine, growBody } from './body-tree.ts';
import { linkUp, type PageLinks } from './links.ts';
import { firstChart, type Material, materialOfChart, materialOfText, packageCharts, policyOf } from './material.ts';
import type { PlaygroundQuestion } from './question.ts';
import { type Forest, growForest } from './resource-trees.ts';

export interface PlaygroundAnswer {
  /** The question with its empty fields filled in. */
  readonly question: PlaygroundQuestion;
  readonly charts: readonly string[];
  readonly issues: readonly BundleIssue[];
  readonly problem?: string;
  readonly orders: readonly CandidateOrder[];
  readonly forest: Forest;
  /** Absent if there is no order to map. */
  readonly mapped?: Mapped;
}

export interface Mapped {
  readonly chart: Chart;
  readonly explanation: Explanation;
  readonly body: readonly BodyLine[];
  readonly links: PageLinks;
  readonly roles: readonly ExplainedRole[];
}

/**
 * Reads, selects, maps and explains by the same functions as launch, batch and mapping tests. Throws not_found for an
 * unknown chart, bad_request for an unknown mapping.
 */
export async function playgroundAnswer(
  deps: Pick<Deps, 'mappings' | 'clock' | 'unread'>,
  asked: PlaygroundQuestion,
): Promise<PlaygroundAnswer> {
  const charts = packageCharts();
  const isFirst = asked.shown === undefined && asked.chart === '' && asked.text === '';
  const chosen = isFirst ? { ...asked, chart: firstChart(charts) } : asked;
  const material = chosen.chart === '' ? materialOfText(chosen.text) : materialOfChart(chosen.chart, charts);
  const question = completed(chosen, material, deps.clock());
  const map = runnerOf(deps.mappings, question.mapping);
  const common = { question, charts, issues: material.issues };
  const none = { ...common, orders: [], forest: growForest([]) };
  if (material.problem !== undefined) return { ...none, ...(isFirst ? {} : { problem: material.problem }) };
  try {
    return {
      ...common,
      ...(await mapMaterial(material, question, {
        map,
        roles: rolesFor(deps.mappings, question.mapping),
        unread: deps.unread ?? {},
      })),
    };
  } catch (thrown) {
    // The message of an unexpected error may quote the bundle, so only its name is shown.
    const reason =
      thrown instanceof BridgeError
        ? thrown.message
        : `the bridge failed on it (${thrown instanceof Error ? thrown.name : 'unknown'}), perhaps because an ` +
          'element does not have its FHIR shape';
    return { ...none, problem: `This bundle cannot be mapped: ${reason}.` };
  }
}

type Run = ReturnType<typeof runnerOf>;

async function mapMaterial(
  material: Material,
  question: PlaygroundQuestion,
  {
    map,
    roles,
    unread,
  }: { readonly map: Run; readonly roles: RoleTable; readonly unread: Readonly<Record<string, string>> },
): Promise<Pick<PlaygroundAnswer, 'question' | 'orders' | 'forest' | 'mapped'>> {
  const { entries, request } = material;
  const graph = indexChart(entries);
  const choosing = { roles, now: nowOf(material, question), site: policyOf(material) };
  const orders = candidateOrders(graph, choosing);
  const forest = growForest(entries);
  const order = request?.order === question.order ? question.order : orderOf(orders, question.order, request?.order);
  if (order === undefined) return { question: { ...question, order: '' }, orders, forest };
  const chart = await chartOf(graph, material, order, choosing);
  const edits: Edits = request?.edits ?? {};
  const { result, tree } = map(chart, edits);
  const explanation = explain(result);
  const body = growBody(result.status === 'complete' ? Object(result.body) : result.draft, explanation, tree);
  const recorded = recordReads(chart);
  map(recorded.input, edits);
  const filling = await readByRoles(material, order, choosing);
  const links = linkUp({ body, forest, chart, touched: recorded.touched, filling, unread });
  const explained = explainRoles(chart, roles);
  const mapped = { chart, explanation, body, links, roles: explained };
  return { question: { ...question, order }, orders, forest, mapped };
}

// Selecting the order reads the resources too, so only the reads after that are returned.
async function readByRoles(
  material: Material,
  order: string,
  choosing: Pick<ChartRequest, 'roles' | 'now' | 'site'>,
): Promise<ReadonlySet<string>> {
  const watched = watchResources(material.entries);
  const chart = await chartOf(watched.graph, material, order, choosing);
  watched.forget();
  fillRoles(chart, choosing.roles.names);
  return watched.touched;
}

async function chartOf(
  graph: Graph,
  material: Material,
  order: string,
  choosing: Pick<ChartRequest, 'roles' | 'now' | 'site'>,
): Promise<Chart> {
  const { request } = material;
  const answers = withoutUndefined(request?.answers ?? {});
  const { patient, submission, programId } = request ?? {};
  const known = withoutUndefined({ patient, submission, programId });
  const readings = await readDocuments(graph, { ticked: answers.evidence ?? [] });
  return selectChart(graph, { ...choosing, order, answers, readings, ...known });
}

// Returns the case's own time if its day was selected, else noon of the selected day.
function nowOf(material: Material, { day }: PlaygroundQuestion): Date {
  const { request } = material;
  const timeZone = policyOf(material).timeZone ?? machineTimeZone();
  const isOwnDay = request !== undefined && todayAt(new Date(request.now), timeZone).day === day;
  return isOwnDay ? new Date(request.now) : new Date(noonOf(day, timeZone));
}

/**
 * Fields that are empty, or that were for the chart shown before, are filled from the case, else with today and the
 * first choice.
 */
function completed(asked: PlaygroundQuestion, material: Material, clock: Date): PlaygroundQuestion {
  const { request } = material;
  const isOther = asked.shown !== undefined && asked.shown !== asked.chart;
  const own = mappingKinds.flatMap((kind) => request?.mapping[kind] ?? [])[0];
  const mapping = (isOther ? own : undefined) ?? (asked.mapping === '' ? (own ?? 'prior-auth') : asked.mapping);
  const now = request === undefined ? clock : new Date(request.now);
  const day = isOther || asked.day === '' ? todayAt(now, policyOf(material).timeZone).day : asked.day;
  const order = isOther || asked.order === '' ? (request?.order ?? '') : asked.order;
  return { ...asked, mapping, day, order };
}

/** Returns the selected order if it can be mapped, else the first order that can. */
function orderOf(orders: readonly CandidateOrder[], ...asked: readonly (string | undefined)[]): string | undefined {
  const fitting = orders.filter(({ fits }) => fits).map(({ order }) => order);
  return asked.find((order) => order !== undefined && fitting.includes(order)) ?? fitting[0];
}

function runnerOf(
  mappings: Deps['mappings'],
  name: string,
): (input: MappingInput, edits: Edits) => { readonly result: MappingResult<unknown>; readonly tree: ObjectTree } {
  const kind = kindOfMapping(mappings, name);
  const mapping = kind === undefined ? undefined : mappingIn(mappings, kind, name);
  if (mapping === undefined) throw new BridgeError('bad_request', { reason: 'there is no such mapping' });
  return (chart, edits) => ({ result: runMapping(mapping, chart, { edits }), tree: mapping.tree });
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
