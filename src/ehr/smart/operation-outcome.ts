import { EhrSays } from '../../core/fhir/ehr-says.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { listOf } from '../../core/fhir/list-of.ts';
import { cleanText } from '../../core/fhir/text/text.ts';
import { type EhrAnswer, jsonOf } from './http.ts';

/** The readable parts of one issue of an OperationOutcome. */
interface Issue {
  readonly severity: unknown;
  readonly codes: readonly string[];
  readonly text: string | undefined;
  readonly diagnostics: string | undefined;
  /** FHIRPath of the elements, such as `Task.intent`. */
  readonly places: readonly string[];
}

/** Returns BridgeError options with the EHR's messages in OperationOutcomes. */
export function causedBy(...outcomes: readonly unknown[]): { readonly cause?: EhrSays } {
  const texts = [...new Set(outcomes.flatMap((outcome) => issuesOf(outcome).flatMap(({ text }) => text ?? [])))];
  return texts.length === 0 ? {} : { cause: new EhrSays(texts) };
}

/**
 * Returns BridgeError options with the reason of a refused write. An issue without a text for people gives its
 * diagnostics and elements. A response that is not an OperationOutcome gives its usual message members or its plain
 * text.
 */
export function refusedBecause(answer: EhrAnswer): { readonly cause?: EhrSays } {
  const body = jsonOf(answer);
  const issues = issuesOf(body).flatMap(({ text, diagnostics, places }) => {
    const words = text ?? diagnostics;
    const at = places.join(', ');
    if (words === undefined) return at === '' ? [] : [at];
    return [at === '' ? words : `${at}: ${words}`];
  });
  const texts = issues.length > 0 ? issues : [...otherWords(body), ...bearerWords(answer), ...plainWords(answer)];
  return texts.length === 0 ? {} : { cause: new EhrSays([...new Set(texts)].slice(0, mostTexts)) };
}

const mostTexts = 5;

/** Message members of RFC 9457, of OAuth, and of many gateways. */
function otherWords(body: unknown): string[] {
  if (!isObject(body) || 'resourceType' in body) return [];
  const members = [body.detail, body.error_description, body.message, body.title];
  return members.flatMap((text) => wordsOf(text) ?? []).slice(0, 1);
}

/** RFC 6750 3: the description of why the token was not enough. */
function bearerWords({ headers }: EhrAnswer): string[] {
  const [, quoted] = /\berror_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  const words = wordsOf(quoted);
  return words === undefined ? [] : [words];
}

function plainWords({ headers, text }: EhrAnswer): string[] {
  const words = headers.get('content-type')?.startsWith('text/plain') === true ? wordsOf(text) : undefined;
  return words === undefined ? [] : [words];
}

/**
 * Returns the codes of an OperationOutcome: those in `details` if there are any, else the issue types. Texts are left
 * out, because they may contain chart values.
 */
export function outcomeCodes(outcome: unknown): string[] {
  return [...new Set(issuesOf(outcome).flatMap(({ codes }) => codes))];
}

/** Whether an OperationOutcome says that the request failed: any severity above a warning. */
export function isFailedOutcome(outcome: unknown): boolean {
  const issues = issuesOf(outcome);
  return issues.length === 0 || !issues.every(({ severity }) => notes.has(severity));
}

const notes: ReadonlySet<unknown> = new Set(['warning', 'information', 'success']);

/** Returns the texts of an OperationOutcome with their codes. */
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
    const places = [...listOf(issue.expression), ...listOf(issue.location)].flatMap((place) => wordsOf(place) ?? []);
    return [
      {
        severity: issue.severity,
        codes,
        text: wordsOf(details.text),
        diagnostics: wordsOf(issue.diagnostics),
        places: places.slice(0, mostTexts),
      },
    ];
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
