import { dirname, join, relative, sep } from 'node:path';
import type { VNode } from 'preact';
import type { OrderLine } from '../../batch/report/order-line.ts';
import { type OrderState, placeWords } from '../../batch/report/order-outcome.ts';
import type { WholeReport } from '../../batch/report/write-report.ts';
import { refusals } from '../../core/fhir/references/refusals.ts';
import { Breakable } from '../../web/ui/breakable.tsx';
import type { FieldLabel } from './field-label.ts';
import { markup } from './frame.tsx';
import type { PartFill } from './pictures.tsx';
import { mapWords, stateWords } from './words.ts';

/** Orders listed per state. With more, browsers are slow, and nobody reads that far. */
const listedOfState = 1000;

/** Orders that need work come first. */
const order: readonly OrderState[] = ['incomplete', 'cannot_map', 'ready', 'not_eligible', 'duplicate', 'left_out'];

export const stateFills: Readonly<Record<OrderState, PartFill>> = {
  ready: 'good',
  incomplete: 'act',
  not_eligible: 'off',
  duplicate: 'calm',
  left_out: 'plain',
  cannot_map: 'bad',
};

/** Returns the first `listedOfState` orders of each state. Stops reading lines when it has them. */
export function listedOrders({ report: { totals }, lines }: WholeReport): readonly OrderLine[] {
  const found = new Map<OrderState, OrderLine[]>(order.map((state) => [state, []]));
  let left = order.reduce((sum, state) => sum + Math.min(totals[state], listedOfState), 0);
  for (const text of left === 0 ? [] : lines()) {
    const line = JSON.parse(text) as OrderLine; // written by this run
    const same = found.get(line.state) ?? [];
    if (same.length === listedOfState) continue;
    same.push(line);
    left -= 1;
    if (left === 0) break;
  }
  return order.flatMap((state) => found.get(state) ?? []);
}

export interface OrdersTable {
  readonly orders: readonly OrderLine[];
  readonly all: number;
  readonly format: 'files' | 'ndjson';
  readonly label: FieldLabel;
  /** Returns what the table shows for the path of a file. */
  readonly file: (path: string) => string;
  /** Returns the link from the page to a file of the output folder; undefined if no files were written. */
  readonly link: ((written: string) => string) | undefined;
}

/**
 * Returns a function that links from a page at `path` to files of `folder`. Links are relative, so that both can be
 * moved together.
 */
export function linkFrom(path: string, folder: string): (written: string) => string {
  const to = relative(dirname(path), folder);
  return (written) => join(to, written).split(sep).map(encodeURIComponent).join('/');
}

export function* ordersTable({ orders, all, format, ...row }: OrdersTable): Generator<string> {
  const { list, listLead, lines, columns } = mapWords;
  const names = Object.entries(columns).filter(([name]) => name !== 'written' || row.link !== undefined);
  const heads = names.map(([name, text]) => (
    <th key={name} scope="col">
      {text}
    </th>
  ));
  yield `<section class="card">${markup(<h2>{list}</h2>)}`;
  yield markup(<p class="small">{[listLead(orders.length, all), lines(format)].join(' ').trim()}</p>);
  yield markup(<Filter states={[...new Set(orders.map(({ state }) => state))]} />);
  yield `<div class="scroll"><table class="orders"><thead>${markup(<tr>{heads}</tr>)}</thead><tbody>\n`;
  for (const line of orders) yield `${markup(<Row line={line} {...row} />)}\n`;
  yield '</tbody></table></div></section>\n';
}

function Filter({ states }: { readonly states: readonly OrderState[] }): VNode {
  const { text, hint, state, all } = mapWords.filter;
  return (
    <form class="filter" hidden>
      <label>
        {text}
        <input type="search" name="find" placeholder={hint} autocomplete="off" />
      </label>
      <label>
        {state}
        <select name="state">
          <option value="">{all}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {stateWords[one]}
            </option>
          ))}
        </select>
      </label>
      <output data-shown={mapWords.shown} />
    </form>
  );
}

function Row({
  line,
  label,
  file,
  link,
}: { readonly line: OrderLine } & Pick<OrdersTable, 'label' | 'file' | 'link'>): VNode {
  const { state, patient = '', written } = line;
  return (
    <tr data-state={state}>
      <td>
        <span class={`badge badge-${stateFills[state]}`}>{stateWords[state]}</span>
      </td>
      <td>
        <Breakable text={line.order} />
      </td>
      <td>
        <Breakable text={patient} />
      </td>
      <td>
        <Needed line={line} label={label} />
      </td>
      <td>
        <Breakable text={placeWords({ ...line, file: file(line.file) })} />
      </td>
      {link !== undefined && <td>{written !== undefined && <Written to={written} line={line} link={link} />}</td>}
    </tr>
  );
}

function Needed({ line, label }: { readonly line: OrderLine; readonly label: FieldLabel }): VNode {
  const { missing = [], why = {}, reason } = line;
  if (reason !== undefined) return <>{reason}</>;
  return (
    <ul>
      {[...new Set(missing)].map((field) => {
        const known = why[field];
        return (
          <li key={field}>
            {label(field)}
            {known !== undefined && <span class="small">{`: ${refusals[known].staff}`}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** A request in an .ndjson file is one line of many, so the file is named and not linked. */
function Written({
  to,
  line,
  link,
}: {
  readonly to: string;
  readonly line: OrderLine;
  readonly link: (written: string) => string;
}): VNode {
  if (to.endsWith('.ndjson')) return <>{to}</>;
  return <a href={link(to)}>{line.state === 'ready' ? mapWords.request : mapWords.draft}</a>;
}
