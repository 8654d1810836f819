import { listInputs } from '../batch/list-inputs.ts';
import { mapInputs } from '../batch/map.ts';
import type { OrderOutcome } from '../batch/report/order-outcome.ts';
import type { JudgedCriterion } from '../core/answers/criteria/criteria.ts';
import { explain, formatDetails, formatGaps } from '../core/mapping/review/explain-result.ts';
import type { Chart } from '../core/roles/chart.ts';
import { type ExplainedRole, explainRoles, formatRole } from '../core/roles/explain-roles.ts';
import { type ExitCode, exit } from './exit.ts';
import { criteriaOfChart, formatCriterion } from './explain-criteria.ts';
import type { AddCommand, Io } from './io.ts';
import { addMappingOptions, type MappingFlags } from './mapping-options.ts';
import { chooseMapping, momentOf } from './mappings.ts';
import { isOrderAsked, nothingFor } from './order.ts';
import { type Paint, paintFor } from './paint.ts';
import { reportProblems } from './problems.ts';
import { stateWords } from './report/words.ts';

interface ExplainOptions extends MappingFlags {
  readonly order?: string;
  readonly json?: true;
}

const help = `
For every order that can be mapped: first what is missing; then how far each look for it got, and each value
with its source, path and rule; for each role what fills it, what does not and why, and what it asks; of the
answers sheet of a site what its criteria of the payer say. What it prints is the patient's data.

Examples
  prior-auth-bridge explain chart.json
  prior-auth-bridge explain chart.json --order MedicationRequest/9 --mapping prior-auth@valley
  prior-auth-bridge explain fixtures/charts/story-complete --json`;

export const addExplain: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('explain')
      .description('Show where every value of a request comes from, and what each gap looked at.')
      .argument('<paths...>', 'files or folders; - for standard input'),
  )
    .option('--order <reference>', 'only this order: MedicationRequest/9, or its id')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action(async (paths: string[], options: ExplainOptions) => end(await explainPaths(paths, options, io)));
};

async function explainPaths(paths: readonly string[], options: ExplainOptions, io: Io): Promise<ExitCode> {
  const chosen = chooseMapping(options, io);
  const { site, roles, map, kind } = chosen;
  const now = momentOf(options.now, io.clock, site);
  const explained = new Map<string, Explained>();
  const request = {
    onChart: (chart: Chart) =>
      explained.set(chart.order, {
        roles: explainRoles(chart, roles),
        criteria: kind === 'answers' ? criteriaOfChart(chosen, chart, now) : [],
      }),
    roles,
    inputs: await listInputs(paths),
    map,
    site,
    now,
    stdin: io.stdin,
  };
  const orders: OrderOutcome[] = [];
  const paint = paintFor(io);
  let unread = false;
  for await (const event of mapInputs(request)) {
    if (event.kind === 'order' && isOrderAsked(event.outcome.order, options.order)) orders.push(event.outcome);
    if (reportProblems(event, io)) unread = true;
  }
  if (orders.length === 0) throw nothingFor(options.order, unread);
  io.stdout.write(
    options.json
      ? `${JSON.stringify(
          orders.map((order) => jsonOf(order, explained.get(order.order))),
          undefined,
          2,
        )}\n`
      : orders.map((order) => textOf(order, paint, explained.get(order.order))).join('\n'),
  );
  return unread
    ? exit.input
    : orders.some((order) => order.state === 'incomplete' || order.state === 'cannot_map')
      ? exit.incomplete
      : exit.ok;
}

/** What is printed in addition to an order's values. */
interface Explained {
  readonly roles: readonly ExplainedRole[];
  readonly criteria: readonly JudgedCriterion[];
}

const nothing: Explained = { roles: [], criteria: [] };

function jsonOf(outcome: OrderOutcome, { roles, criteria }: Explained = nothing): object {
  const { place, order, patient, state } = outcome;
  const head = { ...place, order, patient, state };
  return 'result' in outcome
    ? {
        ...head,
        ...explain(outcome.result),
        roles,
        ...(criteria.length === 0 ? {} : { criteria }),
        warnings: outcome.chart.warnings,
      }
    : { ...head, reason: outcome.reason };
}

function textOf(outcome: OrderOutcome, paint: Paint, { roles, criteria }: Explained = nothing): string {
  const whose = outcome.patient === undefined ? '' : ` for ${outcome.patient}`;
  const title = `${outcome.order}${whose} (${outcome.place.file})`;
  const head = `${paint('title', title)}\n${'='.repeat(title.length)}\n`;
  if (!('result' in outcome)) return `${head}${stateWords[outcome.state]}: ${outcome.reason}.\n`;
  const warnings = outcome.chart.warnings.map((warning) => `  ${warning}`);
  const explanation = explain(outcome.result);
  const heading = (text: string) => paint('title', text);
  return [
    head.trimEnd(),
    formatGaps(explanation, heading).trimEnd(),
    ...section(heading('To know'), warnings),
    ...section(heading('Criteria'), criteria.flatMap(formatCriterion)),
    formatDetails(explanation, heading).trimEnd(),
    ...section(heading('Roles'), roles.flatMap(formatRole)),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
