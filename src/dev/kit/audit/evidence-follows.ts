import { canonicalSystem } from '../../../core/fhir/codes/systems.ts';
import { isObject } from '../../../core/fhir/is-object.ts';
import { comparedWords, plain, textsIn } from './compare-texts.ts';
import { at, type CitedEntry, resourcesNamed } from './read-cited.ts';

/**
 * Whether an item of evidence states only what its resources say. Each of its numbers and dates must be in the cited
 * resource, or in a resource that the item cites as a source. Bytes other than text (a PDF) are not checked.
 */
export function evidenceFollows(
  value: unknown,
  {
    target,
    resource,
    entries,
  }: { readonly target: string; readonly resource: object; readonly entries: readonly CitedEntry[] },
): boolean {
  if (/daysWithoutSupply/.test(target)) return isBetweenFills(value, entries);
  if (/\.system$/.test(target)) return textsIn(resource).some((text) => canonicalSystem(text) === value);
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

/** Fields that the bridge computes: days between two fills. */
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
  return comparedWords(plain(text)).filter((word) => /^\d{2,}$/.test(word));
}

// A period between fills begins when a stated supply ends, and ends the day before a stated fill.
function isBetweenFills(value: unknown, entries: readonly CitedEntry[]): boolean {
  if (typeof value !== 'string') return true;
  const fills = entries
    .map(({ resource }) => resource)
    .filter((one) => at(one, 'resourceType') === 'MedicationDispense');
  return fills.some((fill) => {
    const texts = textsIn(fill).filter((text) => /^\d{4}-\d{2}-\d{2}/.test(text));
    const lasting = at(at(fill, 'daysSupply'), 'value');
    const shifts = [-1, ...(typeof lasting === 'number' ? [lasting] : [])];
    return texts.some((text) => shifts.some((days) => shifted(text.slice(0, 10), days) === value));
  });
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
