import { counted } from '../../core/counted.ts';
import { systems } from '../../core/fhir/codes/systems.ts';
import type { ListCoverage } from './list-coverage.ts';
import type { Coverage } from './mapping-coverage.ts';

type Title = (text: string) => string;

function plain(text: string): string {
  return text;
}

/**
 * Formats the coverage as text, with totals in the last line. With `rows`, also lists each row that no case uses and
 * each stated reason.
 */
export function formatCoverage(
  name: string,
  coverage: Coverage,
  { rows = false, title = plain }: { readonly rows?: boolean; readonly title?: Title } = {},
): string {
  const { idleSources: idle, unproduced: leaves, unread, idleOverlays: overlays, unusedEnums: enums, lists } = coverage;
  const withoutRow = lists.filter((list) => list.withoutRow.length > 0);
  const unusedRows = sum(lists.map(unusedIn));
  const allRows = sum(lists.map((list) => list.rows));
  const titled = (text: string, found: readonly string[]) => part(title(text), found);
  const lines = [
    `${title(name)}: ${counted(coverage.fixtures, 'case')}`,
    ...titled(
      'Sources that no case uses',
      idle.map(({ to, expression, rule }) => `${to}  ${expression}  (${rule})`),
    ),
    ...titled('Fields that no case produces', leaves),
    ...titled(
      'Elements of the cases that nothing reads',
      unread.map(({ element, fixtures }) => `${element}  (${counted(fixtures, 'case')})`),
    ),
    ...titled(
      'Overlay rules that change nothing',
      overlays.map(({ to, rule }) => `${to}  (${rule})`),
    ),
    ...titled(
      'Values of closed lists that no case produces',
      enums.map(({ to, values }) => `${to}: ${values.join(', ')}`),
    ),
    ...titled(
      'Values of closed lists without a row',
      withoutRow.map((list) => `${list.to}: ${list.withoutRow.join(', ')}`),
    ),
    ...titled('Tables', lists.map(listText)),
    ...(rows
      ? [
          ...titled('Values of closed lists that rightly have no row', lists.flatMap(statedTexts)),
          ...titled('Rows that no case uses', lists.flatMap(unusedRowTexts)),
        ]
      : []),
    '',
    closingLine([
      [idle.length + overlays.length, 'source or rule that no case uses', 'sources or rules that no case uses'],
      [leaves.length, 'field that no case produces', 'fields that no case produces'],
      [unread.length, 'element of the cases that nothing reads', 'elements of the cases that nothing reads'],
      [sum(withoutRow.map((list) => list.withoutRow.length)), 'value without a row', 'values without a row'],
      [unusedRows, ...rowWords(allRows, rows)],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function closingLine(found: readonly (readonly [count: number, one: string, many: string])[]): string {
  const said = found.filter(([count]) => count > 0).map((words) => counted(...words));
  return said.length === 0 ? 'The cases cover all of it.' : `Not covered: ${said.join(', ')}`;
}

function rowWords(all: number, isNamed: boolean): [one: string, many: string] {
  const rest = ` of ${all} that no case uses${isNamed ? '' : ' (--rows names them)'}`;
  return [`row of tables${rest}`, `rows of tables${rest}`];
}

function unusedIn({ unusedRows }: ListCoverage): number {
  return sum(unusedRows.map(({ keys }) => keys.length));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function listText(list: ListCoverage): string {
  const { to, values, withoutRow, stated, rows } = list;
  const reasons = stated.length === 0 ? '' : `, ${stated.length} rightly none`;
  return (
    `${to}: ${values - withoutRow.length - stated.length} of ${values} values have a row${reasons}; ` +
    `${rows - unusedIn(list)} of ${rows} rows used by a case`
  );
}

function statedTexts({ to, stated }: ListCoverage): string[] {
  const reasons = [...new Set(stated.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const values = stated.filter((one) => one.reason === reason).map(({ value }) => value);
    return `${to}: ${values.join(', ')}  (${reason})`;
  });
}

function unusedRowTexts({ to, unusedRows }: ListCoverage): string[] {
  const tables = [...new Set(unusedRows.map(({ table }) => table))];
  return tables.flatMap((table) => [
    `${to}, table ${table}`,
    ...unusedRows
      .filter((row) => row.table === table)
      .map(({ value, keys }) => `  ${value}: ${keys.map(shortKey).join(', ')}`),
  ]);
}

const systemNames = new Map(Object.entries(systems).map(([name, uri]) => [uri.toLowerCase(), name]));

// Shortens a key to `%ncit|c38288`, the way expressions write a code system.
function shortKey(key: string): string {
  const [system = '', code] = key.split('|');
  const name = systemNames.get(system);
  return name === undefined || code === undefined ? key : `%${name}|${code}`;
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
