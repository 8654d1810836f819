import { isObject } from '../../fhir/is-object.ts';
import { type AuditEntry, at, resourcesNamed } from './cited.ts';
import { plain, textsIn, wordsOf } from './words.ts';

/**
 * Whether an item of evidence tells nothing that its resources do not say: every number and date of it stands in the cited resource,
 * or in one that the item itself names as a source. Bytes of another form than text (a PDF) are not read again.
 */
export function evidenceFollows(value: unknown, resource: object, entries: readonly AuditEntry[]): boolean {
  const stated = isObject(value) ? Object.entries(value).filter(([key]) => !worked.has(key)) : [['', value]];
  const texts = stated.flatMap(([, inner]) => textsIn(inner));
  const named = texts.flatMap((text) => (/^\w+\/\S+$/.test(text) ? resourcesNamed(text, entries) : []));
  const sources = [resource, ...named, ...entries.map((entry) => entry.resource).filter(isBinary)];
  if (sources.some(hasOtherBytes)) return true;
  const known = new Set(sources.flatMap((one) => [JSON.stringify(one), ...bytesOf(one)]).flatMap(numbersIn));
  return texts
    .map((text) => text.replace(/T00:00:00\.000000$/, ''))
    .flatMap(numbersIn)
    .every((number) => known.has(number));
}

/** Worked out of several fills: days between them. */
const worked = new Set(['daysWithoutSupply']);

function isBinary(resource: object): boolean {
  return at(resource, 'resourceType') === 'Binary';
}

function hasOtherBytes(resource: object): boolean {
  const types = textsIn(resource).filter((text) => /^(application|image)\/[a-z.+-]+$/.test(text));
  return types.some((type) => !/json|xml|xhtml/.test(type));
}

function bytesOf(element: unknown): string[] {
  if (Array.isArray(element)) return element.flatMap(bytesOf);
  if (!isObject(element)) return [];
  const own = typeof element.data === 'string' ? [Buffer.from(element.data, 'base64').toString('utf8')] : [];
  return [...own, ...Object.values(element).flatMap(bytesOf)];
}

function numbersIn(text: string): string[] {
  return wordsOf(plain(text)).filter((word) => /^\d{2,}$/.test(word));
}
