import { EhrSays } from '../fhir/ehr-says.ts';
import { isObject } from '../fhir/is-object.ts';
import { listOf } from '../fhir/list-of.ts';
import { cleanText } from '../fhir/text.ts';

/** One issue of an OperationOutcome, as far as it is of a form that can be read. */
interface Issue {
  readonly severity: unknown;
  readonly codes: readonly string[];
  readonly text: string | undefined;
}

/** The options of a BridgeError that keeps what the EHR says in an OperationOutcome. */
export function causedBy(...outcomes: readonly unknown[]): { readonly cause?: EhrSays } {
  const texts = [...new Set(outcomes.flatMap((outcome) => issuesOf(outcome).flatMap(({ text }) => text ?? [])))];
  return texts.length === 0 ? {} : { cause: new EhrSays(texts) };
}

/**
 * The codes of an OperationOutcome: the issues' details where they have one, else their type. Its texts may hold chart
 * values and are left out.
 */
export function outcomeCodes(outcome: unknown): string[] {
  return [...new Set(issuesOf(outcome).flatMap(({ codes }) => codes))];
}

/** Whether an OperationOutcome says that what was asked was not done: anything but a warning or less. */
export function isFailure(outcome: unknown): boolean {
  const issues = issuesOf(outcome);
  return issues.length === 0 || !issues.every(({ severity }) => notes.has(severity));
}

const notes: ReadonlySet<unknown> = new Set(['warning', 'information', 'success']);

/** What the notes of an OperationOutcome say, by their codes. */
export function notesOf(outcome: unknown): { readonly code: string; readonly text: string | undefined }[] {
  return issuesOf(outcome).flatMap(({ codes, text }) => codes.map((code) => ({ code, text })));
}

function issuesOf(outcome: unknown): Issue[] {
  if (!isObject(outcome) || outcome.resourceType !== 'OperationOutcome') return [];
  return listOf(outcome.issue).flatMap((issue) => {
    if (!isObject(issue)) return [];
    const details = isObject(issue.details) ? issue.details : {};
    const stated = listOf(details.coding).flatMap((coding) => (isObject(coding) ? coding.code : []));
    const codes = (stated.some(isCode) ? stated : [issue.code]).filter(isCode);
    return [{ severity: issue.severity, codes, text: wordsOf(details.text) }];
  });
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Za-z0-9._-]{1,60}$/.test(code);
}

const longest = 200;

function wordsOf(text: unknown): string | undefined {
  const words = typeof text === 'string' ? cleanText(text).slice(0, longest) : '';
  return words === '' ? undefined : words;
}
