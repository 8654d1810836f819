import { cellTexts } from '../../core/answers/answer-text.ts';
import { cellNames } from '../../core/contract/answers-sheet.ts';
import { systemName } from '../../core/fhir/codes/systems.ts';
import { dateOrText } from '../../core/fhir/time/day-text.ts';
import { withoutRecords } from './content-records.ts';

/** The content of a supporting document as text: names of its parts, and their values. */

/** Names of parts whose key would not be clear to a reader. */
const partNames: Readonly<Record<string, string>> = {
  about_days: 'Days, about',
  age_days: 'Age of the result in days',
  age_months: 'Age in months',
  age_years: 'Age in years',
  as_of: 'Taken as of',
  at: 'Stated on',
  bmi: 'BMI',
  bsa: 'Body surface area',
  by: 'Stated by',
  by_order: 'Before and after the order',
  called: 'Name in the chart',
  cell: 'Question',
  class: 'Same class',
  days_ahead: 'Days of supply still ahead',
  days_covered: 'Days covered by supply',
  days_supply: 'Days of supply',
  in_other_form: 'Taken in another form',
  in_window: 'Recent enough',
  loinc: 'LOINC',
  nucc: 'Specialty code (NUCC)',
  parts_not_counted: 'Not counted for its parts',
  proof: 'Shown by',
  releases: 'Release types',
  release_in_part: 'Release type of some products only',
  taken_as_in_part: 'Ordered product taken too',
  unexplained: 'Stopped without a stated reason',
  unmeasured: 'Fills without a date or days of supply',
  window_days: 'Recent enough up to days',
};

/** Parts that repeat another part for machines. */
const machineOnly: ReadonlySet<string> = new Set(['number', 'unit', 'quantity_number', 'quantity_unit']);

/** `daysWithoutSupply` as `Days without supply`. */
function partName(name: string): string {
  const known = Object.hasOwn(partNames, name) ? partNames[name] : undefined;
  if (known !== undefined) return known;
  const text = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A value as readers see it: code systems by name, dates as days. */
export function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return systemName(text) ?? dateOrText(text);
}

/** The parts of a value that a reader needs, each with its name. */
export function partsOf(value: object): (readonly [name: string, part: unknown])[] {
  return Object.entries(value)
    .filter(([name]) => !machineOnly.has(name))
    .map(([name, part]) => [partName(name), name === 'cell' ? questionOf(part) : part]);
}

function questionOf(cell: unknown): unknown {
  const name = cellNames.find((one) => one === cell);
  return name === undefined ? cell : cellTexts[name].question;
}

/** The whole content as lines of text, with nested parts indented; without the addresses of the chart's records. */
export function contentLines(content: unknown): string[] {
  return linesOf(withoutRecords(content), '');
}

function linesOf(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [`${indent}${value.map(said).join(', ')}`];
    return value.flatMap((item) => linesOf(item, indent));
  }
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null
      ? []
      : said(value)
          .split('\n')
          .map((line) => `${indent}${line}`);
  const code = codeText(value);
  if (code !== undefined) return [`${indent}${code}`];
  return partsOf(value).flatMap(([name, part]) => {
    const lines = linesOf(part, `${indent}  `);
    const [only] = lines;
    return lines.length === 1 && only !== undefined
      ? [`${indent}${name}: ${only.trim()}`]
      : [`${indent}${name}:`, ...lines];
  });
}

/** `Type 2 diabetes mellitus (SNOMED CT 44054006)` for a coding; undefined for any other value. */
function codeText(value: object): string | undefined {
  const { system, code, display } = value as Readonly<Record<string, unknown>>;
  if (typeof system !== 'string' || typeof code !== 'string') return undefined;
  const own = `${said(system)} ${code}`;
  return typeof display === 'string' ? `${display} (${own})` : own;
}
