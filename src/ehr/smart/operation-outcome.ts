import { EhrSays } from '../../core/fhir/ehr-says.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { listOf } from '../../core/fhir/list-of.ts';
import { cleanText } from '../../core/fhir/text/text.ts';
import { type EhrAnswer, jsonOf } from './http.ts';

/** One issue of an OperationOutcome, as far as its form is readable. */
interface Issue {
  readonly severity: unknown;
  readonly codes: readonly string[];
  readonly text: string | undefined;
  readonly diagnostics: string | undefined;
  /** `Task.intent` */
  readonly places: readonly string[];
}

/** The options of a BridgeError that keeps the EHR's messages in an OperationOutcome. */
export function causedBy(...outcomes: readonly unknown[]): { readonly cause?: EhrSays } {
  const texts = [...new Set(outcomes.flatMap((outcome) => issuesOf(outcome).flatMap(({ text }) => text ?? [])))];
  return texts.length === 0 ? {} : { cause: new EhrSays(texts) };
}

/**
 * `causedBy` for a refused write. An issue without a text for people provides its diagnostics and elements; an answer
 * that is not an OperationOutcome provides its usual message members or its plain text.
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

/** Members of RFC 9457, of OAuth, and of many gateways' answers. */
function otherWords(body: unknown): string[] {
  if (!isObject(body) || 'resourceType' in body) return [];
  const members = [body.detail, body.error_description, body.message, body.title];
  return members.flatMap((text) => wordsOf(text) ?? []).slice(0, 1);
}

/** RFC 6750 3: the scope that a token lacks. */
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
 * The codes of an OperationOutcome: from the issues' details if present, else their type. Its texts are left out,
 * because they may contain chart values.
 */
export function outcomeCodes(outcome: unknown): string[] {
  return [...new Set(issuesOf(outcome).flatMap(({ codes }) => codes))];
}

/** Whether an OperationOutcome reports that the request was not carried out: any severity above a warning. */
export function isFailedOutcome(outcome: unknown): boolean {
  const issues = issuesOf(outcome);
  return issues.length === 0 || !issues.every(({ severity }) => notes.has(severity));
}

const notes: ReadonlySet<unknown> = new Set(['warning', 'information', 'success']);

/** The notes in an OperationOutcome, with their codes. */
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
