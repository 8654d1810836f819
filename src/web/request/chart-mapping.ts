import type { z } from 'zod';
import { versionOf } from '../../base/mapping-version.ts';
import type { CaseKind, Editable, MappedBy } from '../../cases/case.ts';
import { mappingIn } from '../../core/contract/mappings-by-kind.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Edits, MappingResult } from '../../core/mapping/result.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { selectChart } from '../../core/roles/select.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pull } from '../http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../http/deps.ts';
import { cached } from './cached.ts';
import type { CoveredChart } from './coverages.ts';
import { changesBetween, type LeafChange, type Leaves, leavesOf } from './leaves.ts';
import { answersFor, chartFor, takesEvidence } from './support-program.ts';

/** A site's mapping for one kind of request. */
export interface RequestRules {
  readonly mappedBy: MappedBy;
  readonly schema: z.core.$ZodType;
  readonly map: (chart: Chart, edits: Edits) => MappingResult<unknown>;
}

/** The chart of one order, and the case whose answers decide the choices in it. */
export interface ChartOfOrder {
  readonly launch: Launch;
  /** The id of the MedicationRequest. */
  readonly order: string;
  readonly kind: CaseKind;
  readonly case: Pick<Editable, 'id' | 'edits' | 'answers'>;
  readonly pull: Pull;
}

type ChartReading = Pick<Pull, 'entries' | 'readings' | 'unread'>;

export interface MappedChart {
  readonly result: MappingResult<unknown>;
  readonly values: Leaves;
}

/** Throws mapping_invalid if the site names an unknown mapping. */
export function rulesOf({ mappings }: Deps, { site }: Launch, kind: CaseKind): RequestRules {
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

/** The chart with the choices of the case's answers, with or without card images. It is cached for these answers. */
export function chosenChart(
  deps: Deps,
  { mappedBy }: RequestRules,
  asked: ChartOfOrder,
  images: 'with images' | 'without images',
): Chart {
  const { launch, order, kind, case: one, pull } = asked;
  const name = `chart|${order}|${kind}|${images}`;
  const withEvidence = takesEvidence(kind, launch.site, one.edits);
  const by = JSON.stringify([mappedBy, launch.site, one.id, one.answers, withEvidence]);
  return cached(pull, { name, by, now: deps.clock() }, () => {
    const readings = images === 'with images' ? pull.readings : { ...pull.readings, images: {} };
    return chartFor(kind, launch.site, one.edits, select(deps, asked, { ...pull, readings }));
  });
}

function select(
  deps: Deps,
  { launch, order, kind, case: { id, edits, answers } }: Omit<ChartOfOrder, 'pull'>,
  { entries, readings, unread }: ChartReading,
): Chart {
  return selectChart(entries, {
    readings,
    unread,
    roles: rolesOfSite(deps, launch.site),
    patient: `Patient/${launch.patient}`,
    order: `MedicationRequest/${order}`,
    now: deps.clock(),
    site: launch.site,
    answers: answersFor(kind, launch.site, edits, answers),
    submission: id,
  });
}

/** Maps a chart with these edits. `by` identifies what the edits depend on, for the cache. */
export function mapChosen(
  { clock }: Deps,
  { map }: RequestRules,
  chart: Chart,
  { name, by = '', edits }: { readonly name: string; readonly by?: string; readonly edits: Edits },
): MappedChart {
  return cached(chart, { name, by, now: clock() }, () => {
    const result = map(chart, edits);
    return { result, values: bodyLeaves(result) };
  });
}

/** The chart and its values if a person chose this coverage. */
export function withCoverage(deps: Deps, rules: RequestRules, asked: ChartOfOrder, coverage: string): CoveredChart {
  const { launch, order, kind, pull } = asked;
  const one = { ...asked.case, answers: { coverage } };
  const by = JSON.stringify([rules.mappedBy, launch.site, one.id]);
  return cached(pull, { name: `coverage|${order}|${kind}|${coverage}`, by, now: deps.clock() }, () => {
    const chart = select(deps, { ...asked, case: one }, pull);
    return { chart, values: bodyLeaves(rules.map(chart, {})) };
  });
}

/** The chart values that the last refresh changed. */
export function changesSince(
  deps: Deps,
  rules: RequestRules,
  asked: ChartOfOrder,
  { chart, values }: { readonly chart: Chart; readonly values: Leaves },
): LeafChange[] {
  const { before } = asked.pull;
  if (before === undefined) return [];
  return cached(chart, { name: 'changes', now: deps.clock() }, () =>
    changesBetween(bodyLeaves(rules.map(select(deps, asked, before), {})), values),
  );
}

/** The leaves that another order of the patient gives, without any entries. */
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

function bodyLeaves(result: MappingResult<unknown>): Leaves {
  return leavesOf(result.status === 'complete' ? result.body : result.draft);
}
