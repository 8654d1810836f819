import type { Resource } from 'fhir/r4.js';

/**
 * The bridge recognizes its own documents in charts by the systems of its identifiers and by its words. The code that
 * writes a document takes both from here, so that the document is recognized when it is read again.
 */

/** The last part of the system of each identifier that the bridge assigns. */
export const namespaces = [
  ...(['case', 'closing-task', 'status', 'document', 'communication', 'agent'] as const),
  ...(['prior-authorization', 'enrollment', 'benefit-verification'] as const),
] as const;
export type Namespace = (typeof namespaces)[number];

export function namespaceAt(bridgeUrl: string, name: Namespace): string {
  return `${bridgeUrl}${namespacePath}${name}`;
}

const namespacePath = '/fhir/ns/';

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
/** The end of the description of a payer's letter that the bridge filed. */
export const payerLetterOrigin = 'The payer’s own letter, unchanged, as the prior authorization service received it.';

export function summaryLabel(label: string): string {
  return `${label} summary`;
}

/**
 * Whether the bridge wrote a resource, about any order, or the resource is a copy of one that it wrote. The check
 * covers the identifiers, the author and the words of every version of the bridge, because an EHR or an export may keep
 * only one of these.
 */
export function isOwnWriting(resource: Resource): boolean {
  // skips the bytes of documents
  const json = JSON.stringify(resource, (key, value: unknown) => (key === 'data' ? undefined : value));
  return (
    isOwnText(json) ||
    ownIdentifiers.test(json) ||
    ownTitles.test(json) ||
    ownShortTitles.test(json) ||
    ownMark.test(json)
  );
}

/** Whether a text is the text of a summary of the bridge. */
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
// A mark in texts of the bridge, for EHRs that do not keep identifiers.
const ownMark = /\([\w-]{8,64}-(document|determination)-[\w.-]{1,64}\)"/;

// A summary may be about a request without an outcome. The bridge's title of a letter always has a comma and an
// outcome; a clinic's own title for a payer's letter seldom has both.
function shortBeginnings(): string[] {
  return Object.values(shortTitles).flatMap(({ document, determination }) => [
    `${document}: [^"]{1,400}`,
    `${determination}: [^"]{1,400}, [^"]{1,200}`,
  ]);
}

// Exports may change quotation marks and insert line breaks or double spaces.
function inAnyTypography(words: string): RegExp {
  return new RegExp(
    words.replace(/[.()]/g, '\\$&').replaceAll('’', "(’|'|\\\\u2019)").replaceAll(' ', '(\\s|\\\\n)+'),
    'i',
  );
}
