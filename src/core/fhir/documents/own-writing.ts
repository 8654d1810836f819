import type { Resource } from 'fhir/r4.js';

/**
 * What the bridge writes into charts is known by: the systems of its identifiers and its words. Who writes takes them
 * from here, so that whatever was written is recognized when it is read again.
 */

/** The last part of the system of each identifier that the bridge gives out. */
export const namespaces = [
  ...(['case', 'closing-task', 'status', 'document', 'communication', 'agent'] as const),
  ...(['prior-authorization', 'enrollment', 'benefit-verification'] as const),
] as const;
export type Namespace = (typeof namespaces)[number];

/** The system of an identifier that the bridge at this address gives out. */
export function namespaceAt(bridgeUrl: string, name: Namespace): string {
  return `${bridgeUrl}${namespacePath}${name}`;
}

const namespacePath = '/fhir/ns/';

/** What a request of each kind is called in the chart. */
export const kindLabels = {
  'prior-auth': 'Prior authorization',
  enrollment: 'Patient enrollment',
  'benefit-verification': 'Benefit verification',
} as const;

/** Begins the last line of each summary, and the end of its description. */
export const writtenBy = 'Written by prior-auth-bridge on behalf of';
/** Begins the title of a document in a list of the chart, which shows some thirty characters of it. */
export const shortTitles = {
  'prior-auth': { document: 'PA summary', determination: 'PA letter' },
  enrollment: { document: 'Enrollment summary', determination: 'Enrollment letter' },
  'benefit-verification': { document: 'Benefits summary', determination: 'Benefits letter' },
} as const;
/** Begins the description of a letter of the payer that the bridge filed. */
export const payerLetter = 'Payer’s letter on prior authorization';
/** Ends the description of such a letter. */
export const payerLetterOrigin = 'The payer’s own letter, unchanged, as the prior authorization service received it.';

/** The type of a summary, in words. */
export function summaryLabel(label: string): string {
  return `${label} summary`;
}

/**
 * true for what the bridge wrote, whatever order it is about, and for a copy of it: by an identifier, the author or the
 * words of any version so far, also where an EHR or an export kept only one of them.
 */
export function isOwnWriting(resource: Resource): boolean {
  // the bytes of a document are no words of the resource
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
// as dayText writes it
const day = '\\([A-Z][a-z]{2} \\d{1,2}, \\d{4}\\)';
const ownTitles = new RegExp(
  `"((${labels.join('|')}) summary|(${[...labels, inAnyTypography(payerLetter).source].join('|')}): ` +
    `[^"]{1,400} ${day})[".]`,
);
const ownShortTitles = new RegExp(`"(${shortBeginnings().join('|')}) \\d{1,2}/\\d{1,2}/\\d{4}"`);
// Stands in a text where an EHR keeps no identifiers.
const ownMark = /\([\w-]{8,64}-(document|determination)-[\w.-]{1,64}\)"/;

// A summary may be of a request without an outcome. A letter always says one after a comma: a clinic that files the
// payer's letter under a title of its own seldom does.
function shortBeginnings(): string[] {
  return Object.values(shortTitles).flatMap(({ document, determination }) => [
    `${document}: [^"]{1,400}`,
    `${determination}: [^"]{1,400}, [^"]{1,200}`,
  ]);
}

// Exports change quotation marks, and break and double blanks.
function inAnyTypography(words: string): RegExp {
  return new RegExp(
    words.replace(/[.()]/g, '\\$&').replaceAll('’', "(’|'|\\\\u2019)").replaceAll(' ', '(\\s|\\\\n)+'),
    'i',
  );
}
