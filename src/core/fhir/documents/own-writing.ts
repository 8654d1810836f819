import type { Resource } from 'fhir/r4.js';

/**
 * How the bridge's own writing in charts is recognized: the systems of its identifiers and its words. The code that
 * writes takes them from here, so that everything written is recognized when it is read again.
 */

/** The last part of the system of each identifier that the bridge assigns. */
export const namespaces = [
  ...(['case', 'closing-task', 'status', 'document', 'communication', 'agent'] as const),
  ...(['prior-authorization', 'enrollment', 'benefit-verification'] as const),
] as const;
export type Namespace = (typeof namespaces)[number];

/** The system of an identifier that the bridge at this address assigns. */
export function namespaceAt(bridgeUrl: string, name: Namespace): string {
  return `${bridgeUrl}${namespacePath}${name}`;
}

const namespacePath = '/fhir/ns/';

/** The name of each kind of request in the chart. */
export const kindLabels = {
  'prior-auth': 'Prior authorization',
  enrollment: 'Patient enrollment',
  'benefit-verification': 'Benefit verification',
} as const;

/** The start of the last line of each summary, and of the end of its description. */
export const writtenBy = 'Written by prior-auth-bridge on behalf of';
/** The start of a document's title; a list in the chart shows about thirty characters of it. */
export const shortTitles = {
  'prior-auth': { document: 'PA summary', determination: 'PA letter' },
  enrollment: { document: 'Enrollment summary', determination: 'Enrollment letter' },
  'benefit-verification': { document: 'Benefits summary', determination: 'Benefits letter' },
} as const;
/** The start of the description of a payer's letter that the bridge filed. */
export const payerLetter = 'Payer’s letter on prior authorization';
/** The end of the description of such a letter. */
export const payerLetterOrigin = 'The payer’s own letter, unchanged, as the prior authorization service received it.';

/** The type of a summary, in words. */
export function summaryLabel(label: string): string {
  return `${label} summary`;
}

/**
 * true for anything that the bridge wrote, about any order, and for a copy of it: recognized by an identifier, by the
 * author or by the words of any version so far, because an EHR or an export may keep only one of them.
 */
export function isOwnWriting(resource: Resource): boolean {
  // the bytes of a document are not words of the resource
  const json = JSON.stringify(resource, (key, value: unknown) => (key === 'data' ? undefined : value));
  return (
    isOwnText(json) ||
    ownIdentifiers.test(json) ||
    ownTitles.test(json) ||
    ownShortTitles.test(json) ||
    ownMark.test(json)
  );
}

/** true for the text of a summary of the bridge. */
export function isOwnText(text: string): boolean {
  return ownWords.some((words) => words.test(text));
}

const labels = Object.values(kindLabels);
const ownWords = [writtenBy, payerLetterOrigin].map(inAnyTypography);
const ownIdentifiers = new RegExp(`${namespacePath}(${namespaces.join('|')})\\b|"prior-auth-bridge"`);
// in the format of dayText
const day = '\\([A-Z][a-z]{2} \\d{1,2}, \\d{4}\\)';
const ownTitles = new RegExp(
  `"((${labels.join('|')}) summary|(${[...labels, inAnyTypography(payerLetter).source].join('|')}): ` +
    `[^"]{1,400} ${day})[".]`,
);
const ownShortTitles = new RegExp(`"(${shortBeginnings().join('|')}) \\d{1,2}/\\d{1,2}/\\d{4}"`);
// Part of a text, for EHRs that do not keep identifiers.
const ownMark = /\([\w-]{8,64}-(document|determination)-[\w.-]{1,64}\)"/;

// A summary may be about a request without an outcome. The bridge's title of a letter always has an outcome after a
// comma; a clinic's own title for a payer's letter seldom has.
function shortBeginnings(): string[] {
  return Object.values(shortTitles).flatMap(({ document, determination }) => [
    `${document}: [^"]{1,400}`,
    `${determination}: [^"]{1,400}, [^"]{1,200}`,
  ]);
}

// Exports change quotation marks, and break lines and double blanks.
function inAnyTypography(words: string): RegExp {
  return new RegExp(
    words.replace(/[.()]/g, '\\$&').replaceAll('’', "(’|'|\\\\u2019)").replaceAll(' ', '(\\s|\\\\n)+'),
    'i',
  );
}
