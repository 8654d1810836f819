import type { Resource } from 'fhir/r4.js';
import { attachmentsOf, type Held } from '../documents/attachments.ts';
import type { FhirApi, OutsideFile } from '../fhir/api.ts';
import type { Entry } from '../fhir/bundle.ts';
import { indexChart } from '../fhir/graph.ts';
import { isObject } from '../fhir/is-object.ts';

const atMost = 10;

/**
 * The entries with the bytes of attachments that stand at an address outside of the FHIR server, where the site allows
 * that address; a sentence for each that was not read. `isWanted` says whose attachments; `what` names one of them
 * (`An insurance card image`).
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
    .flatMap(({ url, ...held }) => (url === undefined || isOfServer(url, api.base) ? [] : [{ ...held, url }]))
    .slice(0, atMost);
  const files = await Promise.all(outside.map(async (held) => ({ held, file: await fetched(api, held.url) })));
  const warnings = files.flatMap(({ file }) => ('bytes' in file ? [] : [notRead(what, file)]));
  const filled = entries.map(({ resource, ...entry }) => {
    const own = files.filter(({ held }) => held.holder.reference === `${resource.resourceType}/${resource.id}`);
    return { ...entry, resource: own.reduce((whole, { held, file }) => withFile(whole, held, file), resource) };
  });
  return { entries: filled, warnings: [...new Set(warnings)] };
}

// What is under the FHIR base is read with the token, as the Binary that it is.
function isOfServer(url: string, base: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith(`${base}/`);
}

async function fetched(api: FhirApi, url: string): Promise<OutsideFile> {
  return api.outsideFile?.(url) ?? { refused: 'origin', origin: URL.parse(url)?.origin ?? 'no address' };
}

function notRead(what: string, { refused, origin, http }: Exclude<OutsideFile, { bytes: unknown }>): string {
  const where = `${what} is kept outside of the EHR (${origin})`;
  if (refused === 'origin') return `${where}, from where this site does not read files. It was not read.`;
  const why = {
    address: 'its address cannot be used',
    status: `the answer was ${http}`,
    'no-answer': 'there was no answer',
    'too-large': 'it is too large',
  }[refused];
  return `${where} and could not be read: ${why}.`;
}

function withFile<T extends Resource>(resource: T, { path = '', contentType }: Held, file: OutsideFile): T {
  if (!('bytes' in file)) return resource;
  const filled = structuredClone(resource);
  const attachment = path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, step) : undefined), filled);
  if (!isObject(attachment)) return resource;
  Object.assign(attachment, {
    data: Buffer.from(file.bytes).toString('base64'),
    // storage services often answer with a type that says nothing
    contentType: contentType === '' ? file.contentType : contentType,
  });
  return filled;
}
