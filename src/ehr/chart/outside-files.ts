import type { Resource } from 'fhir/r4.js';
import type { FhirApi, OutsideFile } from '../../core/fhir/api.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { attachmentsOf, type DocumentBytes } from '../../core/fhir/documents/attachments.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { indexChart } from '../../core/fhir/references/graph.ts';

const atMost = 10;

/**
 * Adds the bytes of attachments that are outside this EHR's Binaries, if the site allows their address. Returns the
 * entries, and a sentence for each attachment that was not read. `isWanted` selects resources; `what` describes an
 * attachment (`An insurance card image`).
 */
export async function readOutsideFiles(
  api: FhirApi,
  entries: readonly Entry[],
  isWanted: (resource: Resource) => boolean,
  what: string,
): Promise<{ readonly entries: readonly Entry[]; readonly warnings: readonly string[] }> {
  if (!entries.some(({ resource }) => isWanted(resource))) return { entries, warnings: [] };
  const graph = indexChart(entries);
  const outside = graph.located
    .filter(({ resource }) => isWanted(resource))
    .flatMap((located) => attachmentsOf(located, (reference, from) => graph.resolve(reference, from)))
    .flatMap(({ url, ...held }) => (url === undefined || isBinary(url, api.base) ? [] : [{ ...held, url }]))
    .slice(0, atMost);
  const files = await Promise.all(outside.map(async (held) => ({ held, file: await fetched(api, held.url) })));
  const warnings = files.flatMap(({ file }) => ('bytes' in file ? [] : [notRead(what, file)]));
  const filled = entries.map(({ resource, ...entry }) => {
    const own = files.filter(({ held }) => held.holder.reference === `${resource.resourceType}/${resource.id}`);
    return { ...entry, resource: own.reduce((whole, { held, file }) => withFile(whole, held, file), resource) };
  });
  return { entries: filled, warnings: [...new Set(warnings)] };
}

// A Binary of the EHR is read with the token, as a FHIR resource.
function isBinary(url: string, base: string): boolean {
  return /^Binary\/[^/?#]+$/.test(url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url);
}

async function fetched(api: FhirApi, address: string): Promise<OutsideFile> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || address.startsWith(`${api.base}/`))
    return { refused: 'address', origin: '' };
  return api.outsideFile?.(address) ?? { refused: 'origin', origin: url.origin };
}

function notRead(what: string, { refused, origin, http }: Exclude<OutsideFile, { bytes: unknown }>): string {
  if (refused === 'address') return `${what} stands at an address that cannot be read. It was not read.`;
  const where = `${what} is kept outside of the EHR (${origin})`;
  if (refused === 'origin') return `${where}, from where this site does not read files. It was not read.`;
  const why = {
    status: `the answer was ${http}`,
    'no-answer': 'there was no answer',
    'too-large': 'it is too large',
  }[refused];
  return `${where} and could not be read: ${why}.`;
}

function withFile<T extends Resource>(resource: T, { path = '', contentType }: DocumentBytes, file: OutsideFile): T {
  if (!('bytes' in file)) return resource;
  const filled = structuredClone(resource);
  const attachment = path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, step) : undefined), filled);
  if (!isObject(attachment)) return resource;
  Object.assign(attachment, {
    data: Buffer.from(file.bytes).toString('base64'),
    // storage services often state only a generic type
    contentType: contentType === '' ? file.contentType : contentType,
  });
  return filled;
}
