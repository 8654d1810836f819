import { normaliseIcd10 } from '../core/fhir/codes/icd10.ts';
import type { Code } from './code.ts';

/**
 * The yearly ICD-10-CM order file of CMS and NCHS (`icd10cm_order_2026.txt`), with one code per line and fixed columns,
 * counted from 1: order number 1-5, code without its dot 7-13, flag 15 (0 for a category, 1 for valid for submission),
 * short description 17-76, long description from 78.
 */
export interface OrderFile {
  readonly codes: readonly Code[];
  /** The number of codes that are valid for submission. */
  readonly billable: number;
}

export interface OrderFileProblem {
  readonly line: number;
  readonly reason: string;
}

const mostProblems = 5;

/**
 * Reads an order file with any line endings. If a line has another layout, the whole file is refused with its first
 * problems, because a part of a code set would look like a complete one.
 */
export function readIcd10File(text: string): OrderFile | { readonly problems: readonly OrderFileProblem[] } {
  const codes = new Map<string, Code>();
  const problems: OrderFileProblem[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (typeof read === 'string') problems.push({ line: index + 1, reason: read });
    else if (codes.has(read.code)) problems.push({ line: index + 1, reason: `${read.code} stands twice` });
    else codes.set(read.code, read);
    if (problems.length === mostProblems) return { problems };
  }
  if (problems.length > 0) return { problems };
  const billable = [...codes.values()].filter((one) => one.billable).length;
  if (billable === 0) return { problems: [{ line: 1, reason: 'the file has no code that is valid for submission' }] };
  return { codes: [...codes.values()], billable };
}

/** Returns one code, or the reason why the line is invalid. */
function readLine(line: string): Code | string {
  if (!/^\d{5} /.test(line)) return 'columns 1 to 5 are no order number';
  const code = normaliseIcd10(line.slice(6, 13));
  if (code === undefined) return 'columns 7 to 13 are no ICD-10-CM code';
  const flag = line.slice(14, 15);
  if (flag !== '0' && flag !== '1') return 'column 15 is neither 0 nor 1';
  const title = (line.slice(77).trim() || line.slice(16, 76).trim()).replace(/\s+/g, ' ');
  if (title === '') return 'it has no description';
  return { code, title, billable: flag === '1' };
}

/** Returns the year in a file's name, such as `icd10cm_order_2026.txt`; undefined if there is none. */
export function yearOf(fileName: string): string | undefined {
  return /(?:^|[^\d])(20\d{2})(?:[^\d]|$)/.exec(fileName)?.[1];
}
