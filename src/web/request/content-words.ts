import { systemName } from '../../core/fhir/codes/systems.ts';
import { dateOrText } from '../../core/fhir/time/day-text.ts';

/** The content of a supporting document as text: names of its parts, and their values. */

/** `daysWithoutSupply` becomes `Days without supply`. */
export function partName(name: string): string {
  if (name === 'loinc') return 'LOINC';
  const text = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A value as readers see it: code systems by name, dates as days. */
export function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return systemName(text) ?? dateOrText(text);
}

/** The content as lines of text, with nested parts indented, without references to the chart. */
export function contentLines(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [`${indent}${value.map(said).join(', ')}`];
    return value.flatMap((item) => contentLines(item, indent));
  }
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null
      ? []
      : said(value)
          .split('\n')
          .map((line) => `${indent}${line}`);
  const code = codeText(value);
  if (code !== undefined) return [`${indent}${code}`];
  return Object.entries(value).flatMap(([name, part]) => {
    if (isRecord(name, part)) return [];
    const lines = contentLines(part, `${indent}  `);
    const [only] = lines;
    return lines.length === 1 && only !== undefined
      ? [`${indent}${partName(name)}: ${only.trim()}`]
      : [`${indent}${partName(name)}:`, ...lines];
  });
}

/** References to the chart resources from which the content was read. */
export function recordsIn(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(recordsIn);
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, part]) => (isRecord(name, part) ? [String(part)] : recordsIn(part)));
}

function isRecord(name: string, part: unknown): boolean {
  return name === 'source' && typeof part === 'string' && /^[A-Z]\w+\/\S+$/.test(part);
}

/** `Type 2 diabetes mellitus (SNOMED CT 44054006)` for a coding; undefined for any other value. */
function codeText(value: object): string | undefined {
  const { system, code, display } = value as Readonly<Record<string, unknown>>;
  if (typeof system !== 'string' || typeof code !== 'string') return undefined;
  const own = `${said(system)} ${code}`;
  return typeof display === 'string' ? `${display} (${own})` : own;
}
