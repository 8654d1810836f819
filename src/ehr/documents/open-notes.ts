import type { Resource } from 'fhir/r4.js';
import { BridgeError } from '../../core/errors.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { attachmentsOf } from '../../core/fhir/documents/attachments.ts';
import { isNote } from '../../core/fhir/documents/kinds.ts';
import { indexChart } from '../../core/fhir/references/graph.ts';
import { grants } from '../../core/fhir/scopes.ts';

const atMost = 10;

/**
 * Returns the Binaries of the given notes (`DocumentReference/1`) that the chart does not contain yet. A Binary that
 * the EHR refuses or lacks is left out, and selection then reports that the note's text was not read.
 */
export async function openNotes(api: FhirApi, entries: readonly Entry[], ticked: readonly string[]): Promise<Entry[]> {
  const isWanted = (resource: Resource) =>
    isNote(resource) && ticked.includes(`${resource.resourceType}/${resource.id}`);
  if (!entries.some(({ resource }) => isWanted(resource)) || !grants(api.scopes, 'Binary', 'r')) return [];
  const graph = indexChart(entries);
  const notes = graph.located.filter(({ resource }) => isWanted(resource));
  const ids = notes
    .flatMap((note) => attachmentsOf(note, (reference, from) => graph.resolve(reference, from)))
    .flatMap(({ url }) => binaryId(url, api.base) ?? []);
  const found = await Promise.all(
    [...new Set(ids)].slice(0, atMost).map(async (id) => [id, await readIfGiven(api, 'Binary', id)] as const),
  );
  return found.flatMap(([id, resource]) =>
    resource === undefined ? [] : [{ resource, fullUrl: `${api.base}/Binary/${id}` }],
  );
}

/**
 * Returns the given notes (`DocumentReference/1`) as they are in the EHR now. Notes that the EHR does not return are
 * left out.
 */
export async function readAgain(api: FhirApi, notes: readonly string[]): Promise<ReadonlyMap<string, Resource>> {
  const found = new Map<string, Resource>();
  for (const note of notes.slice(0, atMost)) {
    const [type = '', id = ''] = note.split('/');
    const resource = grants(api.scopes, type, 'r') ? await readIfGiven(api, type, id) : undefined;
    if (resource !== undefined) found.set(note, resource);
  }
  return found;
}

async function readIfGiven(api: FhirApi, type: string, id: string): Promise<Resource | undefined> {
  try {
    return await api.read(type, id);
  } catch (error) {
    if (error instanceof BridgeError && /^ehr_(error|forbidden|not_fhir|unreachable|foreign_address)$/.test(error.code))
      return undefined;
    throw error;
  }
}

// This patient's token is never sent to another server.
function binaryId(url: string | undefined, base: string): string | undefined {
  return url === undefined
    ? undefined
    : /^Binary\/([A-Za-z0-9.-]{1,64})$/.exec(url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url)?.[1];
}
