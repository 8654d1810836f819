import type { VNode } from 'preact';
import { orderStates } from '../../batch/file-ledger.ts';
import { type CountedFact, countedFacts } from '../../batch/report/order-facts.ts';
import { fileLine, type RunReport } from '../../batch/report/report.ts';
import type { WholeReport } from '../../batch/report/write-report.ts';
import type { MappingKind } from '../../core/contract/kinds.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { type FieldLabel, fieldLabels } from './field-label.ts';
import { Card, markup, reportPage } from './frame.tsx';
import { linkFrom, listedOrders, ordersTable, stateFills } from './orders-table.tsx';
import { type Bar, Bars, Shares } from './pictures.tsx';
import { frameWords, mapWords, stateWords } from './words.ts';

export interface MapPage extends WholeReport {
  readonly kind: MappingKind;
  readonly path: string;
  /** The folder of the requests and drafts; absent if none were written. */
  readonly folder?: string;
  readonly format: 'files' | 'ndjson';
}

/** Yields the report of a run as one HTML page, in parts. It shows only what report.json contains. */
export function* mapPage(page: MapPage): Generator<string> {
  yield* reportPage({ title: mapWords.title(dayOf(page.report)), filters: true }, partsOf(page));
}

function dayOf({ now }: RunReport): string {
  return dayText(now.slice(0, 10));
}

function* partsOf({ report, lines, kind, path, folder, format }: MapPage): Generator<string> {
  const label = fieldLabels(kind);
  yield markup(<Head report={report} />);
  if (report.totals.orders > 0) yield markup(<Overview report={report} />);
  yield markup(<Counts report={report} label={label} />);
  const orders = listedOrders({ report, lines });
  const link = folder === undefined ? undefined : linkFrom(path, folder);
  const [below, all] = [commonFolder(report.files.map(({ file }) => file)), report.totals.orders];
  const file = (name: string) => name.slice(below.length);
  if (orders.length > 0) yield* ordersTable({ orders, all, format, label, file, link });
  yield markup(<Files report={report} below={below} />);
}

function Head({ report }: { readonly report: RunReport }): VNode {
  const { mapping, totals } = report;
  return (
    <>
      <h1>{mapWords.heading(totals.orders, totals.patients)}</h1>
      <p class="lead">{mapWords.lead({ mapping, day: dayOf(report), files: totals.files })}</p>
      <p class="notice">
        <b>{frameWords.patientData}</b> {mapWords.holds}
      </p>
    </>
  );
}

function Overview({ report: { totals } }: { readonly report: RunReport }): VNode {
  const shares = orderStates.map((state) => ({
    label: stateWords[state],
    fill: stateFills[state],
    count: totals[state],
  }));
  return (
    <Card title={mapWords.overview}>
      <Shares title={mapWords.overviewPicture} shares={shares} />
    </Card>
  );
}

function Counts({ report, label }: { readonly report: RunReport; readonly label: FieldLabel }): VNode {
  const { missing, notEligible, by } = report;
  const { reason, orders } = mapWords;
  return (
    <div class="columns">
      {missing.length > 0 && (
        <Card title={mapWords.missing} lead={mapWords.missingLead}>
          <Bars heads={[mapWords.field, orders]} bars={missing.map((one) => fieldBar(one, label))} />
        </Card>
      )}
      {countedFacts.map((fact) => by[fact].length > 0 && <FactCard key={fact} fact={fact} counts={by[fact]} />)}
      {notEligible.length > 0 && (
        <Card title={mapWords.notEligible}>
          <Bars
            heads={[reason, orders]}
            bars={notEligible.map((one) => ({
              label: one.reason,
              parts: [{ fill: 'off', count: one.orders }],
              said: one.orders.toLocaleString('en-US'),
            }))}
          />
        </Card>
      )}
    </div>
  );
}

function fieldBar({ field, orders }: RunReport['missing'][number], label: FieldLabel): Bar {
  const parts = [{ fill: 'act', count: orders }] as const;
  return { label: label(field), code: field, parts, said: orders.toLocaleString('en-US') };
}

function FactCard({
  fact,
  counts,
}: {
  readonly fact: CountedFact;
  readonly counts: RunReport['by'][CountedFact];
}): VNode {
  const bars = counts.map(({ name, orders, lacking }): Bar => {
    const parts = [
      { fill: 'good', count: orders - lacking },
      { fill: 'act', count: lacking },
    ] as const;
    return { label: name === '' ? mapWords.notStated : name, parts, said: mapWords.of(lacking, orders) };
  });
  return (
    <Card title={mapWords.by[fact]} lead={mapWords.byLead}>
      <Bars heads={[mapWords.fact[fact], mapWords.orders]} bars={bars} />
    </Card>
  );
}

/** The common folder of all files, with a trailing separator; empty if there is none. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let folder = first.slice(0, lastSeparator(first) + 1);
  for (const file of others)
    while (!file.startsWith(folder)) folder = folder.slice(0, lastSeparator(folder.slice(0, -1)) + 1);
  return folder;
}

function lastSeparator(path: string): number {
  return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
}

const filesShown = 200;

function Files({ report, below }: { readonly report: RunReport; readonly below: string }): VNode {
  const files = report.files.map((one) => ({ ...one, file: one.file.slice(below.length) }));
  const unread = files.filter(({ problems, conflicts }) => problems.length + conflicts.length > 0);
  return (
    <Card title={mapWords.files} {...(below === '' ? {} : { lead: mapWords.below(below) })}>
      {unread.length > 0 && (
        <>
          <p class="small">{mapWords.unread}</p>
          <FileList files={unread} />
        </>
      )}
      <details>
        <summary>{mapWords.allFiles(files.length)}</summary>
        <FileList files={files} />
      </details>
    </Card>
  );
}

function FileList({ files }: Pick<RunReport, 'files'>): VNode {
  return (
    <>
      <ul class="small">
        {files.slice(0, filesShown).map((file) => (
          <li key={file.file}>{fileLine(file)}</li>
        ))}
      </ul>
      {files.length > filesShown && <p class="small">{frameWords.left(files.length - filesShown)}</p>}
    </>
  );
}
