import { basename, resolve } from 'node:path';
import { writeAll } from '../../base/writing.ts';
import { listInputs } from '../../batch/list-inputs.ts';
import { mapInputs } from '../../batch/map.ts';
import { type ExitCode, exit } from '../../cli/exit.ts';
import type { AddCommand, Io } from '../../cli/io.ts';
import { addMappingOptions, type MappingFlags } from '../../cli/mapping-options.ts';
import { type ChosenMapping, chooseMapping, momentOf } from '../../cli/mappings.ts';
import { reportProblems } from '../../cli/problems.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { todayAt } from '../../core/fhir/time/today.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { type AuditCounter, countAudit, formatAudit } from '../kit/audit/count.ts';
import { countFidelity, type Fidelity, formatFidelity } from '../kit/fidelity.ts';
import { auditTablesOf } from './audit-tables.ts';

interface FidelityOptions extends MappingFlags {
  readonly audit?: true;
  readonly report?: string;
  readonly json?: true;
}

const help = `
One summary table of all paths, then one table per path, in Markdown: for every field of the request, how many
values were read from which resource, and how many orders lack it. Holds counts only, no value from a chart.
What cannot be read is named on standard error, and the command then ends with 2. With --audit every value of
every draft is read again at the element it cites, by code that the mappings do not use; what does not follow
from there is listed by file, order, field and element, and the command then ends with 1.

Examples
  prior-auth-bridge fidelity export/ > fidelity.md
  prior-auth-bridge fidelity exports/*/ --now 2026-11-21
  prior-auth-bridge fidelity exports/*/ --report fidelity.html
  prior-auth-bridge fidelity exports/*/ --audit`;

export const addFidelity: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('fidelity')
      .description('Count, per field, where the values of a whole set of charts come from and what they lack.')
      .argument('<paths...>', 'files or folders, a table each'),
  )
    .option('--audit', 'read every value again at the element it cites, and list what does not follow from there')
    .option('--report <file>', 'also write it as a page with pictures to this file (.html)')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action(async (paths: string[], options: FidelityOptions) => end(await fidelity(paths, options, io)));
};

async function fidelity(paths: readonly string[], options: FidelityOptions, io: Io): Promise<ExitCode> {
  const chosen = chooseMapping(options, io);
  const audit = options.audit === true ? countAudit() : undefined;
  const sets: Fidelity[] = [];
  let unread = false;
  for (const path of paths) {
    const { total, isUnread } = await fidelityOf(path, { chosen, audit, options, io });
    sets.push(total);
    unread ||= isUnread;
  }
  if (options.report !== undefined) {
    const { fidelityPage } = await import('./fidelity-page.tsx');
    writeAll(options.report, fidelityPage(sets, chosen.kind));
  }
  const audited = audit?.total();
  if (options.json)
    io.stdout.write(`${JSON.stringify(audited === undefined ? sets : { sets, audit: audited }, undefined, 2)}\n`);
  else io.stdout.write(`${formatFidelity(sets)}${audited === undefined ? '' : `\n${formatAudit(audited)}`}`);
  if (unread) return exit.input;
  return (audited?.findings.length ?? 0) > 0 ? exit.incomplete : exit.ok;
}

interface Work {
  readonly chosen: ChosenMapping;
  readonly audit: AuditCounter | undefined;
  readonly options: FidelityOptions;
  readonly io: Io;
}

async function fidelityOf(
  path: string,
  { chosen: { site, roles, map, tree, kind }, audit, options, io }: Work,
): Promise<{ readonly total: Fidelity; readonly isUnread: boolean }> {
  const counter = countFidelity(basename(resolve(path)));
  const tables = auditTablesOf(tree);
  let isUnread = false;
  // The chart of the orders whose outcomes come next.
  let latest: { readonly chart: Chart; readonly entries: readonly Entry[] } | undefined;
  const now = momentOf(options.now, io.clock, site);
  const sheet = kind === 'answers' ? { sheetDay: todayAt(now, site.timeZone).day } : {};
  const request = { roles, map, site, now, stdin: io.stdin };
  const onChart = (chart: Chart, entries: readonly Entry[]) => {
    latest = { chart, entries };
  };
  for await (const event of mapInputs({ ...request, inputs: await listInputs([path]), onChart })) {
    if (event.kind === 'order') counter.add(event.outcome);
    if (event.kind === 'order' && 'result' in event.outcome && latest !== undefined) {
      const { patient, order } = latest.chart;
      audit?.add(
        event.outcome.result,
        { entries: latest.entries, patient, order, tables, site, ...sheet },
        event.outcome.place.file,
      );
    }
    if (reportProblems(event, io)) isUnread = true;
  }
  return { total: counter.total(), isUnread };
}
